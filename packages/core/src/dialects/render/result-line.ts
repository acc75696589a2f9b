import type { ToolResult } from '../../chat/tool.ts';

/** A result's text for dialects that have no mark for failure: anything but a success starts with `Error:`. */
export function resultLine({ status, text }: ToolResult): string {
  if (status === 'ok' || text.slice(0, 6).toLowerCase() === 'error:') return text;
  return `Error: ${text}`;
}
