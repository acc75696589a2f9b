/** Foreign text, quoted and short enough for a log line. */
export function brief(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
