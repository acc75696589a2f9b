import type { ToolChoice, ToolDefinition } from '../chat/tool.ts';
import type { Dialect } from '../dialects/dialect.ts';

/** The tools to be taught, and how they may be called. */
export interface Lesson {
  readonly tools: readonly ToolDefinition[];
  readonly choice: ToolChoice;
  readonly parallel: boolean;
}

/** An agent sends the same tools with every request; this many different sets are remembered for each dialect. */
const maxRemembered = 16;

const remembered = new WeakMap<Dialect, Map<string, string>>();

/** The dialect's documentation of the tools, rendered once for equal tools: equal in content, not in identity. */
export function teachTools(dialect: Dialect, { tools, choice, parallel }: Lesson): string {
  const known = remembered.get(dialect) ?? new Map<string, string>();
  remembered.set(dialect, known);
  const key = JSON.stringify([choice, parallel, tools]);
  const text = known.get(key) ?? dialect.renderTools(tools, { choice, parallel });
  // Asked for again, it becomes the newest; the oldest goes first.
  known.delete(key);
  known.set(key, text);
  const [oldest] = known.keys();
  if (known.size > maxRemembered && oldest !== undefined) known.delete(oldest);
  return text;
}
