import type { Message, ToolCallPart } from '../chat/message.ts';
import type { PlacedResult } from './pair-results.ts';

/** What a made-up call is called when its result does not name its tool. */
const unknownTool = 'unknown_tool';

/**
 * The history with a made-up call, without arguments, before each result that has none; results that stand side by
 * side share one assistant message. The same array if there are no such results.
 */
export function adoptOrphans(messages: readonly Message[], orphans: readonly PlacedResult[]): readonly Message[] {
  if (orphans.length === 0) return messages;
  const places = new Map(orphans.map(({ at, message }) => [at, message]));
  const adopted: Message[] = [];
  let calls: ToolCallPart[] | undefined;
  for (const [at, message] of messages.entries()) {
    const orphan = places.get(at);
    if (orphan === undefined) {
      calls = undefined;
      adopted.push(message);
      continue;
    }
    if (calls === undefined) {
      calls = [];
      adopted.push({ role: 'assistant', content: calls });
    }
    const callId = orphan.callId === '' ? `call_orphan_${at}` : orphan.callId;
    const name = orphan.name === undefined || orphan.name.trim() === '' ? unknownTool : orphan.name;
    calls.push({ type: 'tool-call', callId, name, arguments: '{}' });
    adopted.push(callId === orphan.callId ? orphan : { ...orphan, callId });
  }
  return adopted;
}
