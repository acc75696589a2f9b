import type { CallsForm } from '../parser/grammar.ts';
import { leftOut, readLiterals, readTexts, withRepairs } from '../table/literals.ts';
import { type Reading, readerOf } from '../table/parts.ts';
import type { JsonTable } from '../table.ts';
import { jsonCalls } from './json/json-call.ts';

/** Calls are JSON objects, one by one or in a list: `{"name": "read", "arguments": {}}`. */
export function json(table: JsonTable, reading: Reading): CallsForm {
  const { keys, keyed, reader, fenced, closerOptional, guarded } = table;
  const readHeader = reader === undefined ? undefined : readerOf(reading.parts, reader).jsonHeader;
  const openers = readLiterals(table.opener, () => reading.tools);
  const bare = leftOut(table.opener);
  const form = jsonCalls({
    openers: openers.map(({ text, place }) => (place === undefined ? text : { literal: text, place })),
    closers: readTexts(table.closer),
    ...(keys && { keys }),
    ...(keyed && { keyed }),
    // Models put several objects after one opener whatever they were taught.
    sequence: ',;',
    ...(fenced && { fenced }),
    ...(closerOptional && { closerOptional }),
    ...(readHeader && { readHeader }),
    ...(guarded && { guarded: namesOf(reading) }),
    ...(bare && { bare: namesOf(reading) }),
  });
  return withRepairs(form, openers, bare?.repair);
}

function namesOf({ tools }: Reading): readonly string[] {
  return tools.map(({ name }) => name);
}
