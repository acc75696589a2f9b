import type { ToolDefinition } from '@dragoman/core';
import type { CallStatus, JsonObject } from '../chat/message.ts';
import type { ChangeRequest } from '../vault/change.ts';
import type { ReadView } from '../vault/read-view.ts';
import type { GateOutcome } from '../vault/write-gate.ts';

/** What a tool gets beside its arguments. There is no way from here to a vault that can be written. */
export interface ToolContext {
  /** What can be read. */
  readonly vault: ReadView;
  /** Asks a person for a change, and makes it if they want it. Rejects with a ToolFault where it cannot be made. */
  change(request: ChangeRequest): Promise<GateOutcome>;
  /** Aborts when the turn is cancelled or the tool takes too long. */
  readonly signal: AbortSignal;
}

/** What a tool says: a text for the model, or that its person did not want it. */
export type ToolOutcome = string | { readonly status: CallStatus; readonly content: string };

/** A tool of the agent. `run` may throw: a ToolFault's message goes to the model, and so does any other, shortened. */
export interface Tool extends ToolDefinition {
  readonly description: string;
  /** It changes nothing: calls of such tools run side by side. */
  readonly reads: boolean;
  /** Who runs it, where that is not the agent: `MCP server "github"`. Its person is asked before each call. */
  readonly source?: string;
  /** Milliseconds, without the time in which a person is asked. Default: a minute. */
  readonly timeout?: number;
  run(values: JsonObject, context: ToolContext): Promise<ToolOutcome>;
}

/** The text, or its beginning and a sentence that says what is missing. `most`: UTF-16 units, without that sentence. */
export function limitText(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  const line = cut.lastIndexOf('\n');
  const shown = line > most / 2 ? cut.slice(0, line) : cut;
  return `${shown}\n[Only the first ${shown.length} of ${text.length} characters are shown. Ask for less, or for a range.]`;
}
