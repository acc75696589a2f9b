import type { ToolDefinition } from '../../chat/tool.ts';
import type { ParsePolicy, PastCall, PastResult, ToolPrompt } from '../dialect.ts';
import type { HeadedForm } from '../forms/header/headed-json-call.ts';
import type { JsonHeader } from '../forms/json/any-json.ts';
import type { CallsForm, GrammarForm, SectionForm } from '../parser/grammar.ts';
import type { CallTable, DialectTable } from '../table.ts';
import type { MarkerRepairs } from './marker-repairs.ts';
import type { reasoning } from './reasoning.ts';

/** What a table is read for. Who asks for the tools gets another parser for other tools. */
export interface TableReading {
  readonly tools: readonly ToolDefinition[];
  readonly policy: Partial<ParsePolicy>;
  readonly parts: TableParts;
}

/** What a past call is written with. */
export interface Writing {
  readonly call: PastCall;
  /** Its place in the round, from zero. */
  readonly at: number;
  readonly tools: readonly ToolDefinition[];
  /** What may be in none of its values. */
  readonly literals: readonly string[];
  readonly id: string;
  readonly parts: TableParts;
}

/** How calls of one form are read. It is given tables of that form only, which TypeScript grants to methods alone. */
export type CallForm<Table extends CallTable = CallTable> = {
  read(table: Table, reading: TableReading): CallsForm;
}['read'];

/** The forms, by the names that tables give them. */
type CallForms = {
  readonly [Name in CallTable['form']]?: CallForm<Extract<CallTable, { readonly form: Name }>>;
};

/** Code that a table names for what its fields cannot say. Each dialect that has one gives a part of this. */
export interface TableReader {
  /** Reads the header of a call. */
  readonly header?: (reading: TableReading) => NonNullable<HeadedForm['readHeader']>;
  /** Reads what is between opener and JSON of a `json` call. */
  readonly jsonHeader?: JsonHeader;
  /** What may be between opener and header. Default: any white space. */
  readonly gaps?: readonly string[];
  /** Adds to the form what no field says. */
  readonly grammar?: (form: GrammarForm, reading: TableReading) => GrammarForm;
  /** The text of an attribute, as it is written and as it is read. */
  readonly attributes?: { readonly write: (text: string) => string; readonly read: (text: string) => string };
  /** A name as a tag. */
  readonly tagOf?: (name: string) => string;
  /** A call in place of what the form writes. */
  readonly writeCall?: (writing: Writing) => string;
  /** The text of a result between its opener and closer. */
  readonly resultText?: (result: PastResult, literals: readonly string[], table: DialectTable) => string;
  /** The id of a past call. */
  readonly id?: (call: PastCall) => string;
  /** A tool as a lesson describes it, without these literals. */
  readonly describe?: (tool: ToolDefinition, literals: readonly string[], table: DialectTable) => string;
  /** A lesson in place of what the table says. */
  readonly lesson?: (tools: readonly ToolDefinition[], prompt: ToolPrompt) => string;
  /** Further markers for these tools. */
  readonly markers?: (tools: readonly ToolDefinition[]) => readonly string[];
}

/**
 * What the tables of a dialect are read with: the forms and readers that they name. A built-in dialect hands over what its own
 * table needs, so that an import of it holds nothing else; `allParts` are those of all tables.
 */
export interface TableParts extends CallForms {
  /** For a table with sections, blocks or strays. */
  readonly sections?: (table: DialectTable) => SectionForm | undefined;
  /** For a table with reasoning. */
  readonly reasoning?: typeof reasoning;
  /** For a table that says what is wrong with one of its literals, or has several closers of JSON calls. */
  readonly markerRepairs?: MarkerRepairs;
  readonly readers?: Readonly<Record<string, TableReader>>;
}

/** The reader of this name. Throws where the dialect has not handed it over. */
export function readerOf({ readers = {} }: TableParts, name: string): TableReader {
  return given(Object.hasOwn(readers, name) ? readers[name] : undefined, name);
}

/** All readers of a table that have this part. */
export function partsOf<Key extends Exclude<keyof TableReader, 'gaps'>>(
  { readers = [] }: DialectTable,
  parts: TableParts,
  key: Key,
): readonly NonNullable<TableReader[Key]>[] {
  return readers.flatMap((name) => readerOf(parts, name)[key] ?? []);
}

/** How a call of a table is read: by the form that it names. Throws where the dialect has not handed that over. */
export function readCalls(table: CallTable, reading: TableReading): CallsForm {
  const { parts } = reading;
  const form: CallForm | undefined = parts[table.form];
  return given(form, table.form)(table, reading);
}

function given<Part>(part: Part | undefined, name: string): Part {
  if (part === undefined) throw new Error(`A table needs the part "${name}", which it was not given.`);
  return part;
}
