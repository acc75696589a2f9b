const prefix = 'functions.';

/**
 * A call's header, `functions.NAME:INDEX`. Only the leading `functions.` and the trailing digits are taken off, since names
 * may hold dots and hyphens. The whole header is the model's own id; without an index it is none.
 */
export function readCallHeader(header: string): { readonly name: string; readonly nativeId?: string } {
  const colon = header.lastIndexOf(':');
  const indexed = colon >= 0 && isDigits(header.slice(colon + 1));
  const path = indexed ? header.slice(0, colon) : header;
  const name = path.startsWith(prefix) ? path.slice(prefix.length) : path;
  return indexed ? { name, nativeId: header } : { name };
}

function isDigits(text: string): boolean {
  if (text === '') return false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 48 || code > 57) return false;
  }
  return true;
}
