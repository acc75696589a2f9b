const words = 'What an agent says of a parameter, at some length, in a sentence or two. ';

const kinds = [
  { type: 'string', maxLength: 200 },
  { type: 'integer', minimum: 0, maximum: 5000 },
  { enum: ['a', 'b "c"', 'd'] },
  {
    type: 'array',
    items: { type: 'object', properties: { x: { type: 'string' }, y: { type: 'number' } }, required: ['x'] },
  },
  { anyOf: [{ type: 'string' }, { type: 'null' }] },
  { $ref: '#/$defs/node' },
];

const node = { type: 'object', properties: { inner: { type: 'array', items: { $ref: '#/$defs/node' } } } };

/** So many tools of twelve parameters each, no two of them with the same name: sixty are 200 KB. */
export function toolsOf(count, mark) {
  return Array.from({ length: count }, (_, tool) => {
    const named = Array.from({ length: 12 }, (_, at) => [
      `p${tool}_${at}`,
      { ...kinds[at % kinds.length], description: words.repeat(2) },
    ]);
    return {
      name: `${mark}_${tool}`,
      description: words.repeat(8),
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(named),
        required: [`p${tool}_0`],
        $defs: { node },
      },
    };
  });
}
