import type { CallOpener, CallsForm } from '../../parser/create-grammar.ts';
import type { Open } from '../../parser/grammar.ts';
import { behindFenceOpener } from '../../parser/markers/fence.ts';
import { allWhole, mendedClosers } from '../../parser/markers/repaired-literals.ts';
import { isPlainName } from '../../parser/plain-name.ts';
import { lookFor, type Scanner } from '../../parser/scanner.ts';
import { JsonCall } from './json-call-reader.ts';
import { type JsonBlock, type JsonForm, lookGuarded } from './json-form.ts';

/** A call is a JSON object with its name and arguments; a list may hold several. */
export function jsonCalls(form: JsonForm): CallsForm {
  const openers = form.openers.map((opener) => (typeof opener === 'string' ? opener : opener.literal));
  return ({ ends: around, mendOf = allWhole }) => {
    const ends = [...openers, ...around];
    const bare: JsonBlock = { ...form, opener: '', closers: [], ends, mended: () => [], guarded: form.bare ?? [] };
    const unmarked = ['{', '['].map(
      (literal): CallOpener => ({
        literal,
        place: 'line-start',
        open: (scanner, index) => openBody(bare, scanner, { at: index }),
      }),
    );
    const marked = form.openers.map((given): CallOpener => {
      const opener = typeof given === 'string' ? { literal: given } : given;
      const mended = () => mendedClosers(opener.literal, form.closers, mendOf);
      return { ...opener, open: openJson({ ...form, opener: opener.literal, ends, mended }) };
    });
    return { openers: form.bare ? [...marked, ...unmarked] : marked, closers: form.closers };
  };
}

/** Decides whether the opener opens a call: an object, or a list of objects, stands behind it and its header. */
function openJson(block: JsonBlock): Open {
  return (scanner, index, length) => {
    const header = readHeader(block, scanner, index + length);
    if (typeof header === 'string') return header;
    const next = scanner.behindSpace(header.end);
    if (block.longestGap !== undefined && typeof next === 'number' && next - header.end > block.longestGap) return 'no';
    const body = block.fenced && typeof next === 'number' ? behindFenceOpener(scanner, next) : next;
    if (typeof body === 'string') return body;
    return openBody(block, scanner, { at: body, header: header.name, inFence: body !== next });
  };
}

/** A header longer than this is prose. */
const longestHeader = 192;

/** The header that ends with one of the form's literals. It is a name or empty. */
function readHeader(
  { headerEnds }: JsonBlock,
  scanner: Scanner,
  start: number,
): { readonly end: number; readonly name: string } | 'no' | 'more' {
  if (headerEnds === undefined) return { end: start, name: '' };
  const { text } = scanner;
  for (let at = start; at - start <= longestHeader; at += 1) {
    if (scanner.wantsMore(at)) return 'more';
    if (at >= text.length) return 'no';
    const end = lookFor(scanner, at, headerEnds);
    if (end === 'more') return 'more';
    if (end === 'no') continue;
    const name = text.slice(start, at).trim();
    return name === '' || isPlainName(name) ? { end, name } : 'no';
  }
  return 'no';
}

/** Where the JSON begins, and what was found in front of it. */
interface Body extends Pick<JsonBlock, 'header' | 'inFence'> {
  readonly at: number;
}

function openBody(block: JsonBlock, scanner: Scanner, { at, ...found }: Body): ReturnType<Open> {
  const inList = scanner.text[at] === '[';
  const object = inList ? scanner.behindSpace(at + 1) : at;
  if (typeof object === 'string') return object;
  if (scanner.text[object] !== '{') return 'no';
  const call = lookGuarded(block, scanner, object);
  if (call !== 'yes') return call;
  return { end: object, read: (writer) => new JsonCall({ ...block, ...found }, writer, { inList }) };
}
