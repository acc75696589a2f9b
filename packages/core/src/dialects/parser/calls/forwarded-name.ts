/**
 * What lessons write where the name of a tool stands, and where that of another one does: a model that quotes its prompt calls
 * nothing. The suite for dialects quotes each lesson, so another word is found there.
 */
export const placeholders = { tool: 'TOOL_NAME', otherTool: 'OTHER_TOOL' } as const;

/** What Command R and Granite 20B were trained to call where no tool fits: what they have to say stands behind it. */
const noTools: ReadonlySet<string> = new Set(['directly_answer', 'directly-answer', 'no_function']);

/** The longest name that APIs take, in UTF-16 units. */
const longest = 128;

const signs: ReadonlySet<number> = new Set([...'_-.:/'].map((sign) => sign.charCodeAt(0)));

/** Does this name, which nobody has declared, say that no tool is called? */
export function isNoTool(name: string): boolean {
  return noTools.has(name);
}

/** May a client be asked for a tool of this name, which it has not declared? It has to be one that APIs take. */
export function isForwardable(name: string): boolean {
  if (name === '' || name.length > longest) return false;
  if (name.includes(placeholders.tool) || name.includes(placeholders.otherTool)) return false;
  for (let index = 0; index < name.length; index += 1) if (!isNameCode(name.charCodeAt(index))) return false;
  return true;
}

function isNameCode(code: number): boolean {
  const isDigit = code >= 48 && code <= 57;
  const isLetter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  return isDigit || isLetter || signs.has(code);
}
