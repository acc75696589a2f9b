import { isDigits } from '../../../json/json-characters.ts';
import type { PastCall } from '../../dialect.ts';
import { repairs } from '../../parser/call-warnings.ts';
import type { CallHeader } from './headed-json-call.ts';

type Slot = 'name' | 'id' | 'index';

/** A piece of a header: text as it is, or what stands for it. */
type Piece = { readonly text: string } | { readonly slot: Slot };

/** A header such as `functions.{name}:{index}`: how it is read and how it is written. */
export interface HeaderForm {
  /** Undefined where the header has another form. */
  read(header: string): CallHeader | undefined;
  /** `id`: what stands for `{id}`. `idOptional`: it is left out, with what comes before it, where the model gave none. */
  write(call: PastCall, options: { readonly id: string; readonly idOptional?: boolean }): string;
  /** The names of the slots, in their order. */
  readonly slots: readonly Slot[];
  /** The text after each slot but the last. */
  readonly between: readonly string[];
}

const slots: readonly Slot[] = ['name', 'id', 'index'];

/** Compiles a header's form. Braces around any other word are text. */
export function headerForm(form: string): HeaderForm {
  const pieces = piecesOf(form);
  const numbered = pieces.some((piece) => 'slot' in piece && piece.slot === 'index');
  const write: HeaderForm['write'] = (call, { id, idOptional = false }) => {
    if (numbered && call.nativeId !== undefined) return call.nativeId;
    const after = pieces.findIndex((piece) => 'slot' in piece && piece.slot === 'id') - 1;
    const all = idOptional && call.nativeId === undefined && after >= 0 ? pieces.slice(0, after) : pieces;
    return all.map((piece) => written(piece, call, id)).join('');
  };
  return {
    slots: pieces.flatMap((piece) => ('slot' in piece ? [piece.slot] : [])),
    between: betweenSlots(pieces),
    write,
    read: (header) => {
      const { found, whole } = readPieces(header, pieces) ?? { found: new Map<Slot, string>(), whole: false };
      const name = found.get('name')?.trim();
      // What begins with a bracket is a list in another form.
      if (name === undefined || name === '' || name.startsWith('[')) return undefined;
      const nativeId = numbered ? (found.has('index') ? header : undefined) : found.get('id')?.trim();
      // An id beside the name is one that a model may leave out.
      const repair = numbered && !whole ? { repair: repairs.header } : {};
      return nativeId === undefined || nativeId === '' ? { name, ...repair } : { name, nativeId, ...repair };
    },
  };
}

function written(piece: Piece, call: PastCall, id: string): string {
  if ('text' in piece) return piece.text;
  if (piece.slot === 'name') return call.name;
  return piece.slot === 'id' ? id : String(call.ordinal);
}

function piecesOf(form: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let text = '';
  for (let at = 0; at < form.length; ) {
    const slot = slots.find((each) => form.startsWith(`{${each}}`, at));
    if (slot === undefined) {
      text += form.charAt(at);
      at += 1;
      continue;
    }
    if (text !== '') pieces.push({ text });
    text = '';
    pieces.push({ slot });
    at += slot.length + 2;
  }
  return text === '' ? pieces : [...pieces, { text }];
}

function betweenSlots(pieces: readonly Piece[]): readonly string[] {
  const places = pieces.flatMap((piece, at) => ('slot' in piece ? [at] : []));
  return places.slice(0, -1).map((at) => {
    const next = pieces[at + 1];
    return next !== undefined && 'text' in next ? next.text : '';
  });
}

/** A slot ends where the text after it begins. What is missing after the name is an id that the model left out. */
function readPieces(
  header: string,
  pieces: readonly Piece[],
): { readonly found: ReadonlyMap<Slot, string>; readonly whole: boolean } | undefined {
  const found = new Map<Slot, string>();
  let at = 0;
  let whole = true;
  for (const [index, piece] of pieces.entries()) {
    if ('text' in piece) {
      const stands = header.startsWith(piece.text, at);
      if (stands) at += piece.text.length;
      // Before the name some models leave out what never changes.
      else if (found.has('name')) return at >= header.length ? { found, whole: false } : undefined;
      else whole = false;
      continue;
    }
    const stop = endOfSlot(header, at, pieces.slice(index + 1));
    found.set(piece.slot, header.slice(at, stop));
    at = stop;
  }
  return { found, whole };
}

/** Where a slot ends that starts at `at`. A name may hold what comes before an index: the last one before digits counts. */
function endOfSlot(header: string, at: number, [next, following]: readonly Piece[]): number {
  if (next === undefined || !('text' in next)) return header.length;
  const numbered = following !== undefined && 'slot' in following && following.slot === 'index';
  const end = numbered ? header.lastIndexOf(next.text) : header.indexOf(next.text, at);
  return end < at || (numbered && !isDigits(header.slice(end + next.text.length))) ? header.length : end;
}
