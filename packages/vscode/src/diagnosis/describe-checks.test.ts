import { expect, it } from 'vitest';
import { describeChecks } from './describe-checks.ts';

const message = (role: string, type: string) => ({ type: 'message', role, content: [{ type, text: 'x' }] });
const good = { model: 'm', input: [message('user', 'input_text')] };

it('C-113: a good request passes all four', () => {
  expect(describeChecks(good)).toBe(
    'type discriminators: fine\ncontent types: fine\nflat tools: fine\nrequired fields: fine',
  );
});

it.each([
  ['type discriminators', { input: [{ role: 'user', content: 'x' }] }],
  ['content types', { input: [message('user', 'output_text')] }],
  ['flat tools', { tools: [{ type: 'function', function: { name: 'a' } }] }],
  ['required fields', { input: [{ type: 'function_call', call_id: 'c', name: 'n' }] }],
])('C-113: names what is wrong with %s, and where', (name, broken) => {
  const lines = describeChecks({ ...good, ...broken }).split('\n');
  expect(lines.filter((line) => !line.endsWith(': fine')).map((line) => line.split(': ')[0])).toEqual([name]);
  expect(lines.find((line) => line.startsWith(name))).toMatch(/(input|tools)\[0\]/);
});
