import { isObject } from './translate/read-parts.ts';

/**
 * One readable line of what gateways and providers say about an error: the innermost message where errors are wrapped in
 * JSON, without the `undefined:` that some put in front.
 */
export function cleanMessage(message: string): string {
  let text = message.trim();
  for (let depth = 0; depth < 5; depth += 1) {
    while (text.startsWith('undefined:')) text = text.slice('undefined:'.length).trim();
    const inner = innerMessage(text);
    if (inner === undefined) break;
    text = inner.trim();
  }
  const lines = text.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .join(' ')
    .slice(0, 1000);
}

/** The message of the JSON object in a text, at the places where servers put it. */
function innerMessage(text: string): string | undefined {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start < 0 || end < start) return undefined;
  try {
    return messageIn(JSON.parse(text.slice(start, end + 1)));
  } catch {
    return undefined;
  }
}

function messageIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!isObject(value)) return undefined;
  return messageIn(value.error) ?? messageIn(value.message) ?? messageIn(value.detail);
}
