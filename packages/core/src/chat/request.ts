import type { Extra, Message } from './message.ts';
import type { JsonSchema, ToolChoice, ToolDefinition } from './tool.ts';
import type { Warning } from './warning.ts';

/** How the model samples. An absent field was not sent and is not sent on. */
export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
  /** The most tokens the answer may have. */
  readonly maxTokens?: number;
  readonly stop?: readonly string[];
  readonly seed?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
}

/**
 * What the text of the answer has to be: one JSON value of any shape, or one that fits a schema. Calls are not bound by
 * it. `name`, `description` and `strict` are told where a wire has words for them.
 */
export type OutputFormat =
  | { readonly type: 'json' }
  | {
      readonly type: 'json-schema';
      readonly schema: JsonSchema;
      readonly name?: string;
      readonly description?: string;
      readonly strict?: boolean;
      /** It is of calls, or answers beside them, and the gateway's own: a call repeats words that were said before. */
      readonly ofCalls?: true;
    };

/** The canonical request: what every wire means in the same way. What only one wire knows rides in `extra`. */
export interface ChatRequest {
  /** The model as the client named it; a reply echoes it. */
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** The client has more tools than `tools`, and the model is not to call them. */
  readonly toolsWithheld?: boolean;
  readonly toolChoice: ToolChoice;
  /** False: at most one call in a reply. */
  readonly parallelToolCalls: boolean;
  readonly stream: boolean;
  /** Whether the client asked for usage in the stream. */
  readonly includeUsage: boolean;
  readonly sampling: Sampling;
  /** Absent: text of any kind. */
  readonly outputFormat?: OutputFormat;
  /** What the reply has to match, as a grammar in llama.cpp's notation. Made while a request is prepared; no client sends one. */
  readonly grammar?: string;
  /**
   * How much the model is to think: a word of `effortLevels`, or one that only some servers know, which goes as it is.
   */
  readonly reasoningEffort?: string;
  /** The most tokens that it is to think with. Wires without such a field tell the effort that comes near it. */
  readonly reasoningBudget?: number;
  /** The client wants no reasoning in the reply; signatures that it has to send back still come. */
  readonly hidesReasoning?: boolean;
  /** Which conversation the client says this is, in whatever words; for upstreams that keep conversations. */
  readonly conversation?: string;
  readonly extra: Extra;
  /** What was tolerated while reading: dropped tools, ignored fields. Logged once, never sent on. */
  readonly warnings: readonly Warning[];
}

/** Whether a reply without a call is no answer to the request. */
export function requiresCall({ tools, toolChoice }: Pick<ChatRequest, 'tools' | 'toolChoice'>): boolean {
  return tools.length > 0 && toolChoice !== 'auto' && toolChoice !== 'none';
}
