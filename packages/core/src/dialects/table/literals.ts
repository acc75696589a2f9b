import type { ToolDefinition } from '../../chat/tool.ts';
import { type Mend, mends } from '../parser/call-warnings.ts';
import type { Literal, LiteralForm, Literals } from '../table.ts';

/** A literal as the parser finds it. */
export interface ReadLiteral extends Omit<LiteralForm, 'repair'> {
  readonly mend?: Mend;
}

/** What is written of several ways to write a marker: the first. */
export function writtenText(literals: Literals): string {
  const first = typeof literals === 'string' ? literals : literals[0];
  return first === undefined ? '' : textOf(first);
}

export function textOf(literal: Literal): string {
  return typeof literal === 'string' ? literal : literal.text;
}

/** Every way to write a marker, without those that are empty. `tools`: asked only where a literal names them. */
export function readLiterals(
  literals: Literals | undefined,
  tools: () => readonly ToolDefinition[] = () => [],
): readonly ReadLiteral[] {
  return listOf(literals).flatMap((literal) => {
    if (typeof literal === 'string') return named(literal.trim(), tools).map((text) => ({ text }));
    const { repair, ...form } = literal;
    const mend = repair === undefined ? {} : { mend: mends[repair] };
    return named(form.text, tools).map((text) => ({ ...form, ...mend, text }));
  });
}

/** Their texts. */
export function readTexts(literals: Literals | undefined, tools?: () => readonly ToolDefinition[]): readonly string[] {
  return readLiterals(literals, tools).map(({ text }) => text);
}

/** One of the ways to write a marker is to leave it out; what is told then. */
export function leftOut(literals: Literals): { readonly mend: Mend | undefined } | undefined {
  const empty = listOf(literals).find((literal) => textOf(literal).trim() === '' && textOf(literal) !== '\n');
  if (empty === undefined) return undefined;
  const repair = typeof empty === 'string' ? undefined : empty.repair;
  return { mend: repair === undefined ? undefined : mends[repair] };
}

export function listOf(literals: Literals | undefined): readonly Literal[] {
  if (literals === undefined) return [];
  return typeof literals === 'string' ? [literals] : literals;
}

/** One text for each tool where it names one. */
function named(text: string, tools: () => readonly ToolDefinition[]): readonly string[] {
  if (text === '') return [];
  if (!text.includes('{name}') && !text.includes('{quoted}')) return [text];
  return tools().map(({ name }) => fill(text, { name, quoted: JSON.stringify(name) }));
}

/** The text with what each of these words stands for in braces. What is put in is not looked at again. */
export function fill(text: string, slots: Readonly<Record<string, string>>): string {
  let filled = '';
  for (let at = 0; at < text.length; ) {
    const end = text[at] === '{' ? text.indexOf('}', at) : -1;
    const slot = end < 0 ? undefined : text.slice(at + 1, end);
    const value = slot !== undefined && Object.hasOwn(slots, slot) ? slots[slot] : undefined;
    if (value === undefined) filled += text.charAt(at);
    else filled += value;
    at = value === undefined ? at + 1 : end + 1;
  }
  return filled;
}
