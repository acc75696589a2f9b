import type { LanguageModelV4CallOptions, LanguageModelV4Content } from '@ai-sdk/provider';
import { dialects, parseAllToolCalls } from '@dragoman/core';
import { casesOf, type ParseCase, sample } from '@dragoman/testkit';
import { wrapLanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import { dragoman } from '../src/index.ts';
import { contentOf } from '../src/whole-reply.ts';
import { textModel } from './text-model.ts';

function optionsOf({ context }: ParseCase): LanguageModelV4CallOptions {
  const tools = context.tools.map(({ name, inputSchema }) => {
    return {
      type: 'function' as const,
      name,
      inputSchema: inputSchema === true ? {} : JSON.parse(JSON.stringify(inputSchema)),
    };
  });
  return { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }], tools };
}

/** Text, reasoning and calls, without ids, which are random. */
function joined(content: readonly LanguageModelV4Content[]) {
  const of = (type: 'text' | 'reasoning') =>
    content.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('');
  const calls = content.flatMap((part) => (part.type === 'tool-call' ? [[part.toolName, part.input]] : []));
  return { text: of('text'), reasoning: of('reasoning'), calls };
}

describe.each(sample([...dialects], 3))('%s after the SDK', (_, dialect) => {
  it('says of each of its cases what the library says, streamed and whole', async () => {
    for (const each of casesOf(dialect)) {
      if (each.cut || each.context.tools.length === 0) continue;
      const { policy, limits, opened, tools } = each.context;
      const { text, reasoning, calls } = parseAllToolCalls(each.output, { ...each.context, dialect, tools });
      const expected = { text, reasoning, calls: calls.map(({ name, arguments: json }) => [name, json]) };
      const { maxCalls, answers: marks = 'auto', ...given } = policy ?? {};
      // Calls beyond the most are held back here, as the gateway holds them back.
      if (maxCalls !== undefined) continue;
      const middleware = dragoman({
        dialect,
        // As the library does it, which has no client that could answer.
        policy: { undeclared: 'text', ...given },
        ...(limits && { limits }),
        ...(opened && { opened }),
        finalAnswer: { marks },
      });
      const options = optionsOf(each);
      const model = wrapLanguageModel({ model: textModel([each.output, each.output]), middleware });
      const whole = await model.doGenerate(options);
      expect(joined(whole.content), each.name).toEqual(expected);
      const { stream } = await model.doStream(options);
      const parts = [];
      for await (const part of stream) parts.push(part);
      expect(joined(contentOf(parts)), each.name).toEqual(expected);
    }
  }, 60_000);
});
