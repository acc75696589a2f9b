import { createEscape } from '../../chat/escape.ts';
import type { ToolDefinition } from '../../chat/tool.ts';
import { turnMarkers } from '../../chat/turn-markers.ts';
import { describeParameters, type ParameterDoc } from '../../json/describe-schema.ts';

/** Stands on the line before an example. */
export const exampleLabel = 'Usage:';

/** How much the manual tells. */
export interface ManualOptions {
  /** One line for each parameter on the first level, first lines of descriptions only, no examples. */
  readonly compact?: boolean;
}

/**
 * The manual of a tool set between `<tools>` and `</tools>`: for each tool, in the given order, a heading, what it does,
 * its parameters and a usage example. Nothing that the client wrote can close the wrapper: `&` and `<` are escaped in
 * it. A tool without a name is left out. Without tools: the wrapper with nothing inside.
 */
export function transformToolsToXML(tools: readonly ToolDefinition[], options: ManualOptions = {}): string {
  const named = tools.filter((tool) => tool.name.trim() !== '');
  return `<tools>\n${named.map((tool) => section(tool, options)).join('\n\n')}\n</tools>`;
}

function section(tool: ToolDefinition, { compact = false }: ManualOptions): string {
  const parameters = describeParameters(tool.inputSchema);
  const said = tool.description?.trim() ?? '';
  const description = compact ? firstLine(said) : said;
  const lines = [`## ${escapeXml(tool.name)}`, `Description: ${escapeXml(description || 'no description')}`];
  lines.push(parameters.length === 0 ? 'Parameters: none' : 'Parameters:');
  for (const parameter of parameters) lines.push(...parameterLines(parameter, { depth: 0, compact }));
  if (!compact) lines.push(exampleLabel, usage(tool, parameters));
  return lines.join('\n');
}

function parameterLines(
  doc: ParameterDoc,
  at: { readonly depth: number; readonly compact: boolean },
): readonly string[] {
  // The model writes parameters of the first level as tags, members of objects as JSON keys.
  const name = at.depth === 0 ? tagOf(doc.name) : escapeXml(doc.name);
  const need = doc.required ? '(required)' : '(optional)';
  const line = `${'  '.repeat(at.depth)}- ${name}: ${need} ${escapeXml(doc.type)}${escapeXml(about(doc, at.compact))}`;
  if (at.compact) return [line];
  return [line, ...doc.members.flatMap((member) => parameterLines(member, { ...at, depth: at.depth + 1 }))];
}

function about(doc: ParameterDoc, compact: boolean): string {
  const said = doc.description === undefined ? '' : oneLine(compact ? firstLine(doc.description) : doc.description);
  const notes = [said === '' ? '' : ` – ${said}`];
  if (doc.choices.length > 0) notes.push(` One of: ${doc.choices.join(', ')}.`);
  if (doc.defaultValue !== undefined) notes.push(` Default: ${doc.defaultValue}.`);
  return notes.join('');
}

/** The required parameters with an example value each; without any, the first one, since an example shows more. */
function usage(tool: ToolDefinition, parameters: readonly ParameterDoc[]): string {
  const tag = tagOf(tool.name);
  const required = parameters.filter((doc) => doc.required);
  const shown = required.length === 0 ? parameters.slice(0, 1) : required;
  if (shown.length === 0) return `<${tag}></${tag}>`;
  const lines = shown.map((doc) => {
    const value = typeof doc.example === 'string' ? doc.example : JSON.stringify(doc.example);
    return `<${tagOf(doc.name)}>${escapeXml(value)}</${tagOf(doc.name)}>`;
  });
  return [`<${tag}>`, ...lines, `</${tag}>`].join('\n');
}

function firstLine(text: string): string {
  const end = text.indexOf('\n');
  return end === -1 ? text : text.slice(0, end);
}

function oneLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}

/** Turns of some templates are marked in brackets, which no escape for tags would reach. */
const escaping = createEscape(turnMarkers);

function escapeXml(text: string): string {
  return escaping(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')).text;
}

/**
 * A tool's or parameter's name as a tag. A name that is legal in a tag stays itself: letters, digits and `_ . : -`, the
 * first one a letter or `_`. Any other character becomes `_xHEX_`, its UTF-16 unit in hexadecimal; so does an underscore
 * where the name itself has that form, so that no two names share a tag. The empty name becomes `_x_`.
 */
export function tagOf(name: string): string {
  if (name === '') return '_x_';
  if (name === '_x_') return '_x5f_x_';
  let tag = '';
  // From the end: whether an underscore looks like an escape depends on what will really come after it.
  for (let index = name.length - 1; index >= 0; index -= 1) {
    const letter = name.charAt(index);
    const code = name.charCodeAt(index);
    const literal = code === 95 ? escapeAt(letter + tag.slice(0, 6), 0) === undefined : isLegal(code, index);
    tag = (literal ? letter : `_x${code.toString(16)}_`) + tag;
  }
  return tag;
}

/** The name that a tag stands for: `decodeTag(tagOf(name))` is `name`. */
export function decodeTag(tag: string): string {
  if (tag === '_x_') return '';
  let name = '';
  for (let index = 0; index < tag.length; ) {
    const escaped = escapeAt(tag, index);
    name += escaped === undefined ? tag.charAt(index) : String.fromCharCode(escaped.code);
    index += escaped?.length ?? 1;
  }
  return name;
}

/** `_xHEX_`, with one to four digits, at `index`. */
function escapeAt(text: string, index: number): { readonly code: number; readonly length: number } | undefined {
  if (text[index] !== '_' || text[index + 1] !== 'x') return undefined;
  const digits = index + 2;
  let end = digits;
  while (end < digits + 4 && isHex(text.charCodeAt(end))) end += 1;
  if (end === digits || text[end] !== '_') return undefined;
  return { code: Number.parseInt(text.slice(digits, end), 16), length: end + 1 - index };
}

/** A letter, or after the first place a digit or one of `. : -`. */
function isLegal(code: number, index: number): boolean {
  if ((code >= 65 && code <= 90) || (code >= 97 && code <= 122)) return true;
  return index > 0 && ((code >= 48 && code <= 58) || code === 46 || code === 45);
}

function isHex(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70);
}
