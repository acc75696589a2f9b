// The AI SDK with a model that writes its calls as text. docs/ai-sdk.md tells the rest.
//
//   node examples/03-ai-sdk.mjs http://127.0.0.1:8080/v1 qwen2.5-7b-instruct
//
// The server may be anything that is compatible with OpenAI's Chat Completions, such as llama.cpp or vLLM.

import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { dragoman } from '@dragoman/ai-sdk';
import { isStepCount, streamText, tool, wrapLanguageModel } from 'ai';
import { z } from 'zod';

const [baseURL = 'http://127.0.0.1:8080/v1', name = 'qwen2.5-7b-instruct'] = process.argv.slice(2);
const server = createOpenAICompatible({ name: 'server', baseURL });

const result = streamText({
  model: wrapLanguageModel({ model: server(name), middleware: dragoman() }),
  tools: {
    time: tool({
      description: 'Tells the time in a time zone.',
      inputSchema: z.object({ zone: z.string().describe('such as Europe/Oslo') }),
      execute: async ({ zone }) => new Date().toLocaleTimeString('en-GB', { timeZone: zone }),
    }),
  },
  stopWhen: isStepCount(5),
  prompt: 'What time is it in Oslo and in Tokyo?',
});

for await (const part of result.fullStream) {
  if (part.type === 'text-delta') process.stdout.write(part.text);
  if (part.type === 'tool-call') console.log(`→ ${part.toolName} ${JSON.stringify(part.input)}`);
  if (part.type === 'tool-result') console.log(`← ${part.output}`);
  if (part.type === 'error') process.exitCode = 1;
}
console.log();
