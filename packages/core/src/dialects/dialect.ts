import type { ToolCall, ToolChoice, ToolDefinition, ToolResult } from '../chat/tool.ts';
import type { Warning } from '../chat/warning.ts';
import type { StageFactory } from '../stream/stage.ts';
import type { ParsePolicy } from './parse-policy.ts';
import type { GrammarForm } from './parser/grammar.ts';

export type { ParsePolicy } from './parse-policy.ts';

/**
 * What a parser found, in order. Text and reasoning are exact; `arguments` is JSON text, even where the model wrote XML,
 * and the slices between `call` and `call-end` add up to one JSON object. A call that broke off ends with `call-cut`,
 * whose `text` is everything the model wrote for it, so that nothing is lost.
 */
export type Span =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  /** `of`: the dialect in whose form the call is written, where that is not the one that is read first of all. */
  | { readonly kind: 'call'; readonly name: string; readonly nativeId?: string; readonly of?: string }
  | { readonly kind: 'arguments'; readonly text: string }
  /** `nativeId`: the id that the model wrote behind the arguments. */
  | { readonly kind: 'call-end'; readonly nativeId?: string }
  | { readonly kind: 'call-cut'; readonly text: string }
  | { readonly kind: 'warning'; readonly warning: Warning };

/** What bounds a parser's buffers. */
export interface ParseLimits {
  /** The longest call, in UTF-16 units of what the model wrote. Beyond it the call is cut. */
  readonly callLength: number;
}

/** Sees where in a reply stands what a parser finds in it, for whoever explains it. */
export interface ParseWatch {
  /**
   * The spans since the last range were written in [from, to) of the reply, in UTF-16 units. What is between two
   * ranges was markup, or was left out.
   */
  range(from: number, to: number): void;
  /** In the middle of a range: what is to be one has left as text up to here, and goes on. */
  left?(to: number): void;
  /** Something is wrong with the call that is being read, reported at once: spans report it at the call's end. */
  noticed(warning: Warning): void;
}

/** What a parser knows of the request whose reply it reads. */
export interface ParseContext {
  /** Only these can be called. Empty: call syntax stays text; reasoning is still split off. */
  readonly tools: readonly ToolDefinition[];
  /** The channel that the prompt has already opened for the model. */
  readonly opened?: 'reasoning';
  readonly policy?: Partial<ParsePolicy>;
  readonly limits?: Partial<ParseLimits>;
  /** Called when the model marks what it says as its final answer, before that answer's text. */
  readonly answered?: () => void;
  /** Called when nothing of what the model goes on to write will be delivered: its work can stop. */
  readonly over?: () => void;
  /** Called at the end of a reply that ended well in the middle of reasoning, which was never closed. */
  readonly unclosed?: () => void;
  /** Whether this literal, after which a call stands, may open it; else it is text. Default: it may. */
  readonly mayOpen?: (literal: string) => boolean;
  /** Default: nobody watches, and nothing is done for it. */
  readonly watch?: ParseWatch;
}

/** A call of the history with the id that the model itself gave it, where it gave one. */
export interface PastCall extends ToolCall {
  readonly nativeId?: string;
  /** Position among all calls of the conversation, from zero. */
  readonly ordinal: number;
}

/** A result of the history with its call. */
export interface PastResult extends ToolResult {
  readonly call: PastCall;
}

/** What a request asks of the model's calls, for the text that teaches them. */
export interface ToolPrompt {
  readonly choice: ToolChoice;
  /** False: the instruction asks for one call at a time. */
  readonly parallel: boolean;
}

/** The half of a dialect that reads what a model writes. */
export interface DialectParser {
  readonly id: string;
  createParser(context: ParseContext): StageFactory<string, Span>;
  /**
   * What its parser reads by, so that calls of several dialects can be read at once; the same form for the same context.
   * Absent: the parser is of another kind, and the dialect is read alone.
   */
  grammar?(context: ParseContext): GrammarForm;
  /** Makes what a parser for this context takes step by step, where it is much: nobody has to wait for all of it in one turn. */
  makeAhead?(context: ParseContext): Iterable<void>;
}

/**
 * How a model writes tool calls and reasoning in text: the prompt half that teaches and replays it, and the parser.
 * Authors deal in text and spans; the engine numbers blocks, mints ids and enforces limits.
 */
export interface Dialect extends DialectParser {
  /** One line for `dragoman dialects`. */
  readonly summary: string;
  /** What could start a call or forge a frame, for tools of these names. It is escaped in foreign text. */
  markers(tools: readonly ToolDefinition[]): readonly string[];
  /** The system text that teaches the tools and the form of a call. */
  renderTools(tools: readonly ToolDefinition[], prompt: ToolPrompt): string;
  /** One round of calls, as the model wrote it after its text. */
  renderCalls(calls: readonly PastCall[], tools: readonly ToolDefinition[]): string;
  /** The results of one round, as the next user turn, in the order of their calls. */
  renderResults(results: readonly PastResult[]): string;
}
