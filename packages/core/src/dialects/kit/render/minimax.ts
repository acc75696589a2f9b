import type { ToolDefinition } from '../../../chat/tool.ts';
import type { PastResult } from '../../dialect.ts';
import { spellings } from '../spellings.ts';
import { escapeJsonMarkers } from './escape-json-markers.ts';
import { functionFields } from './function-json.ts';
import { resultLine } from './result-line.ts';
import { toolsBlock } from './tagged-text.ts';
import { turnMarkers } from './turn-markers.ts';

/** What the templates of MiniMax M2 and M3 are made of, and the wrapper of Claude around their tags. */
export const minimaxMarkers: readonly string[] = [
  ...spellings(['<', '</'], ['minimax:tool_call>', 'function_calls>', 'response>', 'tools>', 'tool>']),
  '<invoke',
  '</invoke>',
  ']~!b[',
  ']~b]',
  '[e~[',
  ...turnMarkers,
];

/** A `<tool>` line for each tool, without these literals: what stands in front, and the block. */
export function minimaxTools(
  tools: readonly ToolDefinition[],
  literals: readonly string[],
): ReturnType<typeof toolsBlock> {
  return toolsBlock(
    tools.map((tool) => `<tool>${escapeJsonMarkers(JSON.stringify(functionFields(tool)), literals)}</tool>`),
  );
}

/** One response for each result, in the order of their calls. */
export function minimaxResults(results: readonly PastResult[]): string {
  return results.map((result) => `<response>${resultLine(result)}</response>`).join('\n');
}
