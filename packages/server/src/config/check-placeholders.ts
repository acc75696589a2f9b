import { didYouMean } from './nearest-name.ts';
import { fieldOf } from './raw-value.ts';
import type { Finding } from './read-findings.ts';

const known: readonly string[] = ['model', 'conversation', 'parent', 'text', 'system'];

/**
 * Checks the placeholders of a described platform: that each is one, and that what they stand for will be known when a
 * message is written. `path` leads to the description.
 */
export function checkPlaceholders(description: unknown, path: readonly string[]): Finding[] {
  const unknown = ['create', 'first', 'send'].flatMap((step) =>
    ['path', 'body'].flatMap((field) =>
      namesIn(JSON.stringify(fieldOf(fieldOf(description, step), field) ?? null))
        .filter((name) => !known.includes(name))
        .map((name) => ({
          path: [...path, step, field],
          reason: `"{{${name}}}" stands for nothing${didYouMean(name, known)} Placeholders are ${known.join(', ')}`,
        })),
    ),
  );
  return [...unknown, ...checkIds(description, path)];
}

/** Ids that a message has to name have to be read from somewhere first. */
function checkIds(description: unknown, path: readonly string[]): Finding[] {
  const send = fieldOf(description, 'send');
  const used = new Set(namesIn(JSON.stringify(send ?? null)));
  const reads = (field: string) => fieldOf(fieldOf(description, 'reply'), field) !== undefined;
  const has = (step: string) => fieldOf(description, step) !== undefined;
  const findings: Finding[] = [];
  if (used.has('parent') && !reads('parent')) {
    const reason = 'names "{{parent}}", and no reply says one: add "reply.parent"';
    findings.push({ path: [...path, 'send'], reason });
  }
  if (used.has('conversation') && !has('create') && !reads('conversation')) {
    const reason = 'names "{{conversation}}", and nothing says one: add "create", or "reply.conversation"';
    findings.push({ path: [...path, 'send'], reason });
  } else if (namesIn(JSON.stringify(fieldOf(send, 'path') ?? null)).includes('conversation')) {
    if (has('create') || has('first')) return findings;
    const reason = 'names "{{conversation}}", which the first message does not know: add "create" or "first"';
    findings.push({ path: [...path, 'send', 'path'], reason });
  }
  return findings;
}

/** What is between two pairs of braces, of a length that a name may have. */
function namesIn(text: string): string[] {
  return text.split('{{').flatMap((part, at) => {
    const end = part.indexOf('}}');
    return at === 0 || end < 1 || end > 40 ? [] : [part.slice(0, end)];
  });
}
