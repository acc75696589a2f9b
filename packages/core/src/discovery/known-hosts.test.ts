import { expect, it } from 'vitest';
import { quirksOfHost, quirksOfModel } from './known-hosts.ts';

it.each([
  ['gpt-5', { maxTokensField: 'max_completion_tokens' }],
  ['gpt-5.1-mini', { maxTokensField: 'max_completion_tokens' }],
  ['o3', { maxTokensField: 'max_completion_tokens', noParallelToolCalls: true }],
  ['openai/o4-mini', { maxTokensField: 'max_completion_tokens', noParallelToolCalls: true }],
  ['gpt-4o', { noReasoningEffort: true }],
  ['gpt-oss-20b', {}],
  ['olmo-3', {}],
  ['qwen3-coder', {}],
])('what is known of %s', (model, quirks) => {
  expect(quirksOfModel(model)).toEqual(quirks);
});

it.each([
  ['api.openai.com', { callIds: 'forty' }],
  ['mine.openai.azure.com', { callIds: 'forty' }],
  ['api.fireworks.ai', { holdsSchemas: true }],
  ['generativelanguage.googleapis.com', { holdsSchemas: true }],
  ['api.mistral.ai', { callIds: 'nine', noReasoningHistory: true }],
  ['api.deepseek.com', { replayReasoning: true }],
  ['api.moonshot.cn', { replayReasoning: true }],
  ['api.groq.com', { noReasoningHistory: true }],
  ['api.cerebras.ai', { reasoningField: 'reasoning' }],
  ['api.cloudflare.com', { emptyStringContent: true }],
  ['notapi.x.ai', {}],
  ['127.0.0.1', {}],
])('what is known of the host %s', (host, quirks) => {
  expect(quirksOfHost(host)).toEqual(quirks);
});
