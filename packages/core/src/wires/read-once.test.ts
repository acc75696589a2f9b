import { expect, it } from 'vitest';
import { clientWires } from './registry.ts';

const reader = { type: 'function', function: { name: 'read', parameters: {}, colour: 'red' } };

it('reads tools of several bodies once, and tells what is wrong with them each time', () => {
  const wire = clientWires.get('openai-chat');
  const tools = [reader, reader];
  const read = () => wire?.readRequest({ model: 'm', messages: [{ role: 'user', content: 'x' }], tools });
  const [first, second] = [read(), read()];
  expect(second?.tools).toBe(first?.tools);
  expect(first?.warnings.map(({ code }) => code)).toEqual(['tool-dropped', 'field-dropped']);
  expect(second?.warnings).toEqual(first?.warnings);
});
