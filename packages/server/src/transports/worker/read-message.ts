import { nestsTooDeeply, parseJson } from '@dragoman/core';
import { WorkerFault } from './worker-fault.ts';

/** A JSON object as a worker sent it. */
export type Fields = Readonly<Record<string, unknown>>;

/** The longest id, name or token that a worker may send. */
const longestWord = 1_000;

/** Reads a message. Throws WorkerFault `bad-message` for what is no JSON object. */
export function readFields(text: string): Fields {
  if (nestsTooDeeply(text)) throw new WorkerFault('bad-message', 'The message nests too deeply.');
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw new WorkerFault('bad-message', 'A message has to be JSON, and this one is not.');
  }
  if (!isFields(value)) throw new WorkerFault('bad-message', 'A message has to be a JSON object.');
  return value;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text that has to be there. */
export function textIn(fields: Fields, name: string): string {
  const text = optionalTextIn(fields, name);
  if (text === undefined) throw new WorkerFault('bad-message', `The message has no "${name}".`);
  return text;
}

/** A text that may be left out. */
export function optionalTextIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && value.length <= longestWord) return value;
  throw new WorkerFault('bad-message', `"${name}" has to be a text of at most ${longestWord} characters.`);
}

/** A whole number that may be left out. */
export function optionalCountIn(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new WorkerFault('bad-message', `"${name}" has to be a whole number from 0.`);
}

/** The longest words of a failure that are passed on, in UTF-16 units. */
const longestWords = 1_000;

/** Why a result is none, in a worker's own words; undefined for one that does not say `"success": false`. */
export function failureIn(result: unknown): string | undefined {
  if (!isFields(result) || result.success !== false) return undefined;
  return wordsIn(result.error);
}

/** What is as an error, as words. */
export function wordsIn(error: unknown): string {
  const words = isFields(error) ? error.message : error;
  return typeof words === 'string' && words !== '' ? words.slice(0, longestWords) : 'The worker did not say why.';
}
