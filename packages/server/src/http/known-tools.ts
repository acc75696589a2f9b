import { randomBytes } from 'node:crypto';
import { deepestJson, parseBounded, rememberNumbers } from '@dragoman/core';

/** In bytes; of shorter lists nothing is made that is worth keeping. */
const shortest = 64;

/** Bytes of all lists that are known at a time, and how many lists. */
const most = { bytes: 4_000_000, lists: 64 };

/** Stands for the tools while the rest of a body is parsed. No client can know it. */
const mark = randomBytes(16).toString('hex');
const marked = Buffer.from(`["${mark}"]`);

const member = Buffer.from('"tools"');
const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** A list of tools as it came, with what it was parsed to. */
interface Known {
  readonly bytes: Buffer;
  readonly tools: readonly unknown[];
  /** Lists, objects and what is in them. */
  readonly values: number;
}

/** The newest first. */
let known: Known[] = [];

/** How many bytes of tools are kept, to be found again. */
export function knownToolBytes(): number {
  return known.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** Forgets them: what comes again is parsed again. */
export function forgetTools(): void {
  known = [];
}

/**
 * The value of a JSON body whose tools have come before, byte for byte, or may come again: bodies with equal tools share them, which
 * are most of what an agent's open stream would hold, and all that is made of them is made once. Tools say the same whoever sent them,
 * so nothing of one client reaches another. Undefined for every other body, and for those that are not to be read at all.
 */
export function parseWithKnownTools(bytes: Buffer, mostValues: number): unknown {
  const from = placeOfTools(bytes);
  if (from === undefined) return undefined;
  const found = find(bytes, from) ?? read(bytes, { from, mostValues });
  if (found === undefined) return undefined;
  const to = from + found.bytes.length;
  const rest = textOf(Buffer.concat([bytes.subarray(0, from), marked, bytes.subarray(to)]));
  // The mark is a list, too.
  const parsed = parse(rest, { depth: deepestJson, values: mostValues - found.values + 1 });
  const body = parsed?.value;
  // Elsewhere than at the top, or twice, they are no tools of the request.
  if (!isObject(body) || !Array.isArray(body.tools) || body.tools.length !== 1 || body.tools[0] !== mark) {
    return undefined;
  }
  body.tools = found.tools;
  // What was remembered of the whole body has the mark in it.
  if (parsed?.hasOddNumber === true) rememberNumbers(textOf(bytes), body);
  keep(found);
  return body;
}

function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Undefined for what is no JSON, or too much. */
function parse(
  text: string,
  bounds: { readonly depth: number; readonly values: number },
): Extract<ReturnType<typeof parseBounded>, { value: unknown }> | undefined {
  try {
    const found = parseBounded(text, bounds);
    return 'value' in found ? found : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Where a member named `tools` has its list, if its name is written without escapes. */
function placeOfTools(bytes: Buffer): number | undefined {
  for (let at = bytes.indexOf(member); at >= 0; at = bytes.indexOf(member, at + 1)) {
    const before = bytes[beforeSpace(bytes, at)];
    const after = afterSpace(bytes, at + member.length);
    // Within a text, a quotation mark has a backslash before it, so this one begins or ends a text.
    if ((before !== comma && before !== openObject) || bytes[after] !== colon) continue;
    const from = afterSpace(bytes, after + 1);
    return bytes[from] === openList ? from : undefined;
  }
  return undefined;
}

function beforeSpace(bytes: Buffer, from: number): number {
  let at = from - 1;
  while (isSpace(bytes[at])) at -= 1;
  return at;
}

function afterSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (isSpace(bytes[at])) at += 1;
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** A whole list is the beginning of no other one. */
function find(bytes: Buffer, from: number): Known | undefined {
  return known.find(({ bytes: { length }, bytes: list }) => {
    const to = from + length;
    return to <= bytes.length && list.compare(bytes, from, to) === 0;
  });
}

/** Tools that have not come before. Those whose numbers have to stay as they were written are not shared. */
function read(
  bytes: Buffer,
  { from, mostValues }: { readonly from: number; readonly mostValues: number },
): Known | undefined {
  const to = endOfList(bytes, from);
  if (to - from < shortest || to - from > most.bytes) return undefined;
  const own = Buffer.from(bytes.subarray(from, to));
  const parsed = parse(own.toString('utf8'), { depth: deepestJson - 1, values: mostValues });
  if (parsed === undefined || parsed.hasOddNumber || !Array.isArray(parsed.value)) return undefined;
  return { bytes: own, tools: parsed.value, values: parsed.values };
}

/** After the bracket that ends the list which begins at `from`. */
function endOfList(bytes: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) {
      at += 1;
      while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
    } else if (byte === openList || byte === openObject) depth += 1;
    else if (byte === closeList || byte === closeObject) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return bytes.length;
}

function keep(found: Known): void {
  if (known[0] === found) return;
  known = [found, ...known.filter((each) => each !== found)].slice(0, most.lists);
  while (knownToolBytes() > most.bytes) known.pop();
}
