import { expect, it } from 'vitest';
import type { Message } from '../chat/message.ts';
import { addSystemText, teachFormat } from './place-format.ts';

const schema = { type: 'object', properties: { city: { type: 'string' } } };

it('asks for JSON alone, and says when where the model may call tools', () => {
  expect(teachFormat({ type: 'json' }, { withTools: false })).toContain('Your answer must be one JSON value');
  expect(teachFormat({ type: 'json' }, { withTools: true })).toContain('instead of calling a tool');
});

it('quotes the schema with its name and description', () => {
  const text = teachFormat({ type: 'json-schema', schema, name: 'city', description: 'A city.' }, { withTools: false });
  expect(text).toContain('(city: A city.)');
  expect(text.endsWith(JSON.stringify(schema))).toBe(true);
});

it('puts a system text after those in front', () => {
  const say = (role: 'system' | 'user', text: string): Message => ({ role, content: [{ type: 'text', text }] });
  expect(addSystemText([say('system', 'a'), say('user', 'b'), say('system', 'c')], 'x')).toEqual([
    say('system', 'a'),
    say('system', 'x'),
    say('user', 'b'),
    say('system', 'c'),
  ]);
  expect(addSystemText([say('system', 'a')], 'x')).toHaveLength(2);
});
