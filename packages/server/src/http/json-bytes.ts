/** Places in the bytes of JSON text, without reading it. */

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Where the first member named so has its list, if it has one; `name` is in its quotation marks, and is written without escapes. Nothing
 * before `start`, which is in no text, is looked at.
 */
export function placeOfList(bytes: Buffer, name: Buffer, start = 0): number | undefined {
  for (let at = bytes.indexOf(name, start); at >= 0; at = bytes.indexOf(name, at + 1)) {
    const before = bytes[beforeSpace(bytes, at)];
    const after = afterSpace(bytes, at + name.length);
    // Within a text, a quotation mark has a backslash before it, so this one begins or ends a text.
    if ((before !== comma && before !== openObject) || bytes[after] !== colon) continue;
    const from = afterSpace(bytes, after + 1);
    return bytes[from] === openList ? from : undefined;
  }
  return undefined;
}

/** After the bracket that ends the list or object which begins at `from`. */
export function endOfContainer(bytes: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) at = endOfText(bytes, at) - 1;
    else if (byte === openList || byte === openObject) depth += 1;
    else if (byte === closeList || byte === closeObject) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return bytes.length;
}

/** Where the objects end that follow each other from `from` on, so many; undefined where something else stands among them. */
export function endsOfObjects(bytes: Buffer, from: number, count: number): number[] | undefined {
  const ends: number[] = [];
  for (let at = from; ends.length < count; ) {
    at = afterSpace(bytes, at);
    if (bytes[at] === comma) at = afterSpace(bytes, at + 1);
    if (bytes[at] !== openObject) return undefined;
    at = endOfContainer(bytes, at);
    ends.push(at);
  }
  return ends;
}

/** After the quotation mark that ends the text which begins at `from`. */
export function endOfText(bytes: Buffer, from: number): number {
  let end = bytes.indexOf(quote, from + 1);
  while (end >= 0 && isEscaped(bytes, end)) end = bytes.indexOf(quote, end + 1);
  return end < 0 ? bytes.length : end + 1;
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let from = at;
  while (bytes[from - 1] === backslash) from -= 1;
  return (at - from) % 2 === 1;
}

function beforeSpace(bytes: Buffer, from: number): number {
  let at = from - 1;
  while (isSpace(bytes[at])) at -= 1;
  return at;
}

export function afterSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (isSpace(bytes[at])) at += 1;
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
