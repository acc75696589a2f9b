import type { Message } from '../chat/message.ts';
import type { ChatRequest } from '../chat/request.ts';
import { pause } from '../pause.ts';
import type { EngineSetup } from '../plan/setup.ts';
import { sampleTexts } from './sample-texts.ts';

/** UTF-16 units of tools that are written as JSON in one turn: some 0.2 ms. */
const unitsInTurn = 64_000;

/**
 * Counts everything of a request that a model reads: the tools as JSON, then messages in order, so that the next request of a
 * conversation begins alike and whoever counts finds most of it counted. Images do not count. Of more than 256,000 UTF-16 units
 * an even sample is counted.
 */
export async function countPrompt(request: ChatRequest, countTokens: EngineSetup['countTokens']): Promise<number> {
  const texts: string[] = [];
  let units = 0;
  for (const tool of request.tools) {
    if (units > unitsInTurn) {
      await pause(0);
      units = 0;
    }
    const text = JSON.stringify(tool);
    units += text.length;
    texts.push(text);
  }
  const tools = texts.length === 0 ? [] : [`[${texts.join(',')}]`];
  return countTexts([...tools, ...textsOf(request.messages)], countTokens);
}

/** Counts texts, by default each on a line of its own; of very long ones an even sample. Keeps none of them while it waits. */
export function countTexts(
  texts: readonly string[],
  countTokens: EngineSetup['countTokens'],
  between?: string,
): Promise<number> {
  const { text, times } = sampleTexts(texts, between);
  return countTokens(text).then((count) => Math.ceil(count * times));
}

/** The texts of messages that a model reads. */
export function textsOf(messages: readonly Message[]): readonly string[] {
  const parts: string[] = [];
  for (const message of messages) {
    for (const part of message.content) {
      if (part.type === 'text' || part.type === 'reasoning') parts.push(part.text);
      else if (part.type === 'tool-call') parts.push(part.name, part.arguments);
    }
  }
  return parts;
}
