import type { Message } from '../chat/message.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { EngineSetup } from '../plan/setup.ts';
import { sampleTexts } from './sample-texts.ts';

/**
 * Counts everything of a request that a model reads: the tools as JSON, then messages in order, so that the next request of a
 * conversation begins alike and whoever counts finds most of it counted. Pictures do not count. Of more than 256,000 UTF-16 units
 * an even sample is counted.
 */
export async function countPrompt(request: ChatRequest, countTokens: EngineSetup['countTokens']): Promise<number> {
  const tools = request.tools.length > 0 ? [JSON.stringify(request.tools)] : [];
  const { text, times } = sampleTexts([...tools, ...textsOf(request.messages)]);
  return Math.ceil((await countTokens(text)) * times);
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
