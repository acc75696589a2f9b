import type { Message } from '../chat/message.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { EngineSetup } from '../plan/setup.ts';

/** UTF-16 units of a prompt that are counted, at most: of a longer one an even sample, as to copy it keeps all others waiting. */
const mostCounted = 256_000;

/** UTF-16 units of a sample that lie side by side, so that few words are cut. */
const window = 1000;

/**
 * Counts everything of a request that a model reads: the tools as JSON, then messages in order, so that the next request of a
 * conversation begins alike and whoever counts finds most of it counted. Pictures do not count. Of more than 256,000 UTF-16 units
 * an even sample is counted.
 */
export async function countPrompt(request: ChatRequest, countTokens: EngineSetup['countTokens']): Promise<number> {
  const tools = request.tools.length > 0 ? [JSON.stringify(request.tools)] : [];
  const texts = [...tools, ...textsOf(request.messages)];
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length <= mostCounted) return countTokens(texts.join('\n'));
  const sample = sampleOf(texts, Math.ceil(length / mostCounted) * window);
  return Math.ceil(((await countTokens(sample)) * length) / sample.length);
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

/** Of each `stride` of the texts together, the first window. */
function sampleOf(texts: readonly string[], stride: number): string {
  const pieces: string[] = [];
  /** Where the text begins in its stride. */
  let before = 0;
  for (const text of texts) {
    for (let start = -before; start < text.length; start += stride) {
      if (start + window > 0) pieces.push(text.slice(Math.max(0, start), start + window));
    }
    before = (before + text.length) % stride;
  }
  return pieces.join('');
}
