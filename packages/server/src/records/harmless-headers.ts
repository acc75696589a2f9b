/** Headers that a reply may hang on, and that hold no secret. All others stay out of every record. */
const harmless: ReadonlySet<string> = new Set([
  'accept',
  'anthropic-beta',
  'anthropic-version',
  'content-type',
  'openai-beta',
  'session-id',
  'session_id',
  'user-agent',
  'x-conversation-id',
  'x-session-id',
]);

/** The headers that may be recorded, names in lower case. */
export function harmlessHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const lower = name.toLowerCase();
    const value = headers[name];
    if (harmless.has(lower) && value !== undefined) kept[lower] = String(value);
  }
  return kept;
}
