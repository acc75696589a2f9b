import type { CallItem, InputItem, ResultItem } from './written-request.ts';

/** The longest id of a call that OpenResponses takes. */
const longestId = 64;

/**
 * Puts calls and results together, as servers want them: calls that were made together, then their results in the same
 * order, each with an id of its own. A call without a result gets one that says so; a result without a call becomes what
 * the user says, because it may hold what the conversation is about. An id that comes again in a later round, as some
 * servers count them from the start, is told apart.
 */
export function pairCalls(items: readonly InputItem[], note: (text: string) => void): readonly InputItem[] {
  const results = resultsByCall(items);
  const paired = new Set(results.values());
  const ids = new WireIds();
  const written: InputItem[] = [];
  let open: CallItem[] = [];
  const answerOpen = () => {
    for (const call of open) {
      const id = ids.of(call);
      const result = results.get(call);
      if (result === undefined) note(`the call ${call.call_id} of ${call.name} has no result: one was made up`);
      written.push({ type: 'function_call_output', call_id: id, output: result?.output ?? lostResult });
    }
    open = [];
  };
  for (const item of items) {
    if (item.type === 'function_call') {
      open.push(item);
      written.push({ ...item, call_id: ids.of(item) });
    } else if (item.type === 'function_call_output') {
      if (paired.has(item)) continue;
      note(`the result ${item.call_id} has no call: it is sent as text`);
      answerOpen();
      written.push({ type: 'message', role: 'user', content: orphanContent(item) });
    } else {
      answerOpen();
      written.push(item);
    }
  }
  answerOpen();
  return written;
}

const lostResult = 'The result of this call is not known.';

function orphanContent({ output }: ResultItem) {
  const head = { type: 'input_text' as const, text: 'The result of an earlier tool call, which is not shown here:' };
  return [head, ...(typeof output === 'string' ? [{ type: 'input_text' as const, text: output }] : output)];
}

/** Each result belongs to the last call with its id before it; where it comes before its call, to that. */
function resultsByCall(items: readonly InputItem[]): ReadonlyMap<CallItem, ResultItem> {
  const results = new Map<CallItem, ResultItem>();
  const unanswered = new Map<string, CallItem[]>();
  const early = new Map<string, ResultItem[]>();
  for (const item of items) {
    if (item.type === 'function_call') {
      const waiting = early.get(item.call_id)?.shift();
      if (waiting === undefined) unanswered.set(item.call_id, [...(unanswered.get(item.call_id) ?? []), item]);
      else results.set(item, waiting);
    } else if (item.type === 'function_call_output') {
      const call = unanswered.get(item.call_id)?.pop();
      if (call === undefined) early.set(item.call_id, [...(early.get(item.call_id) ?? []), item]);
      else results.set(call, item);
    }
  }
  return results;
}

/** Ids that are unique and short enough; one that is both stays as it is. */
class WireIds {
  readonly #taken = new Set<string>();
  readonly #known = new Map<CallItem, string>();

  of(call: CallItem): string {
    const known = this.#known.get(call);
    if (known !== undefined) return known;
    let id = call.call_id.slice(0, longestId) || 'call';
    for (let count = 2; this.#taken.has(id); count += 1) {
      const ending = `_${count}`;
      id = call.call_id.slice(0, longestId - ending.length) + ending;
    }
    this.#taken.add(id);
    this.#known.set(call, id);
    return id;
  }
}
