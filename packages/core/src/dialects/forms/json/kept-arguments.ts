import { quoteName } from '../../../chat/issue.ts';
import { escapeJson } from '../../../json/json-escape.ts';
import type { SchemaView } from '../../../json/schema.ts';
import { argumentAliases, type CallKeys, commonKeys, emptyKeys, rareAliases } from './call-keys.ts';
import type { WholeField } from './field-reader.ts';

/** The fields of a call object that are read and are neither its name nor arguments that have left, by their keys. */
export type KeptFields = ReadonlyMap<string, WholeField>;

/** What a call's arguments are asked of. */
export interface Asked {
  readonly keys: CallKeys;
  readonly schema: SchemaView;
}

/** Arguments that were found among the fields. */
export interface KeptArguments {
  /** Their JSON text. */
  readonly json: string;
  /** The keys that they stood under. */
  readonly from: readonly string[];
  /** What was wrong with where they stood. */
  readonly mend?: string;
}

const none: KeptArguments = { json: 'null', from: [] };

/** Where models say why they call: no argument is lost with it. */
const remarkKeys: readonly string[] = ['thought', 'thoughts', 'reasoning', 'reason', 'explanation', 'comment'];

/**
 * What the arguments of a call are where the dialect's own key did not bring them before: what stands under another key for
 * them, or the tool's parameters beside the name, or the one object whose keys are all parameters of the tool, whatever it
 * stands under. Undefined where fields are left that may have been meant as arguments: a call never runs without them.
 */
export function findArguments(fields: KeptFields, asked: Asked): KeptArguments | undefined {
  const own = asked.keys.arguments;
  if (fields.get(own)?.text !== 'null') return findWritten(fields, asked) ?? noneOf(fields, asked);
  // Nothing under the own key hides no arguments under another one.
  const others = findWritten(new Map([...fields].filter(([key]) => key !== own)), asked) ?? none;
  return { ...others, from: [...others.from, own] };
}

function findWritten(fields: KeptFields, asked: Asked): KeptArguments | undefined {
  return underAlias(fields, asked) ?? besideName(fields, asked) ?? underUnknownKey(fields, asked);
}

function underAlias(fields: KeptFields, { keys, schema }: Asked): KeptArguments | undefined {
  const key = [keys.arguments, ...argumentAliases].find((candidate) => fields.has(candidate)) ?? '';
  const field = fields.get(key);
  if (field === undefined) return undefined;
  const mayBeAll = field.mayBeArguments && !(schema.known(key) && rareAliases.includes(key));
  return mayBeAll || !schema.known(key) ? { json: field.text, from: [key] } : undefined;
}

function besideName(fields: KeptFields, { schema }: Asked): KeptArguments | undefined {
  const found = [...fields].filter(([key, field]) => isParameter(key, field, schema));
  if (found.length === 0) return undefined;
  const members = found.map(([key, { text }]) => `"${escapeJson(key)}":${text}`);
  const from = found.map(([key]) => key);
  return { json: `{${members.join(',')}}`, from, mend: 'The arguments of the call stood beside its name.' };
}

/** The one object among the fields, if all of its keys are parameters of the tool, whatever it stands under. */
export function underUnknownKey(fields: KeptFields, { schema }: Asked): KeptArguments | undefined {
  const objects = [...fields].flatMap(([key, field]) => {
    const names = field.memberNames;
    return names.length === 0 ? [] : [{ key, json: field.text, fits: names.every((name) => schema.known(name)) }];
  });
  const [only] = objects;
  if (objects.length !== 1 || only?.fits !== true) return undefined;
  const mend = `The arguments of the call stood under the key ${quoteName(only.key)}.`;
  return { json: only.json, from: [only.key], mend };
}

/** The call has no arguments: nothing is left that may have been meant as one. */
function noneOf(fields: KeptFields, { keys, schema }: Asked): KeptArguments | undefined {
  if (schema.propertyNames.length === 0) return none;
  const meansNothing = ([key, { text }]: [string, WholeField]) =>
    emptyKeys.includes(key) || key === keys.id || key === commonKeys.id || remarkKeys.includes(key) || text === 'null';
  return [...fields].every(meansNothing) ? none : undefined;
}

/** Is a field beside the name a parameter? An id is the call's own, unless the tool cannot do without it. */
export function isParameter(key: string, { text }: WholeField, schema: SchemaView): boolean {
  if (key === commonKeys.id) return schema.required.includes(key);
  if (emptyKeys.includes(key)) return schema.known(key) && text !== '"function"';
  return schema.untyped || schema.known(key);
}
