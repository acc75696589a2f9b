import type { StageFactory } from './stage.ts';

/**
 * Stands in decoded text for bytes that were not UTF-8: two first halves of a surrogate pair, which no UTF-8 gives. Whoever cuts
 * frames out of the text writes U+FFFD in its place (`readable`) and says which frame it was.
 */
const damage = '\ud800\ud800';

/** What the standard writes in place of bytes that are not UTF-8; models write it, too. */
const replacement = '\ufffd';
const replacementBytes = [0xef, 0xbf, 0xbd] as const;

/** One for all: a typed array is dear to get, and chunks mostly end where a character does. */
const nothing = new Uint8Array(0);

/** Decoded text, with U+FFFD for what was not UTF-8, and whether there was any. */
export function readable(text: string): { readonly text: string; readonly damaged: boolean } {
  if (!text.includes(damage)) return { text, damaged: false };
  return { text: text.replaceAll(damage, replacement), damaged: true };
}

/**
 * Bytes into text, whatever the cuts: a character that is split over chunks comes out whole, a leading byte order mark is
 * dropped, and for bytes that are not UTF-8 stands a mark that `readable` reads. A U+FFFD in the bytes is a character.
 */
export function decodeText(): StageFactory<Uint8Array, string> {
  return (sink) => {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    let held = nothing;
    let begun = false;
    const decode = (bytes: Uint8Array) => {
      if (bytes.length === 0) return;
      const plain = decoder.decode(bytes);
      const text = plain.includes(replacement) ? markDamage(bytes, decoder) : plain;
      const from = !begun && text.startsWith('\ufeff') ? 1 : 0;
      begun = true;
      if (text.length > from) sink(from === 0 ? text : text.slice(from));
    };
    return {
      push: (chunk) => {
        const bytes = held.length === 0 ? chunk : joined(held, chunk);
        const whole = wholeCharacters(bytes);
        held = whole === bytes.length ? nothing : bytes.slice(whole);
        decode(whole === bytes.length ? bytes : bytes.subarray(0, whole));
      },
      end: () => decode(held),
    };
  };
}

/** Where the last character begins that is not whole yet; the length where there is none. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? bytes.length - back : bytes.length;
    }
    if (byte < 0x80) break;
  }
  return bytes.length;
}

/** The text of bytes some of which decode to U+FFFD: those that spell this character keep it. */
function markDamage(bytes: Uint8Array, decoder: TextDecoder): string {
  const pieces: string[] = [];
  let from = 0;
  for (let at = bytes.indexOf(0xef); at >= 0; at = bytes.indexOf(0xef, at + 1)) {
    if (bytes[at + 1] !== replacementBytes[1] || bytes[at + 2] !== replacementBytes[2]) continue;
    pieces.push(decoder.decode(bytes.subarray(from, at)).replaceAll(replacement, damage), replacement);
    from = at + 3;
  }
  pieces.push(decoder.decode(bytes.subarray(from)).replaceAll(replacement, damage));
  return pieces.join('');
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
