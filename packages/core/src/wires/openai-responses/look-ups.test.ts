import { expect, it } from 'vitest';
import { inputItems, lookUpsOf } from './look-ups.ts';

it('finds the response that a request continues, and the items that it only refers to', () => {
  const body = {
    previous_response_id: 'resp_1',
    input: [{ type: 'item_reference', id: 'a' }, { id: 'b' }, { role: 'user', id: 'c', content: 'x' }],
  };
  expect(lookUpsOf(body)).toEqual({ previousId: 'resp_1', references: ['a', 'b'] });
  expect(lookUpsOf({ input: 'x' })).toEqual({ references: [] });
  expect(lookUpsOf(null)).toEqual({ references: [] });
  expect(() => lookUpsOf({ previous_response_id: 3 })).toThrow(/previous_response_id/);
});

it('C-131 lists what a request brought, with a type and an id each', () => {
  const options = { replyId: 'r', references: new Map([['a', { type: 'reasoning', id: 'a' }]]) };
  expect(inputItems({ input: 'Hi' }, options)).toEqual([
    {
      type: 'message',
      id: 'in_r0000',
      role: 'user',
      status: 'completed',
      content: [{ type: 'input_text', text: 'Hi' }],
    },
  ]);
  const input = [
    { type: 'item_reference', id: 'a' },
    { role: 'assistant', content: 'said' },
    { type: 'function_call_output', call_id: 'c', output: '', id: 'own' },
  ];
  expect(inputItems({ input }, options)).toMatchObject([
    { type: 'reasoning', id: 'a' },
    { type: 'message', id: 'in_r0001', content: [{ type: 'output_text', text: 'said' }] },
    { id: 'own' },
  ]);
  expect(inputItems({}, options)).toEqual([]);
});
