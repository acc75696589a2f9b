import { dialects } from '@dragoman/core';
import { completionStream, errorReply, type NextReply } from '@dragoman/testkit';
import { expect } from 'vitest';
import { demoReply } from '../src/transports/scripted/demo-model/demo-model.ts';
import type { PromptMessage } from '../src/transports/scripted/demo-model/read-prompt.ts';

/** How a model that was trained with a template finds the turns of its prompt: role and text, or a user's, an assistant's. */
const turns = {
  plain: /### (System|User|Assistant):\n([\s\S]*?)\n\n(?=### )/g,
  chatml: /<\|im_start\|>(\w+)\n([\s\S]*?)<\|im_end\|>\n/g,
  llama3: /<\|start_header_id\|>(\w+)<\|end_header_id\|>\n\n([\s\S]*?)<\|eot_id\|>/g,
  mistral: /\[(INST)\] ([\s\S]*?)\[\/INST\]|(?<=\]) ([\s\S]*?)<\/s>/g,
} as const;

export type PromptTemplate = keyof typeof turns;

export const promptTemplates = Object.keys(turns) as PromptTemplate[];

/** The prompt as the model sees it: what its template marks as turns, and nothing else. */
export function readTurns(prompt: string, template: PromptTemplate): PromptMessage[] {
  return [...prompt.matchAll(turns[template])].map(([, role = 'assistant', text, own]) => ({
    role: role === 'INST' ? 'user' : role.toLowerCase(),
    text: text ?? own ?? '',
  }));
}

/**
 * A server that only completes text, with the demo model in it: it reads the turns of its template, replies in hermes and
 * then goes on as the user, unless a stop of the request keeps it from that.
 */
export function completeText(template: PromptTemplate): NextReply {
  return ({ path, body }) => {
    if (path !== '/v1/completions' || typeof body !== 'object' || body === null) return errorReply(404, path);
    const { prompt, stop, max_tokens: limit } = body as { prompt: string; stop: string[]; max_tokens: number };
    expect(limit).toBeGreaterThan(16);
    const hermes = dialects.get('hermes') ?? expect.fail('hermes is not there');
    const reply = demoReply(readTurns(prompt, template), hermes);
    const babble = { plain: '\n\n### User:\n', chatml: '<|im_end|>', llama3: '<|eot_id|>', mistral: '</s>' }[template];
    const written = `${reply}${babble}And one more thing.`;
    const ends = stop.map((text) => written.indexOf(text)).filter((at) => at >= 0);
    return completionStream(written.slice(0, Math.min(written.length, ...ends)), {
      usage: { prompt: prompt.length, completion: reply.length },
    });
  };
}
