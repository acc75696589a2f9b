import type { ToolChoice, ToolDefinition } from '../chat/tool.ts';
import { keyOfTools } from '../chat/tools-key.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { Remembered } from './remembered.ts';

/** The tools to be taught, and how they may be called. */
export interface Lesson {
  readonly tools: readonly ToolDefinition[];
  readonly choice: ToolChoice;
  readonly parallel: boolean;
}

/** An agent sends the same tools with every request; this many different sets are remembered for each dialect. */
const maxRemembered = 16;

const remembered = new WeakMap<Dialect, Remembered<string>>();

/** The dialect's documentation of the tools, rendered once for equal tools: equal in content, not in identity. */
export function teachTools(dialect: Dialect, { tools, choice, parallel }: Lesson): string {
  const known = remembered.get(dialect) ?? new Remembered<string>(maxRemembered);
  remembered.set(dialect, known);
  return known.of(JSON.stringify([choice, parallel]) + keyOfTools(tools), () =>
    dialect.renderTools(tools, { choice, parallel }),
  );
}
