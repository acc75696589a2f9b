import type { JsonHeader } from '../forms/json/any-json.ts';
import { isPlainName } from '../parser/calls/tool-table.ts';
import { look } from '../parser/scanner.ts';
import type { TableReader } from '../table/parts.ts';

const closer = '<|content_invoke_tool_json|>';

/** A header longer than this is prose. */
const longest = 192;

/** A message says in its header whose it is, and says again in its JSON which tool is called. Some servers leave the header empty. */
const readHeader: JsonHeader = (scanner, start) => {
  const { text } = scanner;
  for (let at = start; at - start <= longest; at += 1) {
    if (scanner.wantsMore(at)) return 'more';
    const found = look(scanner, closer, at);
    if (found === 'more') return 'more';
    if (found === 'no') continue;
    const name = text.slice(start, at).trim();
    return name === '' || isPlainName(name) ? { end: at + closer.length, name } : 'no';
  }
  return 'no';
};

/** Reads the name before the JSON of a message. */
export const inklingHeader: TableReader = { jsonHeader: readHeader };
