import type { Extra } from './message.ts';

/** A JSON Schema as the client sent it: an object, or `true`/`false`. Read through `json/schema.ts`, never directly. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/** A tool that the client declared. Only declared tools can be called. */
export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  /** The schema of the arguments. Always an object schema: a missing one has become `{ type: 'object', properties: {} }`. */
  readonly inputSchema: JsonSchema;
  /** Its arguments have to fit the schema: whoever writes them is held to it where that can be said. Absent: not said. */
  readonly strict?: true;
  /** What only one wire knows of it, such as a cache marker. */
  readonly extra?: Extra;
}

/** `auto`: the model decides; `none`: no calls; `required`: at least one; a name: exactly that tool. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

/** One call as it is in a history or a whole answer. */
export interface ToolCall {
  /** The id that the client sees: unique over the conversation. */
  readonly callId: string;
  readonly name: string;
  /** JSON text of an object, exactly as written. */
  readonly arguments: string;
}

/** What is known of a call's outcome. `missing`: the client sent no result for it. */
export type ResultStatus = 'ok' | 'error' | 'missing';

/** A call with its result, matched by id, ready to be rendered for a model. */
export interface ToolResult {
  readonly call: ToolCall;
  readonly status: ResultStatus;
  /** The output as text, already escaped, capped and never empty. */
  readonly text: string;
}

/** Of two with one name the first one counts. */
export function toolsByName(tools: readonly ToolDefinition[]): ReadonlyMap<string, ToolDefinition> {
  return new Map(tools.map((tool) => [tool.name, tool] as const).reverse());
}
