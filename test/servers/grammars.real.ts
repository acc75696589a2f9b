import {
  askTextModel,
  type ChatEvent,
  type ChatRequest,
  collect,
  type Dialect,
  dialects,
  runStage,
  type ToolDefinition,
} from '@dragoman/core';
import { chatRequest, Grammar } from '@dragoman/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { constrainCalls } from '../../packages/core/src/prepare/constrain-calls.ts';
import { at } from './ask.ts';
import { ajv } from './questions.ts';
import { type RealServer, startLlama } from './start-servers.ts';

// A server that draws from our grammars: another reader of them than ours, and texts that a model writes by them.

let server: RealServer;

beforeAll(async () => {
  server = await startLlama({ window: 4096, tools: false });
});

afterAll(() => server?.stop());

/** The calls in what a model has written. */
function callsIn(written: string, { request, dialect }: { readonly request: ChatRequest; readonly dialect: Dialect }) {
  const events: ChatEvent[] = [
    { type: 'message-start', id: 'x', model: 'm' },
    { type: 'text-start', block: 0 },
    { type: 'text-delta', block: 0, text: written },
    { type: 'text-end', block: 0 },
    { type: 'message-end', finishReason: 'stop' },
  ];
  const { content } = collect(runStage(askTextModel(request, { dialect }).read, events));
  return content.flatMap((part) => (part.type === 'tool-call' ? [part] : []));
}

it('the server reads the grammar of every dialect, and what it lets the model write is what we accept and read as calls', async () => {
  const given: readonly ToolDefinition[] = [
    {
      name: 'dim',
      inputSchema: {
        type: 'object',
        properties: { to: { type: 'integer', minimum: 5, maximum: 250 } },
        required: ['to'],
      },
    },
    {
      name: 'paint "it"',
      inputSchema: {
        type: 'object',
        properties: { colour: { enum: ['red', 'say \\ "no"', 'a\n]'] } },
        required: ['colour'],
      },
    },
  ];
  const fit = new Map(given.map(({ name, inputSchema }) => [name, ajv.compile(Object(inputSchema))]));
  const ids = [...dialects.keys()];
  // Of some a whole text; of the others, that the server can read the grammar.
  const whole = new Set(ids.filter((_, at) => at % 5 === 0));
  for (const [id, dialect] of dialects) {
    const request = { ...chatRequest({ tools: given, toolChoice: 'required', parallelToolCalls: false }) };
    const rule = { constrainCalls: 'auto', outputFormat: 'auto' } as const;
    const { asked: held } = constrainCalls(request, { dialect, rule, wire: {}, takes: 'grammar' });
    const body = {
      prompt: 'Go:',
      grammar: held.grammar,
      temperature: 1.5,
      seed: 7,
      n_predict: whole.has(id) ? 120 : 1,
    };
    const answer = await fetch(`${server.url}/completion`, { method: 'POST', body: JSON.stringify(body) });
    const written: unknown = await answer.json();
    expect(answer.status, `${id}: ${JSON.stringify(written)}`).toBe(200);
    if (at(written, 'stop_type') !== 'eos') continue;
    const drawn = String(at(written, 'content'));
    expect(new Grammar(held.grammar ?? '').accepts(drawn), `${id}: ${drawn}`).toBe(true);
    const calls = callsIn(drawn, { request, dialect });
    expect(calls.length, `${id}: ${drawn}`).toBe(1);
    for (const call of calls) expect(fit.get(call.name)?.(JSON.parse(call.arguments)), `${id}: ${drawn}`).toBe(true);
  }
});

it('what a model thinks may come first', async () => {
  const given: readonly ToolDefinition[] = [
    { name: 'open', inputSchema: { type: 'object', properties: { at: { type: 'integer' } }, required: ['at'] } },
  ];
  const dialect = dialects.get('hermes');
  if (dialect === undefined) throw new Error('There is no hermes.');
  const request = chatRequest({ tools: given, toolChoice: 'required', parallelToolCalls: false });
  const rule = { constrainCalls: 'auto', outputFormat: 'auto' } as const;
  const { asked: held } = constrainCalls(request, { dialect, rule, wire: {}, takes: 'grammar' });
  const turn = (at: number) =>
    `Go:<think>It is ${at}.</think>\n<tool_call>\n{"name": "open", "arguments": {"at": ${at}}}\n</tool_call>\n`;
  const prompt = `${[1, 2, 3, 4].map(turn).join('')}Go:`;
  const body = { prompt, grammar: held.grammar, temperature: 0, n_predict: 80 };
  const answer = await fetch(`${server.url}/completion`, { method: 'POST', body: JSON.stringify(body) });
  const drawn = String(at(await answer.json(), 'content'));
  expect(drawn).toMatch(/^<think>[^<]*<\/think>\s*<tool_call>/);
  expect(callsIn(drawn, { request, dialect }).map(({ name }) => name)).toEqual(['open']);
});
