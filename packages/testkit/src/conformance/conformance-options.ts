import type { Dialect, ToolDefinition } from '@dragoman/core';

/** What is different in a dialect by its very form. */
export interface ConformanceOptions {
  /** A call has no marker and counts only at the start of a line. */
  readonly callsStartLine?: boolean;
  /** What is a marker only at the start of a reply, where no foreign text stands: it is none of the dialect's `markers`. */
  readonly replyOpeners?: (tools: readonly ToolDefinition[]) => readonly string[];
  /** Dialects whose markup is read beside its own. */
  readonly beside?: readonly Dialect[];
}
