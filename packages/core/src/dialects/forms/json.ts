import { type Fence, fence } from '../parser/documentation/fenced-code.ts';
import type { CallsForm } from '../parser/grammar.ts';
import { leftOut, readLiterals, readTexts } from '../table/literals.ts';
import { type Reading, readerOf } from '../table/parts.ts';
import type { JsonTable } from '../table.ts';
import { commonKeys, looksLikeCall } from './json/call-keys.ts';
import type { BareCalls, Guard } from './json/call-object.ts';
import { bareCalls, jsonCalls } from './json/json-call.ts';

/** Calls are JSON objects, one by one or in a list: `{"name": "read", "arguments": {}}`. */
export function json(table: JsonTable, reading: Reading): CallsForm {
  return jsonOf(table, reading, () => {
    throw new Error('A table has calls in fences, or such as are told by what is in them: give it anyJson.');
  });
}

/** The same where the opener is `guarded` or may be left out, or the JSON `fenced`. It is apart, as few tables need it. */
export function anyJson(table: JsonTable, reading: Reading): CallsForm {
  return jsonOf(table, reading, () => {
    const shape = { keys: { ...commonKeys, ...table.keys }, names: reading.tools.map(({ name }) => name) };
    const guard: Guard = (scanner, index) => looksLikeCall(scanner, index, shape);
    return { fence, guard, bare: bareCalls(guard) };
  });
}

/** What few tables need. */
interface More {
  readonly fence: Fence;
  readonly guard: Guard;
  readonly bare: BareCalls;
}

function jsonOf(table: JsonTable, reading: Reading, more: () => More): CallsForm {
  const { markerRepairs: repairs } = reading.parts;
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
    ...(fenced && { fence: more().fence }),
    ...(closerOptional && { closerOptional }),
    ...(readHeader && { readHeader }),
    ...(guarded && { guarded: more().guard }),
    ...(bare && { bare: more().bare }),
    ...(repairs && { repairedClosers: repairs.closers }),
  });
  return repairs?.calls(form, openers, bare?.repair) ?? form;
}
