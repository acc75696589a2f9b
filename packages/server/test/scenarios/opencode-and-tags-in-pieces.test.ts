import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { dialects, type ToolDefinition } from '@dragoman/core';
import { chatFrames, cutText, type SeenRequest, sample } from '@dragoman/testkit';
import { jsonSchema, stepCountIs, streamText, type ToolSet, tool } from 'ai';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { Arguments } from '../coding-tool.ts';
import { codingTools } from '../coding-tools.ts';
import { RecordedFetch } from '../recorded-fetch.ts';
import { makeScratchFolder, type ScratchFolder } from '../scratch-folder.ts';
import { textGatewayForTest } from '../start-text-gateway.ts';

let folder: ScratchFolder;

beforeEach(async () => {
  folder = await makeScratchFolder({ 'src/größe.ts': 'export const größe = 1 < 2 && "ja";\n' });
  onTestFinished(() => folder.remove());
});

const file = 'src/größe.ts';
const before = 'größe = 1 < 2 && "ja"';
const after = "größe = 3 > 2 || '🧭</edit>'";

/** The model's steps: it reads, edits what it has read, and reads once more. */
const steps = [
  ['read', { filePath: file }],
  ['edit', { filePath: file, oldString: before, newString: after }],
  ['read', { filePath: file }],
] as const;

it.each(sample([1, 2, 3, 4, 5], 1))(
  'A-212 B-120 OpenCode by the AI SDK with eleven tools: three steps of tags named for their tools, split at random bytes (seed %d)',
  async (seed) => {
    const declared: readonly ToolDefinition[] = codingTools(folder).map(({ name, description, parameters }) => ({
      name,
      description,
      inputSchema: parameters,
    }));
    expect(declared).toHaveLength(11);
    const written = steps.map(([name, values], ordinal) => {
      const call = { callId: '', name, arguments: JSON.stringify(values), ordinal };
      return `Step ${ordinal + 1}. ${dialects.get('cline-xml')?.renderCalls([call], declared)}`;
    });
    const answer = ({ body }: SeenRequest) => {
      const { messages } = Object(body);
      const at = messages.filter(({ role }: { role: string }) => role === 'assistant').length;
      const text = written[at] ?? `Done: ${JSON.stringify(messages.at(-1)).includes('🧭')}`;
      const frames = chatFrames(text, { pieces: cutText(text, { seed: seed * 10 + at, max: 9 }) });
      const length = Buffer.byteLength(frames.join(''));
      // Between any two bytes, also of one character.
      const cutAt = Array.from({ length: 60 }, (_, cut) => (cut * 7919 * seed + at * 31) % length);
      return { steps: frames.map((frame) => ({ text: frame })), cutAt: cutAt.sort((one, other) => one - other) };
    };
    const gateway = await textGatewayForTest({ scripted: { fallback: answer } });

    const ran: unknown[] = [];
    const tools: ToolSet = Object.fromEntries(
      codingTools(folder).map(({ name, description, parameters, run }) => [
        name,
        tool({
          description,
          inputSchema: jsonSchema<Arguments>({ ...parameters }),
          execute: (values) => {
            ran.push([name, values]);
            return run(values);
          },
        }),
      ]),
    );
    const recorded = new RecordedFetch();
    const openCode = createOpenAICompatible({ name: 'd', baseURL: gateway.baseURL, fetch: recorded.fetch });
    const result = streamText({
      model: openCode('up/cline-xml'),
      prompt: 'Set the size.',
      tools,
      stopWhen: stepCountIs(5),
      maxRetries: 0,
    });
    const seen = await result.steps;
    expect(seen.map(({ text, finishReason }) => [text.trim(), finishReason])).toEqual([
      ['Step 1.', 'tool-calls'],
      ['Step 2.', 'tool-calls'],
      ['Step 3.', 'tool-calls'],
      ['Done: true', 'stop'],
    ]);
    expect(ran).toEqual(steps);
    expect(await folder.read(file)).toContain(after);
    await recorded.checkedTurns();
  },
);
