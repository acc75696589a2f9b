/** Members that say more than that a text goes on, unless they are null. Within a text their quotation marks are escaped. */
const telling = ['"finish_reason"', '"usage"', '"error"', '"tool_calls"', '"function_call"', '"refusal"'] as const;

/** What those members begin with, after the quotation mark: most others begin otherwise. */
const initials: ReadonlySet<number> = new Set(telling.map((member) => member.charCodeAt(1)));

const [quote, colon, space, lineFeed] = [0x22, 0x3a, 0x20, 0x0a];

/** Whether a chunk only goes on with a text or with reasoning. */
export function isQuiet(frame: string): boolean {
  if (!frame.startsWith('data: {') || !frame.endsWith('}') || !frame.includes('"delta"')) return false;
  for (let at = 0; at < frame.length; at += 1) {
    const code = frame.charCodeAt(at);
    if (code === lineFeed || (code === quote && tells(frame, at))) return false;
  }
  return true;
}

/** Whether a member that begins at `at` says something. */
function tells(frame: string, at: number): boolean {
  if (!initials.has(frame.charCodeAt(at + 1))) return false;
  const member = telling.find((each) => frame.startsWith(each, at));
  if (member === undefined) return false;
  let value = at + member.length;
  for (let code = frame.charCodeAt(value); code === colon || code === space; code = frame.charCodeAt(value)) value += 1;
  return !frame.startsWith('null', value);
}
