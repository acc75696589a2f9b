import { afterSpace, endOfText } from './json-bytes.ts';
import { knownPlaces } from './known-tools.ts';

/** How far into a body its model is looked for: most clients name it first. */
const farthest = 4096;

const member = Buffer.from('"model"');

/** What each letter of it begins with where it is escaped, as `\u006d` is. */
const escapedLetter = Buffer.from('\\u006');

const [quote, colon] = [0x22, 0x3a];

/**
 * The bytes of a valid JSON body, asking for `model` in place of the one that it names; undefined where it is not certain which
 * bytes say that, and the body has to be written anew: the model stands far behind, or something else has its name. It may be made
 * of `bytes`, which then hold nothing else any more.
 */
export function bytesForModel(bytes: Buffer, model: string): Buffer | undefined {
  const value = valueOfModel(bytes);
  if (value === undefined || mayNameAnother(bytes, value.to)) return undefined;
  const { from, to } = value;
  const name = Buffer.from(JSON.stringify(model));
  if (bytes.subarray(from, to).equals(name)) return bytes;
  const spare = to - from - name.length;
  if (spare < 0) return Buffer.concat([bytes.subarray(0, from), name, bytes.subarray(to)]);
  // What stands before it moves: it is short, and all that comes after it stays where it is.
  bytes.copyWithin(spare, 0, from);
  name.copy(bytes, from + spare);
  return bytes.subarray(spare);
}

/**
 * A member that comes twice counts differently to different servers, also where one of them is written with escapes. What is known is
 * within lists.
 */
function mayNameAnother(bytes: Buffer, after: number): boolean {
  let at = 0;
  for (const { from, to } of [...knownPlaces(bytes), { from: bytes.length, to: bytes.length }]) {
    if (bytes.subarray(at, from).includes(escapedLetter)) return true;
    if (from > after && bytes.subarray(Math.max(at, after), from).includes(member)) return true;
    at = to;
  }
  return false;
}

/** Where the text stands that names the model. */
function valueOfModel(bytes: Buffer): { readonly from: number; readonly to: number } | undefined {
  let depth = 0;
  for (let at = 0; at < bytes.length && at < farthest; at += 1) {
    const byte = bytes[at];
    if (byte === 0x7b || byte === 0x5b) depth += 1;
    else if (byte === 0x7d || byte === 0x5d) depth -= 1;
    else if (byte === quote) {
      const end = endOfText(bytes, at);
      const after = afterSpace(bytes, end);
      if (depth === 1 && bytes[after] === colon && bytes.subarray(at, end).equals(member)) {
        const from = afterSpace(bytes, after + 1);
        return bytes[from] === quote ? { from, to: endOfText(bytes, from) } : undefined;
      }
      at = end - 1;
    }
  }
  return undefined;
}
