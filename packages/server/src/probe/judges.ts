import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../is-record.ts';
import type { Decision, Judge, ToldCall, ToldReply } from './task.ts';

/** Whether an argument is right: a value that it must equal, or a rule that tells what is wrong with it. */
export type Wanted = Json | ArgumentRule;
export type ArgumentRule = (value: unknown) => string | undefined;
type Json = string | number | boolean | null | readonly Json[] | { readonly [field: string]: Json };

/** A call that a reply has to hold. Arguments that are not named must not be there, unless they are in `may`. */
export interface WantedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, Wanted>>;
  readonly may?: readonly string[];
}

const good: Decision = { ok: true };
const bad = (why: string): Decision => ({ ok: false, why });

/** The last reply holds exactly these calls, in any order. */
export function callsExactly(...wanted: readonly WantedCall[]): Judge {
  return (replies) => {
    const { calls, text } = lastOf(replies);
    if (calls.length === 0) {
      return bad(
        `It made no call, and should have called ${namesOf(wanted)}${text === '' ? '; it wrote nothing' : ''}.`,
      );
    }
    const left = [...calls];
    for (const each of wanted) {
      const tries = left.map((call) => ({ call, wrong: wrongWith(call, each) }));
      const right = tries.find(({ wrong }) => wrong === undefined);
      if (right === undefined) {
        // Of several calls of that tool the first tells what is wrong.
        const near = tries.find(({ call }) => call.name === each.name);
        return bad(near?.wrong ?? missing(each, { calls, wanted }));
      }
      left.splice(left.indexOf(right.call), 1);
    }
    const [more] = left;
    return more === undefined ? good : bad(`It called ${more.name} ${timesMore(more, wanted)}.`);
  };
}

function missing(
  { name }: WantedCall,
  { calls, wanted }: { readonly calls: readonly ToldCall[]; readonly wanted: readonly WantedCall[] },
): string {
  if (wanted.length > 1 && calls.some((call) => call.name === name)) {
    return `It made ${calls.length} of the ${wanted.length} calls.`;
  }
  return `It called ${namesOf(calls)}, and should have called ${namesOf(wanted)}.`;
}

function timesMore({ name }: ToldCall, wanted: readonly WantedCall[]): string {
  return wanted.some((each) => each.name === name) ? 'once too often' : 'as well, which nobody asked for';
}

/** The last reply holds a call of one of these tools with arguments that are an object. */
export function callsAny(...names: readonly string[]): Judge {
  return (replies) => {
    const { calls } = lastOf(replies);
    if (calls.length === 0) return bad(`It made no call, and had to call ${orList(names)}.`);
    const other = calls.find(({ name }) => !names.includes(name));
    if (other !== undefined) return bad(`It called ${other.name}, and had to call ${orList(names)}.`);
    const broken = calls.find((call) => argumentsOf(call) === undefined);
    return broken === undefined ? good : bad(`The arguments of ${broken.name} are not a JSON object.`);
  };
}

/** The last reply holds no call, and some text that a person would read. */
export const callsNothing: Judge = (replies) => {
  const { calls, text } = lastOf(replies);
  if (calls.length > 0) return bad(`It called ${namesOf(calls)}, and nothing had to be called.`);
  return text.trim() === '' ? bad('It wrote nothing.') : good;
};

/** The last reply holds this word or number, whatever its case; a number may have separators of thousands. */
export function says(...words: readonly string[]): Judge {
  return (replies) => {
    const { text, calls } = lastOf(replies);
    const missed = words.find((word) => !holds(text, word));
    if (missed === undefined) return good;
    if (text.trim() === '' && calls.length > 0) return bad(`It called ${namesOf(calls)} again instead of answering.`);
    return bad(`The answer does not hold ${JSON.stringify(missed)}, which the result said.`);
  };
}

/** The last reply holds at least one of these. `else`: what is wrong otherwise. */
export function saysOneOf(words: readonly string[], otherwise: string): Judge {
  return (replies) => (words.some((word) => holds(lastOf(replies).text, word)) ? good : bad(otherwise));
}

/** The text of the last reply has none of these. */
export function keepsBack(words: readonly string[], otherwise: string): Judge {
  return (replies) => (words.some((word) => holds(lastOf(replies).text, word)) ? bad(otherwise) : good);
}

/** All of them, in order; the first that is not content speaks. */
export function every(...judges: readonly Judge[]): Judge {
  return (replies) => judges.map((judge) => judge(replies)).find(({ ok }) => !ok) ?? good;
}

/** One of them; the last speaks where none is content. */
export function either(...judges: readonly Judge[]): Judge {
  return (replies) => {
    const decisions = judges.map((judge) => judge(replies));
    return decisions.find(({ ok }) => ok) ?? decisions.at(-1) ?? good;
  };
}

/** The first reply, or another by its place, is judged by itself. */
export function reply(at: number, judge: Judge): Judge {
  return (replies) => judge(replies.slice(0, at + 1));
}

/** A path: with or without `./` in front. */
export function path(wanted: string): ArgumentRule {
  return (value) =>
    typeof value === 'string' && withoutDot(value) === wanted ? undefined : `is not ${JSON.stringify(wanted)}`;
}

/** A text, whatever white space ends it and whatever ends its lines. */
export function lines(wanted: string): ArgumentRule {
  const [first = ''] = plain(wanted).split('\n', 1);
  return (value) => {
    if (typeof value !== 'string') return `is ${kindOf(value)} instead of the text`;
    const got = plain(value).split('\n');
    const all = plain(wanted).split('\n');
    const at = all.findIndex((line, index) => got[index] !== line);
    if (at === -1 && got.length === all.length) return undefined;
    if (at === -1) return `goes on after its last line`;
    if (got.length === 1 && all.length > 1 && got[0] !== first) return `has lost its line breaks, or is another text`;
    return `differs from what was given in line ${at + 1}: ${JSON.stringify(shortened(got[at]))} instead of ${JSON.stringify(shortened(all[at]))}`;
  };
}

/** A text that holds all of these. */
export function holding(...words: readonly string[]): ArgumentRule {
  return (value) => {
    const missed = words.find((word) => typeof value !== 'string' || !holds(value, word));
    return missed === undefined ? undefined : `does not hold ${JSON.stringify(missed)}`;
  };
}

/** One of these texts, whatever its case. */
export function oneOf(...wanted: readonly string[]): ArgumentRule {
  return (value) => {
    const isOne = typeof value === 'string' && wanted.some((each) => each.toLowerCase() === value.trim().toLowerCase());
    return isOne
      ? undefined
      : `is ${JSON.stringify(value)} instead of ${orList(wanted.map((each) => JSON.stringify(each)))}`;
  };
}

/** A text that is JSON of this value. */
export function jsonText(wanted: unknown): ArgumentRule {
  return (value) => {
    if (typeof value !== 'string') return `is ${kindOf(value)} instead of a text`;
    const read = parsedJson(value);
    if (read === undefined) return 'is a text that is not JSON';
    return isDeepStrictEqual(read.value, wanted) ? undefined : 'is JSON of another value than was given';
  };
}

/** An array whose elements are right in this order. */
export function list(...wanted: readonly Wanted[]): ArgumentRule {
  return (value) => {
    if (!Array.isArray(value)) return `is ${kindOf(value)} instead of an array`;
    if (value.length !== wanted.length) return `has ${value.length} elements instead of ${wanted.length}`;
    for (const [at, each] of wanted.entries()) {
      const wrong = wrongValue(value[at], each);
      if (wrong !== undefined) return `holds something wrong at ${at}: it ${wrong}`;
    }
    return undefined;
  };
}

/** An object with these fields; others must not be there. */
export function fields(wanted: Readonly<Record<string, Wanted>>): ArgumentRule {
  return (value) => {
    if (!isRecord(value)) return `is ${kindOf(value)} instead of an object`;
    return wrongFields(value, { wanted, may: [] });
  };
}

function lastOf(replies: readonly ToldReply[]): ToldReply {
  return replies.at(-1) ?? { text: '', calls: [] };
}

function wrongWith(call: ToldCall, { name, arguments: wanted, may = [] }: WantedCall): string | undefined {
  if (call.name !== name) return `It called ${call.name} instead of ${name}.`;
  const given = argumentsOf(call);
  if (given === undefined) return `The arguments of ${name} are not a JSON object.`;
  const wrong = wrongFields(given, { wanted, may });
  return wrong === undefined ? undefined : `In the call of ${name}, ${wrong}.`;
}

function wrongFields(
  given: Readonly<Record<string, unknown>>,
  { wanted, may }: { readonly wanted: Readonly<Record<string, Wanted>>; readonly may: readonly string[] },
): string | undefined {
  for (const [field, each] of Object.entries(wanted)) {
    if (!Object.hasOwn(given, field)) return `${JSON.stringify(field)} is missing`;
    const wrong = wrongValue(given[field], each);
    if (wrong !== undefined) return `${JSON.stringify(field)} ${wrong}`;
  }
  const more = Object.keys(given).find((field) => !Object.hasOwn(wanted, field) && !may.includes(field));
  return more === undefined ? undefined : `${JSON.stringify(more)} was not asked for`;
}

function wrongValue(value: unknown, wanted: Wanted): string | undefined {
  if (typeof wanted === 'function') return wanted(value);
  if (isDeepStrictEqual(value, wanted)) return undefined;
  return `is ${JSON.stringify(shortened(value))} instead of ${JSON.stringify(wanted)}`;
}

/** The arguments of a call; undefined where they are not a JSON object. */
export function argumentsOf({ arguments: json }: ToldCall): Readonly<Record<string, unknown>> | undefined {
  const value = parsedJson(json)?.value;
  return isRecord(value) ? value : undefined;
}

function parsedJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function holds(text: string, word: string): boolean {
  const said = text.toLowerCase();
  return said.includes(word.toLowerCase()) || (isNumber(word) && joinedNumbers(said).includes(word));
}

/** `48,213`, `48 213` and `48.213` are all 48213. */
function joinedNumbers(text: string): string {
  const characters = [...text];
  const separates = (character: string) => ",.'’_\u00a0\u202f ".includes(character);
  return characters
    .filter((each, at) => !(separates(each) && isNumber(characters[at - 1]) && isNumber(characters[at + 1])))
    .join('');
}

function isNumber(text: string | undefined): boolean {
  return text !== undefined && text !== '' && [...text].every((character) => character >= '0' && character <= '9');
}

function withoutDot(text: string): string {
  return text.startsWith('./') ? text.slice(2) : text;
}

function plain(text: string): string {
  return text.replaceAll('\r\n', '\n').trimEnd();
}

function shortened(value: unknown): unknown {
  return typeof value === 'string' && value.length > 80 ? `${value.slice(0, 80)}…` : value;
}

function namesOf(calls: readonly { readonly name: string }[]): string {
  return [...new Set(calls.map(({ name }) => name))].join(' and ');
}

function orList(names: readonly string[]): string {
  return names.join(' or ');
}
