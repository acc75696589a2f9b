import type { CallHeader } from '../forms/header/headed-json-call.ts';
import { repairs } from '../parser/call-warnings.ts';
import type { TableReader } from '../table/parts.ts';

const nameEnd = '<|plamo:end_tool_name:plamo|>';

/** What may be between the name and its arguments, in this order. */
const between = ['<|plamo:begin_tool_arguments:plamo|>', '<|plamo:constrain|>json'];

/** The name, up to its own closing token, and nothing but tokens after it. */
function readCallHeader(header: string): CallHeader | undefined {
  const end = header.indexOf(nameEnd);
  if (end < 0) return undefined;
  let rest = header.slice(end + nameEnd.length).trim();
  let whole = true;
  for (const literal of between) {
    if (rest.startsWith(literal)) rest = rest.slice(literal.length).trim();
    else whole = false;
  }
  if (rest !== '') return undefined;
  return { name: header.slice(0, end).trim(), repair: whole ? undefined : repairs.header };
}

/** Reads headers whose parts are between tokens of their own. */
export const plamoHeader: TableReader = { header: () => readCallHeader };
