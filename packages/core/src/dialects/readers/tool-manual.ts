import { createEscape } from '../../chat/escape.ts';
import type { ToolDefinition } from '../../chat/tool.ts';
import { turnMarkers } from '../../chat/turn-markers.ts';
import { describeParameters, type ParameterDoc } from '../../json/describe-schema.ts';
import { tagOf } from './tag-names.ts';

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
