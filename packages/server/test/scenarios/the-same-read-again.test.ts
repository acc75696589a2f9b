import { chatStream, type SeenRequest } from '@dragoman/testkit';
import { Ollama } from 'ollama';
import { expect, it } from 'vitest';
import { type CodingTool, stringOf, text } from '../coding-tool.ts';
import { gatewayForTest, upstreamForTest } from '../for-test.ts';
import { runOllamaTurn } from '../ollama-turn.ts';

const note = '# Plan\n\nWater the tree.';

/** Reads the same note again and again, until it is told that it has it. */
function forgetful({ body }: SeenRequest) {
  const isTold = JSON.stringify(body).includes('times in a row');
  return chatStream(
    isTold
      ? 'The plan is to water the tree.'
      : '<tool_call>\n{"name": "read_note", "arguments": {"path": "Plan.md"}}\n</tool_call>',
  );
}

it.each([true, false])(
  'a notes app that speaks Ollama before a model that reads the same note again: it is told that it has it, and answers (stream: %s)',
  async (stream) => {
    const upstream = await upstreamForTest({ fallback: forgetful });
    const m = { toolCalling: { dialect: 'hermes' }, guards: { repeats: true } };
    const gateway = await gatewayForTest({
      config: { upstreams: { up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, models: { m } } } },
    });
    const readNote: CodingTool = {
      name: 'read_note',
      description: 'Reads a note of the vault.',
      parameters: { type: 'object', properties: { path: text('Its path.') }, required: ['path'] },
      run: async (values) => `${stringOf(values, 'path')}:\n${note}`,
    };
    const outcome = await runOllamaTurn(new Ollama({ host: gateway.url }), {
      model: 'up/m',
      messages: [{ role: 'user', content: 'What is the plan?' }],
      tools: [readNote],
      stream,
    });
    expect(outcome.text).toBe('The plan is to water the tree.');
    expect(outcome.ran).toEqual([1, 2, 3].map(() => ({ name: 'read_note', values: { path: 'Plan.md' } })));
    // The results themselves came to the model whole each time; what was said beside them is in the log.
    const prompt = upstream.requests.at(-1)?.text ?? '';
    expect(prompt.split('Water the tree.')).toHaveLength(4);
    await gateway.record(({ warnings }) => Object(warnings)['loop-noted'] === 1);
  },
);
