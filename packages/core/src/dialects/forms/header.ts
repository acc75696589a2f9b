import { repairs } from '../parser/call-warnings.ts';
import { backticks } from '../parser/documentation/fenced-code.ts';
import type { CallsForm } from '../parser/grammar.ts';
import { readLiterals, readTexts } from '../table/literals.ts';
import { withRepairs } from '../table/marker-repairs.ts';
import { readerOf, type TableReader, type TableReading } from '../table/parts.ts';
import type { HeaderTable } from '../table.ts';
import { headedCalls } from './header/headed-json-call.ts';
import { headerForm } from './header/header-form.ts';

/** A header with the name, then the arguments as JSON: `<function=read>{"path": "a"}</function>`. */
export function header(table: HeaderTable, reading: TableReading): CallsForm {
  const { fenced = false, closerOptional, guarded, notBefore, argumentsRepair } = table;
  const openers = readLiterals(table.opener, () => reading.tools);
  const reader: TableReader = table.reader === undefined ? {} : readerOf(reading.parts, table.reader);
  const { gaps } = reader;
  const named = reader.header?.(reading);
  const isPlain = table.header === undefined || table.header === '{name}';
  const { read } = headerForm(table.header ?? '{name}');
  const separators = separatorsOf(table);
  // Where only the brace ends the header, the fence before it is no part of the name.
  const inFront = (text: string) => (fenced ? (text.split(backticks)[0] ?? '').trim() : text);
  const readHeader =
    named ?? (isPlain && !(fenced && separators.length === 0) ? undefined : (text: string) => read(inFront(text)));
  const form = headedCalls({
    openers: openers.map(({ text, place }) => (place === undefined ? text : { literal: text, place })),
    separators,
    closers: readTexts(table.closer),
    ...(fenced && { fenced }),
    ...(closerOptional && { closerOptional }),
    ...(guarded && { guarded }),
    ...(notBefore && { notBefore }),
    ...(argumentsRepair && { repair: repairs[argumentsRepair] }),
    ...(gaps && { gaps }),
    ...(readHeader && { readHeader }),
  });
  return withRepairs(form, openers);
}

/** A newline alone is a separator, too. */
export function separatorsOf({ separator }: HeaderTable): readonly string[] {
  const isLine = typeof separator === 'string' && separator.trim() === '' && separator.includes('\n');
  return isLine ? ['\n'] : readTexts(separator);
}
