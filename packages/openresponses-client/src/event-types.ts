import type { ContentPart, LogProb, OutputItem, ResponseResource, UrlCitation } from './response-types.ts';

// A table: the 24 events of OpenResponses (document of 2026-04-24). A test compares each interface with the document.

/** Every event has its place in the stream; where a server does not number its events, they are counted. */
interface Numbered {
  readonly sequence_number: number;
}

/** Where in the answer a part of an item stands. */
interface InItem extends Numbered {
  readonly item_id: string;
  readonly output_index: number;
}

interface InContent extends InItem {
  readonly content_index: number;
}

interface InSummary extends InItem {
  readonly summary_index: number;
}

/** How the answer as a whole stands. The last three end a stream. */
export interface ResponseStateEvent extends Numbered {
  readonly type:
    | 'response.created'
    | 'response.queued'
    | 'response.in_progress'
    | 'response.completed'
    | 'response.incomplete'
    | 'response.failed';
  readonly response: ResponseResource;
}

export interface OutputItemEvent extends Numbered {
  readonly type: 'response.output_item.added' | 'response.output_item.done';
  readonly output_index: number;
  readonly item: OutputItem | null;
}

export interface ContentPartEvent extends InContent {
  readonly type: 'response.content_part.added' | 'response.content_part.done';
  readonly part: ContentPart;
}

export interface OutputTextDeltaEvent extends InContent {
  readonly type: 'response.output_text.delta';
  readonly delta: string;
  readonly logprobs?: readonly LogProb[];
  readonly obfuscation?: string;
}

export interface OutputTextDoneEvent extends InContent {
  readonly type: 'response.output_text.done';
  readonly text: string;
  readonly logprobs?: readonly LogProb[];
}

export interface AnnotationAddedEvent extends InContent {
  readonly type: 'response.output_text.annotation.added';
  readonly annotation_index: number;
  readonly annotation: UrlCitation | null;
}

export interface RefusalDeltaEvent extends InContent {
  readonly type: 'response.refusal.delta';
  readonly delta: string;
}

export interface RefusalDoneEvent extends InContent {
  readonly type: 'response.refusal.done';
  readonly refusal: string;
}

/** OpenAI's `response.reasoning_text.delta` comes under this name, too. */
export interface ReasoningDeltaEvent extends InContent {
  readonly type: 'response.reasoning.delta';
  readonly delta: string;
  readonly obfuscation?: string;
}

/** OpenAI's `response.reasoning_text.done` comes under this name, too. */
export interface ReasoningDoneEvent extends InContent {
  readonly type: 'response.reasoning.done';
  readonly text: string;
}

export interface ReasoningSummaryPartEvent extends InSummary {
  readonly type: 'response.reasoning_summary_part.added' | 'response.reasoning_summary_part.done';
  readonly part: ContentPart;
}

/** The older `response.reasoning_summary.delta` comes under this name, too. */
export interface ReasoningSummaryDeltaEvent extends InSummary {
  readonly type: 'response.reasoning_summary_text.delta';
  readonly delta: string;
  readonly obfuscation?: string;
}

/** The older `response.reasoning_summary.done` comes under this name, too. */
export interface ReasoningSummaryDoneEvent extends InSummary {
  readonly type: 'response.reasoning_summary_text.done';
  readonly text: string;
}

export interface ArgumentsDeltaEvent extends InItem {
  readonly type: 'response.function_call_arguments.delta';
  readonly delta: string;
  readonly obfuscation?: string;
}

export interface ArgumentsDoneEvent extends InItem {
  readonly type: 'response.function_call_arguments.done';
  readonly arguments: string;
}

export interface ErrorEvent extends Numbered {
  readonly type: 'error';
  readonly error: {
    readonly type: string;
    readonly code: string | null;
    readonly message: string;
    readonly param: string | null;
    readonly headers?: { readonly [name: string]: string };
  };
}

/** One event of a stream. */
export type ResponseEvent =
  | ResponseStateEvent
  | OutputItemEvent
  | ContentPartEvent
  | OutputTextDeltaEvent
  | OutputTextDoneEvent
  | AnnotationAddedEvent
  | RefusalDeltaEvent
  | RefusalDoneEvent
  | ReasoningDeltaEvent
  | ReasoningDoneEvent
  | ReasoningSummaryPartEvent
  | ReasoningSummaryDeltaEvent
  | ReasoningSummaryDoneEvent
  | ArgumentsDeltaEvent
  | ArgumentsDoneEvent
  | ErrorEvent;
