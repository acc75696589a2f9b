import { pastArguments } from '../render/past-calls.ts';
import { fill, leftOut, readLiterals, readTexts, withRepairs } from '../table/literals.ts';
import type { CallForm, Reading, Writing } from '../table/parts.ts';
import type { JsonTable } from '../table.ts';
import { jsonCalls } from './json/json-call.ts';

/** Calls are JSON objects, one by one or in a list: `{"name": "read", "arguments": {}}`. */
export const json: CallForm<JsonTable> = {
  read(table, reading) {
    const { keys, keyed, headerEnd, longestGap, fenced, closerOptional, guarded } = table;
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
      ...(headerEnd !== undefined && { headerEnds: [headerEnd] }),
      ...(longestGap !== undefined && { longestGap }),
      ...(guarded && { guarded: namesOf(reading) }),
      ...(bare && { bare: namesOf(reading) }),
    });
    return withRepairs(form, openers, bare?.repair);
  },
  write({ keys = {}, keyed, object }, { call, literals, id }: Writing) {
    const given = pastArguments(call, literals);
    const [name, written] = [JSON.stringify(call.name), JSON.stringify(id)];
    if (object !== undefined) return fill(object, { name, arguments: given, id: written });
    if (keyed) return `{${name}: ${given}}`;
    const front = keys.id === undefined ? '' : `${JSON.stringify(keys.id)}: ${written}, `;
    const [nameKey, argumentsKey] = [keys.name ?? 'name', keys.arguments ?? 'arguments'].map((key) =>
      JSON.stringify(key),
    );
    return `{${front}${nameKey}: ${name}, ${argumentsKey}: ${given}}`;
  },
  values: () => 'The arguments are a valid JSON object.',
};

function namesOf({ tools }: Reading): readonly string[] {
  return tools.map(({ name }) => name);
}
