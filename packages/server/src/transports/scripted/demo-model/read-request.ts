import { outsideOf, tagBlocks } from './tag-blocks.ts';

/** Names of blocks in which clients put what the user typed, without separators. */
const requestNames = new Set(['userrequest', 'userquery', 'request', 'task', 'query', 'question']);

/**
 * What the user asks for in a message: the last block that is named as the request, else the text outside of blocks
 * (which hold instructions, context and attachments), else the whole text.
 */
export function readRequest(text: string): string {
  const blocks = tagBlocks(text);
  const named = blocks.findLast(({ name }) =>
    requestNames.has(name.toLowerCase().replaceAll('_', '').replaceAll('-', '')),
  );
  if (named !== undefined && named.inner.trim() !== '') return unquoted(named.inner.trim());
  const outside = outsideOf(text, blocks);
  return unquoted(outside === '' ? text.trim() : outside);
}

/**
 * Some clients put all that the user typed into quotation marks, and a backslash before those that the user typed; the
 * outer ones quote nothing then. Other backslashes are the user's.
 */
function unquoted(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  const inner = text.slice(1, -1);
  if (!inner.includes(' ')) return text;
  let plain = '';
  let from = 0;
  for (let at = inner.indexOf('"'); at >= 0; at = inner.indexOf('"', at + 1)) {
    // A mark without a backslash ends a quotation: the text is several.
    if (inner[at - 1] !== '\\') return text;
    plain += inner.slice(from, at - 1);
    from = at;
  }
  return (plain + inner.slice(from)).trim();
}
