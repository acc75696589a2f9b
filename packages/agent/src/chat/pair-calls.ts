import { type ChatCall, type ChatMessage, type ToolChatMessage, toolMessage } from './message.ts';

/** What stands for the result of a call that was under way when its program ended. */
const unknownOutcome = 'The chat was closed before this call had a result. Whether it ran is not known.';

/**
 * The same messages with each call paired: results come after their calls in their order, also where something had come in
 * between, and one that names no call belongs to the first before it that lacks one. A call without a result gets one
 * that says so; a result without a call goes. Ids that come twice in a chat are told apart. `running`: the last calls may
 * still be under way, and wait for their results.
 */
export function pairCalls(
  messages: readonly ChatMessage[],
  { running = false }: { readonly running?: boolean } = {},
): ChatMessage[] {
  const rounds = readRounds(messages);
  const used = new Set<string>();
  return messages.flatMap((message, at): readonly ChatMessage[] => {
    if (message.role === 'tool') return [];
    if (message.role !== 'assistant' || message.tool_calls === undefined) return [message];
    const { results = [], end = at } = rounds.get(at) ?? {};
    const isOpen = running && end === messages.length - 1;
    const paired: ToolChatMessage[] = [];
    const calls = message.tool_calls.map((call): ChatCall => {
      const id = freshId(call.id, used);
      const own = results.filter(({ tool_call_id: callId }) => callId === call.id);
      // What was made up for a window that did not know better gives way to the result itself.
      const taken =
        own.find(({ content }) => content !== unknownOutcome) ?? own[0] ?? strayOf(results, message.tool_calls);
      if (taken !== undefined) {
        results.splice(results.indexOf(taken), 1);
        paired.push(taken.tool_call_id === id ? taken : { ...taken, tool_call_id: id });
      } else if (!isOpen) paired.push(toolMessage(id, { status: 'cancelled', content: unknownOutcome }));
      return id === call.id ? call : { ...call, id };
    });
    const { tool_calls: _, ...rest } = message;
    return [calls.length === 0 ? rest : { ...message, tool_calls: calls }, ...paired];
  });
}

/** The results of a message with calls, and where the last one of them stands. */
interface Round {
  readonly results: ToolChatMessage[];
  end: number;
}

/** By the place of their message. A result belongs to the last message before it that has its call, or has calls at all. */
function readRounds(messages: readonly ChatMessage[]): ReadonlyMap<number, Round> {
  const rounds = new Map<number, Round>();
  const byCall = new Map<string, Round>();
  let last: Round | undefined;
  for (const [at, message] of messages.entries()) {
    if (message.role === 'assistant' && message.tool_calls !== undefined) {
      last = { results: [], end: at };
      rounds.set(at, last);
      for (const { id } of message.tool_calls) byCall.set(id, last);
    } else if (message.role === 'tool') {
      const round = byCall.get(message.tool_call_id) ?? last;
      round?.results.push(message);
      if (round !== undefined) round.end = at;
    }
  }
  return rounds;
}

/** A result that names none of the calls. */
function strayOf(results: readonly ToolChatMessage[], calls: readonly ChatCall[] = []): ToolChatMessage | undefined {
  return results.find(({ tool_call_id: callId }) => calls.every(({ id }) => id !== callId));
}

/** The id, or one made of it that the chat does not have yet. */
export function freshId(id: string, used: Set<string>): string {
  const wanted = id === '' ? 'call' : id;
  let fresh = wanted;
  for (let number = 2; used.has(fresh); number += 1) fresh = `${wanted}-${number}`;
  used.add(fresh);
  return fresh;
}
