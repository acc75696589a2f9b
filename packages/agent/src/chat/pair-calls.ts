import { type ChatCall, type ChatMessage, type ToolChatMessage, toolMessage } from './message.ts';

/** What stands for the result of a call that was under way when its program ended. */
export const unknownOutcome = 'The chat was closed before this call had a result. Whether it ran is not known.';

/**
 * The same messages with each call paired: results stand behind their calls in their order, and one that names no call
 * there belongs to the first that lacks one. A call without a result gets one that says so; a result without a call goes.
 * Ids that come twice in a chat are told apart. `running`: the last calls may still be under way, and wait for their results.
 */
export function pairCalls(
  messages: readonly ChatMessage[],
  { running = false }: { readonly running?: boolean } = {},
): ChatMessage[] {
  const out: ChatMessage[] = [];
  const used = new Set<string>();
  let at = 0;
  while (at < messages.length) {
    const message = messages[at];
    at += 1;
    if (message === undefined || message.role === 'tool') continue;
    if (message.role !== 'assistant' || message.tool_calls === undefined) {
      out.push(message);
      continue;
    }
    const calls = message.tool_calls;
    const own = new Map<string, ToolChatMessage[]>();
    const strays: ToolChatMessage[] = [];
    for (let next = messages[at]; next?.role === 'tool'; next = messages[at]) {
      const { tool_call_id: callId } = next;
      if (calls.some(({ id }) => id === callId)) own.set(callId, [...(own.get(callId) ?? []), next]);
      else strays.push(next);
      at += 1;
    }
    const fresh = calls.map((call): ChatCall => {
      const id = freshId(call.id, used);
      return id === call.id ? call : { ...call, id };
    });
    const isOpen = running && at === messages.length;
    const paired = calls.flatMap(({ id }, index) => {
      const callId = fresh[index]?.id ?? id;
      const result = own.get(id)?.shift() ?? strays.shift();
      if (result === undefined && isOpen) return [];
      if (result === undefined) return toolMessage(callId, { status: 'cancelled', content: unknownOutcome });
      return result.tool_call_id === callId ? result : { ...result, tool_call_id: callId };
    });
    const { tool_calls: _, ...rest } = message;
    out.push(fresh.length === 0 ? rest : { ...message, tool_calls: fresh }, ...paired);
  }
  return out;
}

/** The id, or one made of it that the chat does not have yet. */
export function freshId(id: string, used: Set<string>): string {
  const wanted = id === '' ? 'call' : id;
  let fresh = wanted;
  for (let number = 2; used.has(fresh); number += 1) fresh = `${wanted}-${number}`;
  used.add(fresh);
  return fresh;
}
