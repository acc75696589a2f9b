import type { FinishReason } from '../../chat/event.ts';
import { readFinishReason } from '../finish-reasons.ts';
import type { WireStopReason } from './types.ts';

/** Words that say more than the canonical reason; they are used again where they came from this wire. */
const finerWords: readonly WireStopReason[] = ['stop_sequence', 'pause_turn', 'model_context_window_exceeded'];

/**
 * The wire's word for how a reply ended. `tool_use` without a whole call becomes `end_turn`; with one it stays, whatever
 * finer word the upstream had.
 */
export function writeStopReason(
  ended: { readonly finishReason: FinishReason; readonly rawFinishReason?: string; readonly stopSequence?: string },
  wholeCalls: number,
): WireStopReason {
  if (ended.stopSequence !== undefined && ended.finishReason === 'stop' && wholeCalls === 0) return 'stop_sequence';
  const finer = finerWords.find((word) => word === ended.rawFinishReason);
  if (finer !== undefined && readFinishReason(finer, wholeCalls) === ended.finishReason && wholeCalls === 0)
    return finer;
  switch (ended.finishReason) {
    case 'stop':
      return 'end_turn';
    case 'tool-calls':
      return wholeCalls > 0 ? 'tool_use' : 'end_turn';
    case 'length':
      return 'max_tokens';
    case 'content-filter':
      return 'refusal';
  }
}

/** The sequence that ended the reply: the one that the upstream named, or the only one that there was. */
export function stopSequenceOf(
  reason: WireStopReason,
  known: { readonly told: string | undefined; readonly asked: readonly string[] | undefined },
): string | null {
  if (reason !== 'stop_sequence') return null;
  return known.told ?? (known.asked?.length === 1 ? (known.asked[0] ?? null) : null);
}
