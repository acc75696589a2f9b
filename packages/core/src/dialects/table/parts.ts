import type { ToolDefinition } from '../../chat/tool.ts';
import type { ParsePolicy, PastCall, PastResult, ToolPrompt } from '../dialect.ts';
import type { HeadedForm } from '../forms/header/headed-json-call.ts';
import type { CallsForm, GrammarForm } from '../parser/grammar.ts';
import type {
  CallTable,
  DialectTable,
  GemmaTable,
  HeaderTable,
  JsonTable,
  NamedTagsTable,
  PythonTable,
  TagsTable,
} from '../table.ts';

/** What a table is read for. Who asks for the tools gets another parser for other tools. */
export interface Reading {
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

/** One form of calls: how it is read, how a call is written, and how a lesson says what a value looks like. */
export interface CallForm<Table extends CallTable> {
  read(table: Table, reading: Reading): CallsForm;
  /** A call without what is around it; where `opener` and `closer` go with the name, with them. */
  write(table: Table, writing: Writing): string;
  values(table: Table): string;
  /** The id of a past call, where the form has one of its own. */
  id?(table: Table, call: PastCall): string | undefined;
}

/** Code that a table names for what its fields cannot say. Each dialect that has one gives a part of this. */
export interface TableReader {
  /** Reads the header of a call. */
  readonly header?: (reading: Reading) => NonNullable<HeadedForm['readHeader']>;
  /** Adds to the form what no field says. */
  readonly grammar?: (form: GrammarForm, reading: Reading) => GrammarForm;
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
export interface TableParts {
  readonly json?: CallForm<JsonTable>;
  readonly header?: CallForm<HeaderTable>;
  readonly tags?: CallForm<TagsTable>;
  readonly namedTags?: CallForm<NamedTagsTable>;
  readonly python?: CallForm<PythonTable>;
  readonly gemma?: CallForm<GemmaTable>;
  readonly readers?: Readonly<Record<string, TableReader>>;
}

/** The reader of this name. Throws where the dialect has not handed it over. */
export function readerOf({ readers = {} }: TableParts, name: string): TableReader {
  const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
  if (reader === undefined) throw new Error(`A table names the reader "${name}", which it was not given.`);
  return reader;
}

/** All readers of a table that have this part. */
export function partsOf<Key extends keyof TableReader>(
  { readers = [] }: DialectTable,
  parts: TableParts,
  key: Key,
): readonly NonNullable<TableReader[Key]>[] {
  return readers.flatMap((name) => readerOf(parts, name)[key] ?? []);
}

/** A call of a table with the form that it names. */
export interface BoundCall {
  readonly read: (reading: Reading) => CallsForm;
  readonly write: (writing: Writing) => string;
  readonly values: () => string;
  readonly id: (call: PastCall) => string | undefined;
}

/** A call of a table, read and written in its form. */
export function callOf(table: CallTable, parts: TableParts): BoundCall {
  switch (table.form) {
    case 'json':
      return bound(parts.json, table);
    case 'header':
      return bound(parts.header, table);
    case 'tags':
      return bound(parts.tags, table);
    case 'named-tags':
      return bound(parts.namedTags, table);
    case 'python':
      return bound(parts.python, table);
    case 'gemma':
      return bound(parts.gemma, table);
  }
}

function bound<Table extends CallTable>(form: CallForm<Table> | undefined, table: Table): BoundCall {
  if (form === undefined) throw new Error(`A table has calls of the form "${table.form}", which it was not given.`);
  return {
    read: (reading) => form.read(table, reading),
    write: (writing) => form.write(table, writing),
    values: () => form.values(table),
    id: (call) => form.id?.(table, call),
  };
}
