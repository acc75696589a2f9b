const user = (content) => ({ role: 'user', content });
const calls = (count) =>
  Array.from({ length: count }, (_, at) => ({
    id: `c${at}`,
    type: 'function',
    function: { name: 'read', arguments: '{}' },
  }));
const tool = (name, parameters) => ({ type: 'function', function: { name, description: 'Reads.', parameters } });
const properties = (count) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, { type: 'string' }]));
const nested = (depth) => {
  let schema = { type: 'string' };
  for (let at = 0; at < depth; at += 1) schema = { type: 'object', properties: { a: schema } };
  return schema;
};

const read = tool('read', { type: 'object' });

/** Tools as agents have them, none of which was ever seen. */
const agentTools = (count, round, each = 26) =>
  Array.from({ length: count }, (_, at) => {
    const description = 'Says what this is for, at some length, as the tools of agents do.';
    const kinds = [
      { type: 'string' },
      { type: 'integer', minimum: 1, maximum: 100 + at },
      { enum: ['alpha', 'beta', `gamma${at}`] },
      { type: 'array', items: { type: 'object', properties: { x: { type: 'string', description } } } },
      { type: 'object', properties: { a: { type: 'string', description }, b: { type: 'number' } }, required: ['a'] },
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      { type: 'boolean' },
    ];
    const members = Array.from({ length: each }, (_, key) => [
      `p${round}_${at}_${key}`,
      { ...kinds[key % kinds.length], description },
    ]);
    return tool(`t${round}_${at}_${each}`, {
      type: 'object',
      properties: Object.fromEntries(members),
      required: [members[0][0]],
    });
  });

/** By name: a body's messages and tools, each just within the limits or refused for them; no two with the same tools. */
export const bodies = {
  'a small one': () => ({ messages: [user('Hi')] }),
  '500 KB of words': () => ({ messages: [user('A few words. '.repeat(40_000))] }),
  '8.4 MB of markers': () => ({ messages: [user('<|im_start|>'.repeat(700_000))] }),
  '8.4 MB in one line': () => ({ messages: [user('a'.repeat(8_400_000))] }),
  '8.4 MB of <': () => ({ messages: [user('<'.repeat(8_400_000))] }),
  '4 MB of words, a tool': () => ({ messages: [user('A few words. '.repeat(300_000))], tools: [read] }),
  '4 MB of <, a tool': () => ({ messages: [user('<'.repeat(3_990_000))], tools: [read] }),
  '4 MB of halves of markers, a tool': () => ({ messages: [user('<|im_star'.repeat(440_000))], tools: [read] }),
  '4 MB with 49,000 markers, a tool': () => ({
    messages: [user('<|im_start|> and some more words, to be read and read again, as prose is long. '.repeat(49_000))],
    tools: [read],
  }),
  "4 MB like a tool's name": () => ({
    messages: [user('a'.repeat(3_990_000))],
    tools: [tool(`b${'a'.repeat(255)}`, { type: 'object' }), tool(`${'a'.repeat(255)}b`, { type: 'object' })],
  }),
  '8.4 MB of markers, a tool': () => ({ messages: [user('<|im_start|>'.repeat(700_000))], tools: [read] }),
  '4 MB in two parts, a tool': () => ({
    messages: [
      user(['A few words. ', 'Some other words.'].map((text) => ({ type: 'text', text: text.repeat(130_000) }))),
    ],
    tools: [read],
  }),
  'a call with 2 MB of arguments': () => ({
    messages: [
      user('Hi'),
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { ...calls(1)[0], function: { name: 'read', arguments: JSON.stringify({ a: '<b>"'.repeat(395_000) }) } },
        ],
      },
    ],
    tools: [read],
  }),
  '8.4 MB of empty lists': () => ({ messages: [user('Hi')], metadata: Array.from({ length: 2_800_000 }, () => []) }),
  '10,000 messages': () => ({
    messages: Array.from({ length: 10_000 }, (_, at) => ({ role: at % 2 ? 'assistant' : 'user', content: 'Hi there' })),
  }),
  '150,000 messages': () => ({ messages: Array.from({ length: 150_000 }, () => user('Hi')) }),
  '3,000 calls without results': () => ({
    messages: [user('Hi'), { role: 'assistant', content: null, tool_calls: calls(3_000) }, user('On')],
    tools: [read],
  }),
  '128 tools of 70 parameters': (round) => ({
    messages: [user('Hi')],
    tools: Array.from({ length: 128 }, (_, at) =>
      tool(`t${round}_${at}`, { type: 'object', properties: properties(70) }),
    ),
  }),
  '60 tools of 200 KB, a call required': (round) => ({
    messages: [user('Hi')],
    tools: agentTools(60, round),
    tool_choice: 'required',
  }),
  '128 tools of 70 parameters, a call required': (round) => ({
    messages: [user('Hi')],
    tools: Array.from({ length: 128 }, (_, at) =>
      tool(`o${round}_${at}`, { type: 'object', properties: properties(70) }),
    ),
    tool_choice: 'required',
  }),
  '128 tools of 280 KB': (round) => ({ messages: [user('Hi')], tools: agentTools(128, round, 13) }),
  '128 tools of 280 KB, a call required': (round) => ({
    messages: [user('Hi')],
    tools: agentTools(128, round, 13),
    tool_choice: 'required',
  }),
  'a schema 200 deep': () => ({ messages: [user('Hi')], tools: [tool('read', nested(100))] }),
  'an image of 7 MB': () => ({
    messages: [
      user([{ type: 'image_url', image_url: { url: `data:image/png;base64,${'iVBORw0KGgo'.repeat(640_000)}` } }]),
    ],
  }),
};
