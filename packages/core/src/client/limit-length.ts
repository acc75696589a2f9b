import type { ChatEvent } from '../chat/event.ts';
import type { StageFactory } from '../stream/stage.ts';

/**
 * Ends what a model writes after about so many tokens, reasoning included, for upstreams that cannot be told of a limit: the reply ends
 * with `length` there, as if the upstream had stopped. Nothing is held back. Stands in front of whoever reads calls out of text, so
 * that a call which is cut is known to be.
 *
 * Tokens are estimated: to count them takes a table of two megabytes and a wait, and the upstream's model has other ones anyway.
 */
export function createLengthLimit(tokens: number): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => {
    let left = tokens * perToken;
    let isFull = false;

    /** How much of a text still fits. */
    const take = (text: string): number => {
      for (let at = 0; at < text.length; at += 1) {
        left -= weightOf(text.charCodeAt(at));
        if (left < 0) return at;
      }
      return text.length;
    };

    const push = (event: ChatEvent): void => {
      if (isFull) {
        if (event.type === 'message-end') sink({ ...event, finishReason: 'length' });
        else if (!('block' in event)) sink(event);
        return;
      }
      if (event.type !== 'text-delta' && event.type !== 'reasoning-delta') {
        sink(event);
        return;
      }
      const fitting = take(event.text);
      if (fitting === event.text.length) {
        sink(event);
        return;
      }
      isFull = true;
      if (fitting > 0) sink({ ...event, text: event.text.slice(0, fitting) });
      sink({ type: event.type === 'text-delta' ? 'text-end' : 'reasoning-end', block: event.block });
    };
    return { push, end: () => {} };
  };
}

const perToken = 10;

/**
 * Tenths of a token, within a third of what o200k_base counts in prose of fifteen languages, code, JSON, numbers and base64. Letters of
 * words weigh least; capitals, digits and punctuation are seldom a part of long tokens, and neither is what comes after U+2E80.
 */
function weightOf(unit: number): number {
  if (unit <= 0x20 || (unit >= 0x61 && unit <= 0x7a)) return 2;
  if (unit < 0x80) return 5;
  if (unit < 0x2e80) return 3;
  // The first half of a character weighs for both, so that none is halved.
  return unit >= 0xdc00 && unit <= 0xdfff ? 0 : 7;
}
