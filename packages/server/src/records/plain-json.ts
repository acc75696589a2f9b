import { jsonOf, parseJson } from '@dragoman/core';

/** JSON text in UTF-8 as a string in which a secret is found: it is written anew where it is not plain. */
export function plainText(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  if (isPlainJson(bytes)) return text;
  const value = parseJson(text.startsWith('\uFEFF') ? text.slice(1) : text);
  return typeof value === 'object' && value !== null ? jsonOf(value) : JSON.stringify(value);
}

/** The byte order mark in UTF-8. */
const mark = 0xef;

const [zero, two] = [0x30, 0x32];

/**
 * Whether a secret in this JSON text stands there as `JSON.stringify` would write it, so that it is found: no character is
 * escaped that need not be. Control characters have to be.
 */
export function isPlainJson(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (text[0] === mark || text.includes('\\/')) return false;
  for (let at = text.indexOf('\\u'); at >= 0; at = text.indexOf('\\u', at + 2)) {
    const isControl = text[at + 2] === zero && text[at + 3] === zero && (text[at + 4] ?? two) < two;
    if (!isControl) return false;
  }
  return true;
}
