import { loadOpenresponsesSchema, runs } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkRequest } from '../src/index.ts';

// What the published document takes is never refused here: a request with something in it exchanged, as the document sees it.

const schema = loadOpenresponsesSchema();

const base = {
  model: 'm',
  input: [
    { type: 'message', role: 'system', content: [{ type: 'input_text', text: 'Be brief.' }] },
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'Hi' },
        { type: 'input_image', image_url: 'data:,' },
      ],
    },
    {
      type: 'message',
      role: 'assistant',
      content: [
        { type: 'output_text', text: 'Hi' },
        { type: 'refusal', refusal: 'No.' },
      ],
    },
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
    { type: 'function_call', call_id: 'c', name: 'read', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: '' }] },
    { type: 'item_reference', id: 'msg_1' },
    { type: 'compaction', encrypted_content: 'x' },
  ],
  tools: [{ type: 'function', name: 'read', description: 'Reads.', parameters: { type: 'object' }, strict: true }],
  tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'read' }] },
  metadata: { a: 'b' },
  max_output_tokens: 16,
  max_tool_calls: 1,
  top_logprobs: 0,
  prompt_cache_key: 'k',
};

type Place = readonly (string | number)[];

function placesIn(value: unknown, place: Place = []): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [place];
  return [
    ...(place.length === 0 ? [] : [place]),
    ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...place, key])),
  ];
}

/** The same with another value at one place; `undefined` leaves it out. */
function exchanged(value: unknown, place: Place, other: unknown): unknown {
  const [key, ...rest] = place;
  if (key === undefined) return other;
  const copy: Record<string | number, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...Object(value) };
  const inner = exchanged(Reflect.get(copy, key), rest, other);
  if (inner === undefined && !Array.isArray(copy)) Reflect.deleteProperty(copy, key);
  else Reflect.set(copy, key, inner);
  return copy;
}

const others = fc.constantFrom<unknown>(
  undefined,
  null,
  0,
  1,
  15,
  21,
  '',
  'a',
  'a.b',
  'x'.repeat(65),
  true,
  [],
  {},
  'auto',
  'none',
  'user',
  'developer',
  'message',
  'input_text',
  'output_text',
  'refusal',
  'function',
  'function_call',
  [{ type: 'input_text', text: '' }],
  [{ type: 'output_text', text: '' }],
  { type: 'function', name: 'a' },
);

const change = fc.tuple(fc.constantFrom(...placesIn(base)), others);

it('C-042 C-113 nothing is refused that the document takes, but a request without input and one without the name of its model', () => {
  expect(checkRequest(base)).toEqual([]);
  let taken = 0;
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      const body = changes.reduce<unknown>((value, [place, other]) => exchanged(value, place, other), base);
      const paths = checkRequest(body).map(({ path }) => path);
      if (schema === undefined || schema.check('CreateResponseBody', body).length > 0) return;
      taken += 1;
      expect(paths.filter((path) => path !== 'model' && path !== 'input')).toEqual([]);
    }),
    { numRuns: runs(2000) },
  );
  if (schema !== undefined) expect(taken).toBeGreaterThan(0);
});
