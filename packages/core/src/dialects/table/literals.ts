import type { ToolDefinition } from '../../chat/tool.ts';
import type { RepairName } from '../parser/call-warnings.ts';
import type { Literal, LiteralForm, Literals, ParameterTable } from '../table.ts';

/** What is written of several ways to write a marker: the first. */
export function writtenText(literals: Literals | undefined): string {
  const [first] = listOf(literals);
  return first === undefined ? '' : textOf(first);
}

export function textOf(literal: Literal): string {
  return typeof literal === 'string' ? literal : literal.text;
}

/** Every way to write a marker, without those that are empty. `tools`: asked only where a literal names them. */
export function readLiterals(
  literals: Literals | undefined,
  tools: () => readonly ToolDefinition[] = () => [],
): readonly LiteralForm[] {
  return listOf(literals).flatMap((literal) => {
    const form = typeof literal === 'string' ? { text: literal.trim() } : literal;
    return named(form.text, tools).map((text) => ({ ...form, text }));
  });
}

/** Their texts. */
export function readTexts(literals: Literals | undefined, tools?: () => readonly ToolDefinition[]): readonly string[] {
  return readLiterals(literals, tools).map(({ text }) => text);
}

/** One of the ways to write a marker is to leave it out; what is reported then. */
export function leftOut(literals: Literals): { readonly repair?: RepairName | undefined } | undefined {
  const empty = listOf(literals).find((literal) => textOf(literal).trim() === '' && textOf(literal) !== '\n');
  return typeof empty === 'string' ? {} : empty;
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

/** What an opener such as `<invoke name="` consists of. */
interface AttributeOpener {
  /** `<invoke` */
  readonly tag: string;
  /** `name` */
  readonly attribute: string;
  readonly quote: string;
}

/** An opener that ends inside an attribute, before its value; undefined for any other. */
export function attributeOpener(opener: string): AttributeOpener | undefined {
  const quote = opener.slice(-1);
  if ((quote !== '"' && quote !== "'") || opener.at(-2) !== '=') return undefined;
  const front = opener.slice(0, -2);
  const space = Math.max(front.lastIndexOf(' '), front.lastIndexOf('\n'));
  const tag = front.slice(0, Math.max(space, 0)).trim();
  const attribute = front.slice(space + 1);
  return tag === '' || attribute === '' ? undefined : { tag, attribute, quote };
}

/** What of an opener is always written: its tag, or all of it. */
export function fixedPart(opener: string): string {
  return attributeOpener(opener)?.tag ?? opener.trim();
}

/** Values stand on lines of their own. */
export function isPadded({ end, value, closer }: ParameterTable): boolean {
  const front = writtenText(value ?? end);
  return front.endsWith('\n') && writtenText(closer).startsWith('\n');
}

/** The openers of a form that finds `part` of each. */
export function openersOf(literals: Literals, part: (opener: string) => string): readonly LiteralForm[] {
  return listOf(literals).map((literal) => {
    const form = typeof literal === 'string' ? { text: literal } : literal;
    return { ...form, text: part(form.text) };
  });
}
