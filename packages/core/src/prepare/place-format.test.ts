import { chatRequest } from '@dragoman/testkit';
import { expect, it } from 'vitest';
import { defaultModelRule, type ModelRule } from '../plan/rules.ts';
import { upstreamWires } from '../wires/registry.ts';
import { placeFormat } from './place-format.ts';

const schema = { type: 'object', properties: { a: { type: 'number' } } };
const asked = chatRequest({ outputFormat: { type: 'json-schema', name: 'answer', schema } });

/** How a model that calls natively is asked for the form: by the field, in words. */
function ways(id: string, { vendor = false, ...rule }: Partial<ModelRule> & { vendor?: boolean } = {}): string {
  const wire = upstreamWires.get(id);
  if (wire === undefined) throw new Error(`There is no wire ${id}.`);
  const { request, taught } = placeFormat(asked, { plan: { rule: { ...defaultModelRule, ...rule } }, wire, vendor });
  const byField = request.outputFormat === undefined ? '' : 'field';
  return taught ? `${byField} words` : byField;
}

it.each(['anthropic-messages', 'openai-responses'])('%s servers may ignore the field, and are told in words', (id) => {
  expect(ways(id)).toBe('field words');
  expect(ways(id, { vendor: true })).toBe('field');
  expect(ways(id, { outputFormat: 'native' })).toBe('field');
  expect(ways(id, { passthrough: 'always' })).toBe('field');
});

it.each(['openai-chat', 'ollama-chat'])('%s servers heed the field', (id) => {
  expect(ways(id)).toBe('field');
});
