/** Nobody waits longer; more is a mistake of the upstream, and numbers far above it are not written as digits. */
const longestRetryAfter = 24 * 60 * 60;

/** The header `retry-after` as whole seconds from now, out of a number, which some servers write with decimals, or a date; at most a day. Undefined where it says nothing. */
export function retryAfterOf(value: string): number | undefined {
  if (value === '') return undefined;
  const seconds = Math.ceil(/^\d+(\.\d+)?$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000);
  return Number.isFinite(seconds) ? Math.min(longestRetryAfter, Math.max(0, seconds)) : undefined;
}
