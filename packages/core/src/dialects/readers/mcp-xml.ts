import type { CallHeader } from '../forms/header/headed-json-call.ts';
import { repairs } from '../parser/call-warnings.ts';
import type { TableReader } from '../table/parts.ts';

const opener = '<tool_name>';
const closer = '</tool_name>';

/**
 * The header of a call: the names of its server and its tool, each in a tag, in either order, after the first of the two
 * openers. Only the tool's name counts.
 */
function readCallHeader(header: string): CallHeader | undefined {
  const end = header.indexOf(closer);
  if (end < 0) return undefined;
  const start = header.indexOf(opener);
  // The server before the tool has a closer of its own.
  const whole = start < 0 || header.lastIndexOf('</', start) >= 0;
  const name = header.slice(start < 0 ? 0 : start + opener.length, end).trim();
  return { name, repair: whole ? undefined : repairs.header };
}

/** Reads headers of two tags. */
export const mcpHeader: TableReader = { header: () => readCallHeader };
