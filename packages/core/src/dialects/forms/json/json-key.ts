import type { Scanner } from '../../parser/scanner.ts';

/** A key longer than this is none of ours. */
const longestKey = 256;

/** Reads a key with its quotation marks of either kind, or a bare one, at `at`. Consumes nothing. */
export function readKey(scanner: Scanner, at: number): { readonly text: string; readonly end: number } | 'no' | 'more' {
  const { text } = scanner;
  const quote = text[at];
  if (quote === '"' || quote === "'") {
    const close = text.indexOf(quote, at + 1);
    if (close < 0) return scanner.ended || text.length - at > longestKey ? 'no' : 'more';
    return close - at > longestKey ? 'no' : { text: text.slice(at + 1, close), end: close + 1 };
  }
  let end = at;
  while (end < text.length && end - at <= longestKey && isBare(text.charCodeAt(end))) end += 1;
  if (scanner.wantsMore(end) && end - at <= longestKey) return 'more';
  return end === at || end - at > longestKey ? 'no' : { text: text.slice(at, end), end };
}

/** The reply is over inside the quotation marks of a key that begins at `at`. */
export function endsInKey({ text, ended }: Scanner, at: number): boolean {
  const quote = text.charAt(at);
  if (!ended || (quote !== '"' && quote !== "'")) return false;
  return text.length - at <= longestKey && !text.includes(quote, at + 1);
}

function isBare(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
}
