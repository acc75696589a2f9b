import { collect } from '../../chat/collect.ts';
import type { ChatEvent } from '../../chat/event.ts';
import type { ReplyContext } from '../wire.ts';
import { LineWriter, writeCall } from './line-writer.ts';
import type { Surface } from './types.ts';

/** A whole answer out of its events, as JSON text: one last line that also says everything before it. */
export function writeMessage(events: readonly ChatEvent[], context: ReplyContext, surface: Surface): string {
  const { text, reasoning, calls, usage, finishReason } = collect(events);
  const line = new LineWriter(context, surface).last(
    { text, reasoning, calls: calls.map(writeCall) },
    { reason: finishReason ?? 'length', usage, firstAt: undefined },
  );
  return line.slice(0, -1);
}
