import type { ResponseEvent } from './event-types.ts';
import { isObject, textOf } from './read-values.ts';
import type { JsonObject } from './request-types.ts';
import type { OutputItem, ResponseResource, ResponseStatus, ResponseUsage } from './response-types.ts';

/** Other names of events, and the names that OpenResponses gives them. */
const otherNames: ReadonlyMap<unknown, string> = new Map([
  ['response.reasoning_text.delta', 'response.reasoning.delta'],
  ['response.reasoning_text.done', 'response.reasoning.done'],
  ['response.reasoning_summary.delta', 'response.reasoning_summary_text.delta'],
  ['response.reasoning_summary.done', 'response.reasoning_summary_text.done'],
  ['response.cancelled', 'response.failed'],
]);

/** What the events of each name have besides their names and numbers. */
const fieldsOfEvents: ReadonlyMap<string, readonly string[]> = new Map([
  ['response.created', ['response']],
  ['response.queued', ['response']],
  ['response.in_progress', ['response']],
  ['response.completed', ['response']],
  ['response.incomplete', ['response']],
  ['response.failed', ['response']],
  ['response.output_item.added', ['output_index', 'item']],
  ['response.output_item.done', ['output_index', 'item']],
  ['response.content_part.added', ['item_id', 'output_index', 'content_index', 'part']],
  ['response.content_part.done', ['item_id', 'output_index', 'content_index', 'part']],
  ['response.output_text.delta', ['item_id', 'output_index', 'content_index', 'delta']],
  ['response.output_text.done', ['item_id', 'output_index', 'content_index', 'text']],
  [
    'response.output_text.annotation.added',
    ['item_id', 'output_index', 'content_index', 'annotation_index', 'annotation'],
  ],
  ['response.refusal.delta', ['item_id', 'output_index', 'content_index', 'delta']],
  ['response.refusal.done', ['item_id', 'output_index', 'content_index', 'refusal']],
  ['response.reasoning.delta', ['item_id', 'output_index', 'content_index', 'delta']],
  ['response.reasoning.done', ['item_id', 'output_index', 'content_index', 'text']],
  ['response.reasoning_summary_part.added', ['item_id', 'output_index', 'summary_index', 'part']],
  ['response.reasoning_summary_part.done', ['item_id', 'output_index', 'summary_index', 'part']],
  ['response.reasoning_summary_text.delta', ['item_id', 'output_index', 'summary_index', 'delta']],
  ['response.reasoning_summary_text.done', ['item_id', 'output_index', 'summary_index', 'text']],
  ['response.function_call_arguments.delta', ['item_id', 'output_index', 'delta']],
  ['response.function_call_arguments.done', ['item_id', 'output_index', 'arguments']],
  ['error', ['error']],
]);

/** The names of all events of OpenResponses. */
export const eventTypes: readonly string[] = [...fieldsOfEvents.keys()];

/**
 * An event under the name that OpenResponses gives it, with every field that its type promises: what a server leaves out is
 * zero or empty. `type` stands in for the name where the event has none, `sequence` for its number. Undefined for an event
 * that OpenResponses does not know.
 */
export function readEvent(
  value: JsonObject,
  { type, sequence }: { readonly type: string; readonly sequence: number },
): ResponseEvent | undefined {
  const said = textOf(value.type) || type;
  const name = said === 'response.done' ? nameOfEnd(value.response) : (otherNames.get(said) ?? said);
  const fields = fieldsOfEvents.get(name);
  if (fields === undefined) return undefined;
  const own = fields.map((field) => [
    field,
    field === 'response' ? readResponse(value[field], name) : readField(field, value),
  ]);
  const number = typeof value.sequence_number === 'number' ? value.sequence_number : sequence;
  return { ...value, ...Object.fromEntries(own), type: name, sequence_number: number } as ResponseEvent;
}

function nameOfEnd(response: unknown): string {
  const status = isObject(response) ? response.status : '';
  if (status === 'failed' || status === 'cancelled') return 'response.failed';
  return status === 'incomplete' ? 'response.incomplete' : 'response.completed';
}

function readField(field: string, event: JsonObject): unknown {
  const value = event[field];
  switch (field) {
    case 'error':
      return readErrorField(isObject(value) ? value : event);
    case 'item':
    case 'annotation':
      return isObject(value) ? value : null;
    case 'part':
      return isObject(value) ? value : { type: 'text', text: '' };
    case 'output_index':
    case 'content_index':
    case 'summary_index':
    case 'annotation_index':
      return typeof value === 'number' ? value : 0;
    case 'arguments':
      return isObject(value) ? JSON.stringify(value) : textOf(value);
    default:
      return textOf(value);
  }
}

/** Some servers write the error's fields into the event itself. */
function readErrorField({ type, code, message, param, ...others }: JsonObject): JsonObject {
  return {
    ...(isObject(others.headers) ? { headers: others.headers } : {}),
    type: type === 'error' ? '' : textOf(type),
    code: typeof code === 'string' ? code : null,
    message: textOf(message),
    param: typeof param === 'string' ? param : null,
  };
}

/** How an answer is where it does not say so itself. */
const statusOfEvents: ReadonlyMap<string, ResponseStatus> = new Map([
  ['response.created', 'in_progress'],
  ['response.queued', 'queued'],
  ['response.in_progress', 'in_progress'],
  ['response.incomplete', 'incomplete'],
  ['response.failed', 'failed'],
]);

/** A whole answer with every field that its type promises. What came beside them stays. `event`: the one it came in. */
export function readResponse(value: unknown, event = 'response.completed'): ResponseResource {
  const fields = isObject(value) ? value : {};
  const { error, incomplete_details: details } = fields;
  return {
    ...fields,
    id: textOf(fields.id),
    object: 'response',
    status: (textOf(fields.status) || (statusOfEvents.get(event) ?? 'completed')) as ResponseStatus,
    model: textOf(fields.model),
    output: Array.isArray(fields.output) ? fields.output.filter(isItem) : [],
    error: isObject(error) ? { ...error, code: textOf(error.code), message: textOf(error.message) } : null,
    incomplete_details: isObject(details) ? { ...details, reason: textOf(details.reason) } : null,
    usage: readUsage(fields.usage),
  } as ResponseResource;
}

function isItem(value: unknown): value is OutputItem {
  return isObject(value) && typeof value.type === 'string';
}

/** Null where nothing is counted. */
function readUsage(value: unknown): ResponseUsage | null {
  if (!isObject(value)) return null;
  const input = value.input_tokens ?? value.prompt_tokens;
  const output = value.output_tokens ?? value.completion_tokens;
  if (typeof input !== 'number' && typeof output !== 'number') return null;
  const [sent, written] = [countOf(input), countOf(output)];
  return {
    ...value,
    input_tokens: sent,
    output_tokens: written,
    total_tokens: typeof value.total_tokens === 'number' ? value.total_tokens : sent + written,
    input_tokens_details: { cached_tokens: detailOf(value.input_tokens_details, 'cached_tokens') },
    output_tokens_details: { reasoning_tokens: detailOf(value.output_tokens_details, 'reasoning_tokens') },
  };
}

function detailOf(details: unknown, field: string): number {
  return isObject(details) ? countOf(details[field]) : 0;
}

function countOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
