import { isObject } from '../translate/read-parts.ts';

/** The arguments of a call as VS Code takes them, and what had to be mended. */
export interface ReadArguments {
  readonly input: Readonly<Record<string, unknown>>;
  readonly warning?: string;
}

/**
 * Reads the arguments of a call that the server says is whole. What the client could not mend, because a call that breaks off
 * looks the same, gets the brackets that are missing at its end. What is still no object is `{}` with a warning: the tool then
 * tells the model what it lacks. A string that breaks off is never closed, for half a file would be written.
 */
export function readArguments(text: string): ReadArguments {
  const value = parsed(text);
  if (isObject(value)) return { input: value };
  const closed = parsed(text + missingBrackets(text));
  if (isObject(closed)) return { input: closed, warning: 'brackets were missing at the end of the arguments' };
  return { input: {}, warning: `the arguments are no JSON object: ${text.slice(0, 200)}` };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function missingBrackets(text: string): string {
  const open: string[] = [];
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{') open.push('}');
    else if (character === '[') open.push(']');
    else if (character === '}' || character === ']') open.pop();
  }
  return inString ? '' : open.reverse().join('');
}
