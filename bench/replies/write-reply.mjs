import { sourceCode } from './source-code.mjs';

/** The tool that the replies call: the long value comes last. */
export const tools = [
  {
    name: 'write_file',
    description: 'Writes a file.',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' } },
      required: ['path', 'content'],
    },
  },
];

export const prose = 'The list gets a filter; I write the new component now.\n\n';

/** What the value of the call is, and the whole reply: prose, then one call as the dialect itself writes it. */
export function writeReply(dialect, length) {
  const content = sourceCode(length);
  const call = {
    callId: 'call_1',
    nativeId: 'functions.write_file:0',
    ordinal: 0,
    name: 'write_file',
    arguments: JSON.stringify({ path: 'src/list.tsx', content }),
  };
  return { content, text: prose + dialect.renderCalls([call], tools) };
}

/** Pieces of `size` characters, each a string of its own as if it had just been decoded; `size` 0: one piece. */
export function cut(text, size) {
  const own = (piece) => Buffer.from(piece, 'utf8').toString('utf8');
  if (size === 0) return [own(text)];
  const pieces = [];
  for (let from = 0; from < text.length; from += size) pieces.push(own(text.slice(from, from + size)));
  return pieces;
}
