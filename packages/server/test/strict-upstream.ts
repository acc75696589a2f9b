import { errorReply, type NextReply, type ScriptedReply, type SeenRequest } from '@dragoman/testkit';

/** A native call as an upstream sends it: id, name, argument text. */
export type NativeCall = readonly [id: string, name: string, text: string];

/** A stream with native calls, their fragments interleaved as some servers do, or with text. */
export function nativeStream(calls: readonly NativeCall[], text = ''): ScriptedReply {
  const frame = (delta: object, finish: string | null = null) => ({
    text: `data: ${JSON.stringify({ id: 'x', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
  });
  const fragment = (index: number, rest: object) => frame({ tool_calls: [{ index, ...rest }] });
  const half = ({ length }: string) => Math.floor(length / 2);
  return {
    steps: [
      frame({ role: 'assistant', content: text }),
      ...calls.map(([id, name], index) => fragment(index, { id, type: 'function', function: { name, arguments: '' } })),
      ...calls.map(([, , json], index) => fragment(index, { function: { arguments: json.slice(0, half(json)) } })),
      ...calls.map(([, , json], index) => fragment(index, { function: { arguments: json.slice(half(json)) } })),
      frame({}, calls.length > 0 ? 'tool_calls' : 'stop'),
      { text: 'data: [DONE]\n\n' },
    ],
  };
}

/**
 * An upstream that refuses, with 400, a history in which an id stands that it did not warning in that very round, or in
 * which a call has no result beside it. Round by round it answers with `rounds`, then with text.
 */
export function strictUpstream(rounds: readonly (readonly NativeCall[])[], last: string): NextReply {
  return (request) => {
    const problem = problemOf(request, rounds);
    if (problem !== undefined) return errorReply(400, problem);
    const done = messagesOf(request).filter(({ role }) => role === 'assistant').length;
    const round = rounds[done];
    return round === undefined ? nativeStream([], last) : nativeStream(round, `Round ${done}.`);
  };
}

interface SentMessage {
  readonly role?: unknown;
  readonly tool_call_id?: unknown;
  readonly tool_calls?: readonly { readonly id?: unknown }[];
}

function messagesOf({ text }: SeenRequest): readonly SentMessage[] {
  return JSON.parse(text).messages;
}

function problemOf(request: SeenRequest, rounds: readonly (readonly NativeCall[])[]): string | undefined {
  let round = -1;
  let waiting: unknown[] = [];
  for (const message of messagesOf(request)) {
    if (message.role === 'tool') {
      if (!waiting.includes(message.tool_call_id)) return `unknown tool_call_id ${message.tool_call_id}`;
      waiting = waiting.filter((id) => id !== message.tool_call_id);
      continue;
    }
    if (waiting.length > 0) return `no result for ${waiting.join(', ')}`;
    if (message.role !== 'assistant') continue;
    round += 1;
    const issued = rounds[round]?.map(([id]) => id) ?? [];
    const sent = (message.tool_calls ?? []).map(({ id }) => id);
    if (JSON.stringify(sent) !== JSON.stringify(issued)) return `calls ${sent.join()} instead of ${issued.join()}`;
    waiting = sent;
  }
  return waiting.length > 0 ? `no result for ${waiting.join(', ')}` : undefined;
}
