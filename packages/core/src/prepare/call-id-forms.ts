import { digestOf, hexDigestOf } from '../chat/digest.ts';
import { isDigits } from '../json/json-characters.ts';
import type { CallIdFormName } from '../wires/shared-quirks.ts';
import { idPrefix, isPlainId } from './carried-ids.ts';

/** One past call whose id is to be written for an upstream. */
export interface WrittenCall {
  /** The id that the client knows. */
  readonly callId: string;
  /** The tool's name as the upstream knows it. */
  readonly name: string;
}

/** What an upstream's ids look like. Made anew for each request: forms that count keep their place. */
export interface CallIdForm {
  /** Whether the upstream takes such an id for a call of the tool `name`. */
  fits(id: string, name: string): boolean;
  /** Whether what the upstream itself issued goes back whatever it looks like, and may be in several turns. */
  readonly trustsOwn: boolean;
  /** An id that fits: the same for the same call and `attempt`, or the next one of a form that counts. */
  make(call: WrittenCall, attempt: number): string;
  /** Told of every id that was chosen. */
  chosen?(id: string): void;
}

/** The form with this name. */
export function createCallIdForm(form: CallIdFormName): CallIdForm {
  switch (form) {
    case 'as-they-are':
      return { fits: (id) => id !== '', trustsOwn: true, make: makeId };
    case 'short':
      return { fits: (id) => isShort(id, 64), trustsOwn: true, make: makeId };
    case 'forty':
      return { fits: (id) => isShort(id, 40), trustsOwn: true, make: makeId };
    case 'anthropic':
      return { fits: isPlainId, trustsOwn: false, make: makeId };
    case 'nine':
      return { fits: (id) => id.length === 9 && isAlphanumeric(id), trustsOwn: false, make: makeNine };
    case 'kimi':
      return createCounted((name) => `functions.${name}:`);
    case 'number':
      return createCounted(() => '');
    default:
      return form satisfies never;
  }
}

function makeId({ callId }: WrittenCall, attempt: number): string {
  return idPrefix + hexDigestOf(`${attempt} ${callId}`);
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Five characters of the first half of a digest, four of the other: 62⁵ and 62⁴ are below 2³². */
function makeNine({ callId }: WrittenCall, attempt: number): string {
  const [first, second] = digestOf(`${attempt} ${callId}`);
  let id = '';
  for (let rest = first; id.length < 5; rest = Math.floor(rest / 62)) id += alphabet.charAt(rest % 62);
  for (let rest = second; id.length < 9; rest = Math.floor(rest / 62)) id += alphabet.charAt(rest % 62);
  return id;
}

/** More digits would be no number that anybody counts to. */
const mostDigits = 9;

/** Ids that end in a number which counts over the conversation, after what `prefixOf` says. */
function createCounted(prefixOf: (name: string) => string): CallIdForm {
  let next = 0;
  return {
    fits: (id, name) => id.startsWith(prefixOf(name)) && isNumber(id.slice(prefixOf(name).length)),
    trustsOwn: false,
    make: ({ name }) => `${prefixOf(name)}${next}`,
    chosen: (id) => {
      next = Math.max(next, Number(id.slice(id.lastIndexOf(':') + 1)) + 1);
    },
  };
}

function isNumber(text: string): boolean {
  return isDigits(text) && text.length <= mostDigits && !(text.length > 1 && text.startsWith('0'));
}

function isAlphanumeric(text: string): boolean {
  for (const letter of text) if (!alphabet.includes(letter)) return false;
  return true;
}

/** Printable, without white space, and no longer than `longest` UTF-16 units. */
function isShort(id: string, longest: number): boolean {
  if (id === '' || id.length > longest) return false;
  for (let at = 0; at < id.length; at += 1) {
    const code = id.charCodeAt(at);
    if (code <= 0x20 || (code >= 0x7f && code <= 0xa0) || isWideSpace(code)) return false;
  }
  return true;
}

/** White space and direction marks beyond Latin, and halves of characters that take two units, which JSON cannot carry. */
function isWideSpace(code: number): boolean {
  return (code >= 0x2000 && code <= 0x206f) || code === 0x3000 || code === 0xfeff || (code >= 0xd800 && code <= 0xdfff);
}
