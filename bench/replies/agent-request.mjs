import { sourceCode } from './source-code.mjs';

/** What the load generator writes over: one word for each connection, and one for each request. */
export const placeOfClient = '%CLIENT%';
export const placeOfRound = '%ROUND%%';

const verbs = ['read', 'write', 'list', 'search', 'move', 'copy', 'remove', 'open', 'close', 'run'];
const things = ['file', 'folder', 'page'];

/** Thirty tools with the descriptions and schemas that coding agents give theirs, about 1.5 KB each. */
function manyTools() {
  return verbs.flatMap((verb) => things.map((thing) => tool(verb, thing)));
}

function tool(verb, thing) {
  const about = `${verb}s a ${thing}. Use it when the task needs it, and only with paths below the workspace. `;
  const text = (words) => ({ type: 'string', description: `${words}, as text. ${about}` });
  return {
    type: 'function',
    function: {
      name: `${verb}_${thing}`,
      description: about.repeat(4),
      parameters: {
        type: 'object',
        properties: {
          path: text('The path'),
          pattern: text('What to look for'),
          content: text('What is written'),
          mode: { type: 'string', enum: ['fast', 'careful', 'dry'], description: 'How it is done.' },
          limit: { type: 'integer', minimum: 1, maximum: 1000, description: 'At most so many.' },
          recursive: { type: 'boolean', description: 'Whether folders below are meant, too.' },
          edits: {
            type: 'array',
            description: 'What is changed, in order.',
            items: {
              type: 'object',
              properties: { from: text('What is there'), to: text('What comes in its place') },
              required: ['from', 'to'],
            },
          },
        },
        required: ['path'],
        additionalProperties: false,
      },
    },
  };
}

/** One round of an agent: a call and its result of about 3.2 KB. */
function round(at) {
  const id = `call_${String(at).padStart(24, '0')}`;
  const call = { path: `src/part-${at}.tsx`, mode: 'careful', limit: at + 1 };
  return [
    {
      role: 'assistant',
      content: `I look at part ${at}.`,
      tool_calls: [{ id, type: 'function', function: { name: 'read_file', arguments: JSON.stringify(call) } }],
    },
    { role: 'tool', tool_call_id: id, content: `${placeOfClient} ${at}\n${sourceCode(3150)}` },
  ];
}

/**
 * The request that counts: the twenty-second round of a coding agent, 136 KB with thirty tools. Each client has a history
 * of its own, and the newest result differs from request to request; all else was there in the request before.
 */
export function agentMessages() {
  const rounds = Array.from({ length: 21 }, (_, at) => round(at)).flat();
  const [call, { tool_call_id: id }] = round(21);
  return [
    { role: 'system', content: `You are a careful programmer. ${'Think before you change anything. '.repeat(230)}` },
    { role: 'user', content: `${placeOfClient} Add a filter to the list, so that people find what they look for.` },
    ...rounds,
    call,
    { role: 'tool', tool_call_id: id, content: `${placeOfRound}\n${sourceCode(3150)}` },
  ];
}

export const agentTools = manyTools();
