import { DragomanError } from '@dragoman/core';
import type { HttpExchange } from './exchange.ts';

export interface NumberRule {
  readonly name: string;
  readonly least: number;
  readonly most: number;
}

/** What comes after the `?` of a request's address. */
export function queryOf({ request }: Pick<HttpExchange, 'request'>): URLSearchParams {
  return new URL(request.url ?? '/', 'http://gateway').searchParams;
}

/** `true` or `false`; undefined where it is absent. Throws `bad-request`. */
export function readChoice(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (text === 'true' || text === 'false') return text === 'true';
  throw new DragomanError('bad-request', `${name}: must be true or false.`, { param: name });
}

/** A whole number within bounds; undefined where it is absent. Throws `bad-request`. */
export function readNumber(query: URLSearchParams, { name, least, most }: NumberRule): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const number = text === '' ? Number.NaN : Number(text);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new DragomanError('bad-request', `${name}: must be a whole number from ${least} to ${most}.`, { param: name });
}

/** One of these words; undefined where it is absent. Throws `bad-request`. */
export function readWord<Word extends string>(
  query: URLSearchParams,
  { name, words }: { readonly name: string; readonly words: readonly Word[] },
): Word | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  throw new DragomanError('bad-request', `${name}: must be one of ${words.join(', ')}.`, { param: name });
}
