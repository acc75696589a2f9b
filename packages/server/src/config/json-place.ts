import { type ParseErrorCode, printParseErrorCode } from 'jsonc-parser';

/** Line and column of an offset, both from one. */
export function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/** A mistake in JSON in words: `property name expected`. */
export function wordsOf(mistake: ParseErrorCode): string {
  return printParseErrorCode(mistake)
    .replace(/(?!^)([A-Z])/g, ' $1')
    .toLowerCase();
}
