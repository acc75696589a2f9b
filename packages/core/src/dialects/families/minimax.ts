import { spellings } from '../parser/markers/repaired-literals.ts';
import type { ToolsTable } from '../table.ts';

/** What the templates of MiniMax M2 and M3 are made of, and the wrapper of Claude around their tags. */
export const minimaxMarkers: readonly string[] = [
  ...spellings(['<', '</'], ['minimax:tool_call>', 'function_calls>', 'tools>', 'tool>']),
  ']~!b[',
  ']~b]',
];

/** A `<tool>` line for each tool. */
export const minimaxTools: ToolsTable = {
  opener: '<tools>\n',
  closer: '\n</tools>',
  each: { opener: '<tool>', closer: '</tool>' },
  tool: 'fields',
};
