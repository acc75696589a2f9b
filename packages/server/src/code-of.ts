/**
 * What Node or a driver calls a failure, such as `ENOENT`; empty where it has no name. Of several failed attempts (IPv6, then
 * IPv4) the name is on the attempts.
 */
export function codeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return '';
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  return code === '' && thrown instanceof AggregateError ? codeOf(thrown.errors[0]) : code;
}
