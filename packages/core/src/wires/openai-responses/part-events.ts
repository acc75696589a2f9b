import { jsonOf } from '../../json/exact-json.ts';
import { isObject, type JsonObject } from '../read-values.ts';
import type { ReplyItemKind } from './reply-item.ts';

/** What an event says of its item's text. `whole`: all of a part, not a piece of it. */
export interface PartEvent {
  readonly kind: ReplyItemKind;
  readonly part: string;
  readonly text: unknown;
  readonly whole: boolean;
  readonly refusal?: boolean;
}

/** The one part of a call. */
export const argumentsPart = 'arguments';

/** What an event says of a part of an item; undefined where it is about none. */
export function partOf(event: JsonObject): PartEvent | undefined {
  const at = contentIndexOf(event);
  const summary = `summary${typeof event.summary_index === 'number' ? event.summary_index : 0}`;
  const call = { kind: 'call', part: argumentsPart } as const;
  switch (event.type) {
    case 'response.output_text.delta':
      return { kind: 'text', part: `text${at}`, text: event.delta, whole: false };
    case 'response.refusal.delta':
      return { kind: 'text', part: `text${at}`, text: event.delta, whole: false, refusal: true };
    case 'response.output_text.done':
      return { kind: 'text', part: `text${at}`, text: event.text, whole: true };
    case 'response.refusal.done':
      return { kind: 'text', part: `text${at}`, text: event.refusal, whole: true, refusal: true };
    case 'response.reasoning.delta':
    case 'response.reasoning_text.delta':
      return { kind: 'reasoning', part: `reasoning${at}`, text: event.delta, whole: false };
    case 'response.reasoning.done':
    case 'response.reasoning_text.done':
      return { kind: 'reasoning', part: `reasoning${at}`, text: event.text, whole: true };
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_summary.delta':
      return { kind: 'reasoning', part: summary, text: event.delta, whole: false };
    case 'response.reasoning_summary_text.done':
    case 'response.reasoning_summary.done':
      return { kind: 'reasoning', part: summary, text: event.text, whole: true };
    case 'response.function_call_arguments.delta':
      return { ...call, text: event.delta, whole: false };
    case 'response.function_call_arguments.done':
      return { ...call, text: argumentsText(event.arguments), whole: true };
    // The input of a free tool is JSON only when it is whole: its item holds it.
    case 'response.custom_tool_call_input.delta':
    case 'response.custom_tool_call_input.done':
      return { ...call, text: undefined, whole: false };
    default:
      return undefined;
  }
}

/** Which part of its item an event is about. */
export function contentIndexOf(event: JsonObject): number {
  return typeof event.content_index === 'number' ? event.content_index : 0;
}

/** JSON text; an object is written as JSON text once. */
export function argumentsText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return isObject(value) ? jsonOf(value) : undefined;
}
