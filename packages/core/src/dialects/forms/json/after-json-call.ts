import { ticks } from '../../parser/markers/fence.ts';
import { type Look, lookFor, type Scanner } from '../../parser/scanner.ts';
import { type JsonBlock, lookGuarded } from './json-form.ts';

/** Index of another object behind one that stands in no list, with one of `signs` or white space alone between them. */
export function nextInSequence(form: JsonBlock, scanner: Scanner, signs: string): number | 'no' | 'more' {
  let next = scanner.behindSpace(scanner.at);
  if (typeof next === 'number' && next < scanner.text.length && signs.includes(scanner.text.charAt(next))) {
    next = scanner.behindSpace(next + 1);
  }
  if (typeof next === 'string') return next;
  if (scanner.text[next] !== '{') return 'no';
  const call = lookGuarded(form, scanner, next);
  return call === 'yes' ? next : call;
}

/**
 * Index behind a closing brace or bracket that has nothing to close: one that stands, after white space, between calls that
 * are whole and their closer, or the end of the reply.
 */
export function behindStray({ closers, inFence }: JsonBlock, scanner: Scanner): number | 'no' | 'more' {
  const at = scanner.behindSpace(scanner.at);
  if (typeof at === 'string') return at;
  const sign = scanner.text[at];
  if (sign !== '}' && sign !== ']') return 'no';
  const next = scanner.behindSpace(at + 1);
  if (typeof next === 'string') return next;
  const closer = lookFor(scanner, next, inFence ? [...closers, ticks] : closers);
  if (closer === 'more') return 'more';
  return closer === 'no' && next < scanner.text.length ? 'no' : at + 1;
}

/** What stands behind a call in a list. */
export type InList =
  /** Another call at `at`. */
  | { readonly kind: 'call'; readonly at: number; readonly comma: boolean }
  /** The list's closing bracket, or a brace that closes nothing; it ends at `at`. */
  | { readonly kind: 'end' | 'stray'; readonly at: number }
  /** The closer of the calls: the list's bracket is missing. */
  | 'closer'
  /** Nothing that belongs to the list. */
  | 'no'
  | 'more';

/** What stands at `at`, behind a call in a list. */
export function lookInList({ closers, fenced }: JsonBlock, scanner: Scanner, at: number): InList {
  const sign = scanner.text[at];
  if (sign === ']') return { kind: 'end', at: at + 1 };
  if (sign === '{') return { kind: 'call', at, comma: false };
  if (sign === ',' || sign === '}') {
    const next = scanner.behindSpace(at + 1);
    if (typeof next === 'string') return next;
    const behind = scanner.text[next];
    if (sign === ',') return behind === '{' ? { kind: 'call', at: next, comma: true } : 'no';
    return behind === ',' || behind === ']' ? { kind: 'stray', at: at + 1 } : 'no';
  }
  const closer = lookFor(scanner, at, fenced ? [...closers, ticks] : closers);
  return typeof closer === 'number' ? 'closer' : closer;
}

/**
 * What stands at `at`, behind the list of calls in a message: another field, or the message's closing brace; `no` where
 * neither does.
 */
export function lookInMessage(scanner: Scanner, at: number): Look {
  if (scanner.text[at] === '}') return 'yes';
  if (scanner.text[at] !== ',') return 'no';
  const next = scanner.behindSpace(at + 1);
  if (typeof next === 'string') return next;
  return `"'}`.includes(scanner.text.charAt(next)) && next < scanner.text.length ? 'yes' : 'no';
}
