import { expect, it } from 'vitest';
import { dialects } from '../dialects/registry.ts';
import { dialectFacts } from './dialect-facts.ts';

const facts = new Map([...dialects.values()].map((dialect) => [dialect.id, dialectFacts(dialect)]));

it.each([
  ['hermes', { form: 'json', ids: false, parallel: true, streams: true }],
  ['kimi-k2', { form: 'header', ids: true, parallel: true, streams: true }],
  ['qwen3-coder', { form: 'tags', ids: false, parallel: true, streams: true }],
  ['glm', { form: 'tags', ids: false, parallel: true, streams: true }],
  ['cline-xml', { form: 'named-tags', ids: false, parallel: true, streams: true }],
  ['pythonic', { form: 'python', ids: false, parallel: true, streams: true }],
])('knows what %s can say', (id, expected) => {
  expect(facts.get(id)).toMatchObject(expected);
});

it('names the models that are known to write a dialect', () => {
  expect(facts.get('hermes')?.models).toContain('qwen-2.5');
  expect(facts.get('kimi-k2')?.models).toEqual(['kimi-k2']);
});
