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

/** Some clients put all that the user typed into quotation marks; they quote nothing then. */
function unquoted(text: string): string {
  const inner = text.slice(1, -1);
  const isQuotation = text.startsWith('"') && text.endsWith('"') && !inner.includes('"');
  return isQuotation && inner.includes(' ') ? inner.trim() : text;
}
