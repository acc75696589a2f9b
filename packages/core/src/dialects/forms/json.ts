import type { RepairName } from '../parser/call-warnings.ts';
import { fence } from '../parser/documentation/fenced-code.ts';
import type { CallsForm } from '../parser/grammar.ts';
import { leftOut, readLiterals, readTexts } from '../table/literals.ts';
import { readerOf, type TableReading } from '../table/parts.ts';
import type { JsonTable } from '../table.ts';
import { bareCalls, beginsSchema, keyedCalls, readBetween } from './json/any-json.ts';
import { ambiguousKey } from './json/call-fields.ts';
import { commonKeys, looksLikeCall } from './json/call-keys.ts';
import type { Guard, JsonForm } from './json/call-object.ts';
import { jsonCalls } from './json/json-call.ts';

/**
 * Calls are JSON objects, one by one or in a list: `{"name": "read", "arguments": {}}`. What `anyJson` is for is not looked for: a
 * test says that no table which is read so has it.
 */
export function json(table: JsonTable, reading: TableReading): CallsForm {
  return jsonOf(table, reading, {});
}

/**
 * The same where a header is between opener and JSON, or a fence around it, where the opener is a word, is `guarded` or may be left
 * out, and where keys are names, or the arguments are under the key of a schema. It is apart, as few tables need it.
 */
export function anyJson(table: JsonTable, reading: TableReading): CallsForm {
  const { keys, keyed, reader, fenced, guarded } = table;
  const shape = { keys: { ...commonKeys, ...keys }, names: reading.tools.map(({ name }) => name) };
  const guard: Guard = (scanner, index) => looksLikeCall(scanner, index, shape);
  const bare = leftOut(table.opener);
  const header = reader === undefined ? undefined : readerOf(reading.parts, reader).jsonHeader;
  return jsonOf(table, reading, {
    readBetween: readBetween({ header, fenced }),
    fence: fenced ? fence : undefined,
    guard: guarded ? guard : undefined,
    bare: bare && bareCalls(guard),
    bareRepair: bare?.repair,
    keyed: keyed ? keyedCalls : undefined,
    mayDefine: keys?.arguments === ambiguousKey ? beginsSchema : undefined,
  });
}

/** What few tables need. */
interface More extends Pick<JsonForm, 'readBetween' | 'fence' | 'guard' | 'bare' | 'keyed' | 'mayDefine'> {
  /** What is reported of calls without an opener. */
  readonly bareRepair?: RepairName | undefined;
}

function jsonOf(
  { opener, closer, keys, closerOptional }: JsonTable,
  reading: TableReading,
  { bareRepair, ...more }: More,
): CallsForm {
  const { markerRepairs: repairs } = reading.parts;
  const openers = readLiterals(opener, () => reading.tools);
  const form = jsonCalls({
    openers: openers.map(({ text, place }) => ({ literal: text, place })),
    closers: readTexts(closer),
    keys,
    closerOptional,
    closerRepair: repairs?.closer,
    ...more,
  });
  return repairs?.calls(form, openers, bareRepair) ?? form;
}
