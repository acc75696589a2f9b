import type { AroundTable, CallTable, DialectTable, Grouping, Literal, Literals, MarkedAround } from '../table.ts';
import { writtenText } from './literals.ts';

/**
 * A table as the checks look at it: of each marker what is written. What else is read has a check of its own
 * (`check-spellings.ts`), and what is in `{ text }` is taken as its author wrote it.
 */
export interface PlainTable {
  readonly call: PlainCall;
  readonly section?: AroundTable;
  readonly reasoning?: AroundTable;
  readonly result?: AroundTable;
  readonly turnEnds?: readonly string[];
  readonly silent?: readonly string[];
}

export type PlainCall = PlainJson | PlainHeader | PlainTags | PlainPython | PlainGemma | PlainNamedTags;

interface PlainAround extends AroundTable {
  readonly between?: string;
  readonly block?: AroundTable;
  /** What comes after the opener shows a call, also where the opener is in prose. */
  readonly guarded?: boolean;
}

export interface PlainJson extends PlainAround {
  readonly form: 'json';
  readonly grouping?: Grouping;
  readonly keys?: { readonly name?: string; readonly arguments?: string; readonly id?: string };
  readonly keyed?: boolean;
}

export interface PlainHeader extends PlainAround {
  readonly form: 'header';
  readonly header?: string;
  readonly separator: string;
}

export interface PlainTags extends PlainAround {
  readonly form: 'tags';
  readonly end: string;
  readonly parameter: PlainParameter;
  readonly nested?: boolean;
}

export interface PlainParameter extends AroundTable {
  readonly end: string;
  readonly value?: string;
  readonly typed?: { readonly attribute: string; readonly text: string; readonly json: string };
}

export interface PlainPython extends PlainAround {
  readonly form: 'python';
  readonly grouping?: Grouping;
}

export interface PlainGemma extends PlainAround {
  readonly form: 'gemma';
  readonly quote: string;
}

export interface PlainNamedTags extends PlainAround {
  readonly form: 'named-tags';
  readonly end?: string;
}

/** What is written of a table. */
export function plainOf({ call, section, reasoning, result, turnEnds, silent }: DialectTable): PlainTable {
  const thinking = reasoning === undefined || 'opener' in reasoning ? reasoning : reasoning[0];
  const isPlain = thinking !== undefined && !thinking.atStart && typeof firstOf(thinking.opener) === 'string';
  return {
    call: plainCall(call),
    ...(section && !section.optional && { section: plainAround(section) }),
    ...(isPlain && { reasoning: plainAround(thinking) }),
    ...(result && result.read === undefined && { result: plainAround(result) }),
    ...(turnEnds && { turnEnds: turnEnds.filter(isText) }),
    ...(silent && { silent: silent.filter(isText) }),
  };
}

function plainCall(call: CallTable): PlainCall {
  const around = {
    opener: writtenText(call.opener ?? ''),
    closer: writtenText(call.closer ?? ''),
    ...(call.between !== undefined && call.written === undefined && { between: call.between }),
    ...(call.block && { block: plainAround(call.block) }),
  };
  switch (call.form) {
    case 'json': {
      const { form, grouping, keys, keyed, guarded } = call;
      return { form, ...around, ...given({ grouping, keys, keyed, guarded }) };
    }
    case 'header': {
      const { form, header, separator, guarded, reader } = call;
      // A header that a reader reads is written as the template has it.
      const { between: _, ...written } = around;
      const own = reader === undefined ? { ...around, ...given({ header }) } : written;
      return { form, ...own, separator: writtenText(separator), guarded: guarded ?? reader !== undefined };
    }
    case 'tags': {
      const { form, end, parameter, nested } = call;
      const { value, typed } = parameter;
      const written = { ...plainAround(parameter), end: firstText(parameter.end), ...given({ typed }) };
      return {
        form,
        ...around,
        end: firstText(end),
        parameter: { ...written, ...(value !== undefined && { value: writtenText(value) }) },
        nested: nested !== undefined,
      };
    }
    case 'python':
      return { form: call.form, ...around, ...given({ grouping: call.grouping }) };
    case 'gemma':
      return { form: call.form, ...around, quote: call.quote };
    case 'named-tags':
      return { form: call.form, ...around, ...given({ end: call.end }) };
  }
}

function plainAround({ opener, closer }: MarkedAround): AroundTable {
  return { opener: writtenText(opener), closer: writtenText(closer) };
}

/** Without what is absent. */
function given<Fields extends object>(fields: Fields): { [Key in keyof Fields]?: NonNullable<Fields[Key]> } {
  const known: { [Key in keyof Fields]?: NonNullable<Fields[Key]> } = {};
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined && value !== null) known[key] = value;
  }
  return known;
}

function firstText(texts: string | readonly string[]): string {
  return typeof texts === 'string' ? texts : (texts[0] ?? '');
}

function firstOf(literals: Literals): Literal | undefined {
  return typeof literals === 'string' ? literals : literals[0];
}

function isText(literal: Literal): literal is string {
  return typeof literal === 'string';
}
