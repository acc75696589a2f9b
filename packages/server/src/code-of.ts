/** What Node or a driver calls a failure, such as `ENOENT`; empty where it has no name. */
export function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
}
