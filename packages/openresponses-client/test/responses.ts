import type { ScriptedReply, Step } from '@dragoman/testkit';
import type { ReplyPart } from '../src/index.ts';

// What servers of OpenResponses send, written without our own writer.

/** One event. Names get `response.` in front, unless they are `error`. */
export interface ServerEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

export const event = (name: string, fields: object = {}): ServerEvent => ({
  type: name === 'error' ? name : `response.${name}`,
  ...fields,
});

export const usage = {
  input_tokens: 21,
  output_tokens: 5,
  total_tokens: 26,
  input_tokens_details: { cached_tokens: 4 },
  output_tokens_details: { reasoning_tokens: 2 },
};

const response = (status: string, more: object = {}) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'real',
  status,
  output: [],
  error: null,
  incomplete_details: null,
  usage: null,
  ...more,
});

export const created = event('created', { response: response('in_progress') });
export const completed = (output: readonly object[] = [], more: object = {}) =>
  event('completed', { response: response('completed', { output, usage, ...more }) });
export const incomplete = (reason: string, output: readonly object[] = []) =>
  event('incomplete', { response: response('incomplete', { output, usage, incomplete_details: { reason } }) });
export const failed = (error: object) => event('failed', { response: response('failed', { error }) });

export const message = (text: string, more: object = {}) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
  ...more,
});
export const call = (id: number, json: string, more: object = {}) => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: `call_${id}`,
  name: 'read',
  arguments: json,
  status: 'completed',
  ...more,
});

export const added = (index: number, item: object) => event('output_item.added', { output_index: index, item });
export const done = (index: number, item: object) => event('output_item.done', { output_index: index, item });
const within = (index: number, item: string) => ({ item_id: item, output_index: index, content_index: 0 });
export const delta = (text: string, index = 0) =>
  event('output_text.delta', { ...within(index, `msg_${index + 1}`), delta: text });
export const textDone = (text: string, index = 0) =>
  event('output_text.done', { ...within(index, `msg_${index + 1}`), text });
export const args = (index: number, json: string) =>
  event('function_call_arguments.delta', { item_id: `fc_${index + 1}`, output_index: index, delta: json });
export const argsDone = (index: number, json: string) =>
  event('function_call_arguments.done', { item_id: `fc_${index + 1}`, output_index: index, arguments: json });

/** Events as frames, numbered where they have no number. */
export function frames(events: readonly ServerEvent[]): string[] {
  return events.map((each, at) => {
    const body = { ...each, sequence_number: each.sequence_number ?? at };
    return `event: ${each.type}\ndata: ${JSON.stringify(body)}\n\n`;
  });
}

/** A stream of these events, and `[DONE]`. Strings are sent as they are. */
export function sse(...events: readonly (ServerEvent | string)[]): ScriptedReply {
  let number = -1;
  const texts = events.map((each) => {
    if (typeof each === 'string') return each;
    number += 1;
    return frames([{ sequence_number: number, ...each }]).join('');
  });
  return { steps: [...texts, 'data: [DONE]\n\n'].map((text): Step => ({ text })) };
}

/** Parts with the pieces of a kind that follow each other joined, and without what ends an answer. */
export function joined(parts: readonly ReplyPart[]): readonly ReplyPart[] {
  const all: ReplyPart[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (part.type === 'usage' || part.type === 'end') continue;
    if (isPiece(part) && last !== undefined && isPiece(last) && last.type === part.type) {
      all[all.length - 1] = { ...last, text: last.text + part.text };
    } else all.push(part);
  }
  return all;
}

function isPiece(part: ReplyPart): part is Extract<ReplyPart, { readonly text: string }> {
  return part.type === 'text' || part.type === 'refusal' || part.type === 'reasoning';
}
