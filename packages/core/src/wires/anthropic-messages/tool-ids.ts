/** In front of an id whose other characters are escaped. */
const mark = 'toolu_x_';

/** `_` and the four hexadecimal digits of a UTF-16 unit. */
const escapeLength = 5;

/**
 * A call's id in this wire's alphabet (letters, digits, `_` and `-`), for a client. Ids that keep to it stay; others are
 * escaped, and `readToolId` gives back exactly what went in.
 */
export function writeToolId(id: string): string {
  return isLegal(id) && !id.startsWith(mark) ? id : mark + escapeId(id);
}

/** What `writeToolId` was given; any other id is itself. */
export function readToolId(written: string): string {
  if (!written.startsWith(mark)) return written;
  const id = unescapeId(written, mark.length);
  return writeToolId(id) === written ? id : written;
}

/** The id for an upstream of this wire: what is legal stays, so the upstream gets back what it issued. */
export function legalToolId(id: string): string {
  return isLegal(id) ? id : mark + escapeId(id);
}

function isLegal(id: string): boolean {
  for (let at = 0; at < id.length; at += 1) if (!isPlain(id.charCodeAt(at)) && id[at] !== '_') return false;
  return id !== '';
}

function escapeId(id: string): string {
  let escaped = '';
  for (let at = 0; at < id.length; at += 1) {
    const code = id.charCodeAt(at);
    escaped += isPlain(code) ? id.charAt(at) : `_${code.toString(16).padStart(4, '0')}`;
  }
  return escaped;
}

function unescapeId(text: string, from: number): string {
  let id = '';
  let at = from;
  while (at < text.length) {
    const isEscape = text[at] === '_';
    id += isEscape ? String.fromCharCode(Number.parseInt(text.slice(at + 1, at + escapeLength), 16)) : text.charAt(at);
    at += isEscape ? escapeLength : 1;
  }
  return id;
}

/** Letters, digits and hyphen. */
function isPlain(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || code === 0x2d
  );
}
