import { randomBytes } from 'node:crypto';
import { deepestJson, parseBounded, rememberNumbers } from '@dragoman/core';
import { endOfContainer, placeOfList } from './json-bytes.ts';
import { findMessages, keepMessages } from './known-messages.ts';

/** In bytes; of shorter lists nothing is made that is worth keeping. */
const shortest = 64;

/** Bytes of all lists that are known at a time, and how many lists. */
const most = { bytes: 4_000_000, lists: 64 };

/** Stands for what is known while the rest of a body is parsed. No client can know it. */
const mark = randomBytes(16).toString('hex');

/** What stands for all of a list, for the beginning of one, and for a beginning after which others follow. */
const marks = { whole: `["${mark}"]`, none: `["${mark}",`, some: `["${mark}"` };

const member = Buffer.from('"tools"');

/** A list of tools as it came, with what it was parsed to. */
interface Known {
  readonly bytes: Buffer;
  readonly tools: readonly unknown[];
  /** Lists, objects and what is in them. */
  readonly values: number;
}

/** The newest first. */
let known: Known[] = [];

interface Span {
  readonly from: number;
  readonly to: number;
}

interface Marked extends Span {
  readonly mark: string;
}

const places = new WeakMap<Buffer, readonly Span[]>();

/** Where a body that was parsed holds what is known, in order: all of it is within lists. */
export function knownPlaces(bytes: Buffer): readonly Span[] {
  return places.get(bytes) ?? [];
}

/** How many bytes of tools are kept, to be found again. */
export function knownToolBytes(): number {
  return known.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** Forgets them: what comes again is parsed again. */
export function forgetTools(): void {
  known = [];
}

/**
 * The value of a JSON body whose tools, or whose first messages, have come before, byte for byte, or may come again: bodies share
 * them, which are most of what an agent's open stream would hold, and all that is made of them is made once. Tools say the same
 * whoever sent them, so nothing of one client reaches another; messages are known to their sender alone (`owner`). Undefined for
 * every other body, and for those that are not to be read at all.
 */
export function parseWithKnown(
  bytes: Buffer,
  { mostValues, owner }: { readonly mostValues: number; readonly owner: string | undefined },
): unknown {
  const messages = owner === undefined ? undefined : findMessages(bytes, owner);
  const tools = findTools(bytes, { mostValues, messages });
  if (tools === undefined && messages === undefined) return undefined;
  const known = (tools?.values ?? 0) + (messages?.values ?? 0);
  const marked: Marked[] = tools === undefined ? [] : [{ from: tools.from, to: tools.to, mark: marks.whole }];
  if (messages !== undefined) {
    const { from, to } = messages;
    const known = { from, to, mark: messages.messages.length > 0 ? marks.some : marks.none };
    if (tools !== undefined && tools.from < from) marked.push(known);
    else marked.unshift(known);
  }
  const rest = withMarks(bytes, marked);
  // The marks are values, too.
  const parsed = rest === undefined ? undefined : parse(rest, { depth: deepestJson, values: mostValues - known + 3 });
  const body = parsed?.value;
  if (parsed === undefined || !isObject(body)) return undefined;
  // Elsewhere than at the top, or twice, they are none of the request.
  if (tools !== undefined) {
    if (!isMarked(body.tools) || body.tools.length !== 1) return undefined;
    body.tools = tools.tools;
    keep(tools.known);
  }
  if (messages !== undefined && owner !== undefined) {
    if (!isMarked(body.messages)) return undefined;
    const all = [...messages.messages, ...body.messages.slice(1)];
    body.messages = all;
    if (!parsed.hasOddNumber)
      keepMessages(bytes, { found: messages, owner, messages: all, values: messages.values + parsed.values });
  }
  // What was remembered of the whole body has the marks in it.
  if (parsed.hasOddNumber) rememberNumbers(withoutOrder(bytes.toString()), body);
  places.set(bytes, marked);
  return body;
}

function isMarked(value: unknown): value is unknown[] {
  return Array.isArray(value) && value[0] === mark;
}

/** The text of a body with marks in the place of what is known; undefined where one stands within the other. */
function withMarks(bytes: Buffer, marked: readonly Marked[]): string | undefined {
  let text = '';
  let at = 0;
  for (const { from, to, mark } of marked) {
    if (from < at) return undefined;
    text += bytes.toString('utf8', at, from) + mark;
    at = to;
  }
  return withoutOrder(text + bytes.toString('utf8', at));
}

/** The tools of a body, which are known, or may be from now on. */
function findTools(
  bytes: Buffer,
  { mostValues, messages }: { readonly mostValues: number; readonly messages: Span | undefined },
) {
  // What is known of the messages is not searched again.
  const from =
    messages === undefined
      ? placeOfList(bytes, member)
      : (placeOfList(bytes.subarray(0, messages.from), member) ?? placeOfList(bytes, member, messages.to));
  const known = from === undefined ? undefined : (find(bytes, from) ?? read(bytes, { from, mostValues }));
  if (from === undefined || known === undefined) return undefined;
  return { from, to: from + known.bytes.length, tools: known.tools, values: known.values, known };
}

/** A text without the mark of byte order that some begin theirs with. */
function withoutOrder(text: string): string {
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
  const to = endOfContainer(bytes, from);
  if (to - from < shortest || to - from > most.bytes) return undefined;
  const own = Buffer.from(bytes.subarray(from, to));
  const parsed = parse(own.toString('utf8'), { depth: deepestJson - 1, values: mostValues });
  if (parsed === undefined || parsed.hasOddNumber || !Array.isArray(parsed.value)) return undefined;
  return { bytes: own, tools: parsed.value, values: parsed.values };
}

function keep(found: Known): void {
  if (known[0] === found) return;
  known = [found, ...known.filter((each) => each !== found)].slice(0, most.lists);
  while (knownToolBytes() > most.bytes) known.pop();
}
