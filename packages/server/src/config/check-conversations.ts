import { describedWires, upstreamWires } from '@dragoman/core';
import { didYouMean } from './nearest-name.ts';
import { fieldOf } from './raw-value.ts';
import type { Finding } from './read-findings.ts';

/**
 * Checks that an upstream of the wire `conversation` is described, others are not, that the text of a message goes
 * anywhere and placeholders stand for something, that only upstreams of the wire `qwen-chat` have its section, and that `parallel` is said only where it means
 * something. Works on the raw value; what the schema complains about already is passed over.
 */
export function checkConversations(upstreams: readonly (readonly [string, unknown])[]): Finding[] {
  return upstreams.flatMap(([name, upstream]): Finding[] => {
    const description = fieldOf(upstream, 'conversation');
    const path = ['upstreams', name, 'conversation'];
    const wire = fieldOf(upstream, 'wire');
    if (wire !== 'qwen-chat' && typeof wire === 'string' && fieldOf(upstream, 'qwenChat') !== undefined) {
      const reason = `only upstreams of the wire "qwen-chat" have this section; this one speaks ${wire}`;
      return [{ path: ['upstreams', name, 'qwenChat'], reason }];
    }
    if (typeof wire === 'string' && fieldOf(upstream, 'parallel') !== undefined && !keepsConversations(wire)) {
      const reason = `only upstreams that keep conversations take turns; those of the wire ${wire} do not`;
      return [{ path: ['upstreams', name, 'parallel'], reason }];
    }
    if (wire !== 'conversation') {
      if (description === undefined || typeof wire !== 'string') return [];
      return [{ path, reason: `only upstreams of the wire "conversation" are described; this one speaks ${wire}` }];
    }
    if (description === undefined) {
      // Workers have commands of their own for it.
      if (fieldOf(fieldOf(upstream, 'workers'), 'speak') === 'commands') return [];
      return [
        { path: path.slice(0, 2), reason: 'the wire "conversation" needs "conversation", which describes the server' },
      ];
    }
    const silent = ['first', 'send'].flatMap((step): Finding[] => {
      const body = fieldOf(fieldOf(description, step), 'body');
      if (body === undefined || JSON.stringify(body).includes('{{text}}')) return [];
      return [{ path: [...path, step, 'body'], reason: 'holds no "{{text}}", so no message would ever be sent' }];
    });
    const [first, send] = ['first', 'send'].map((step) => JSON.stringify(fieldOf(description, step) ?? null));
    if (first !== 'null' && first?.includes('{{system}}') !== send?.includes('{{system}}')) {
      const reason = '"first" and "send" both have a place for "{{system}}", or neither';
      silent.push({ path: [...path, 'first'], reason });
    }
    silent.push(...checkPlaceholders(description, path));
    if (fieldOf(description, 'first') === undefined || fieldOf(description, 'create') === undefined) return silent;
    const reason = 'a conversation is begun by "create" or by its "first" message; leave one of them out';
    return [...silent, { path: [...path, 'first'], reason }];
  });
}

function keepsConversations(wire: string): boolean {
  const isDescribed = describedWires.some((id) => id === wire);
  // A wire that does not exist is the schema's business.
  return isDescribed || !upstreamWires.has(wire) || upstreamWires.get(wire)?.conversation !== undefined;
}

const known: readonly string[] = ['model', 'conversation', 'parent', 'text', 'system'];

/**
 * Checks the placeholders of a described platform: that each is one, and that what they stand for will be known when a
 * message is written. `path` leads to the description.
 */
function checkPlaceholders(description: unknown, path: readonly string[]): Finding[] {
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
