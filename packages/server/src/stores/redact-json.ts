import type { Redact } from '../log/redact.ts';

/** Fields whose values have a meaning of their own, so that a secret like an ordinary word cannot break what is stored. */
const structural = new Set([
  'type',
  'role',
  'status',
  'object',
  'id',
  'call_id',
  'name',
  'model',
  'owner',
  'previousId',
]);

/** The JSON of a value, without the secrets that are in its strings. */
export function redactedJson(value: unknown, redact: Redact): string {
  return JSON.stringify(value, (key, each: unknown) =>
    typeof each === 'string' && !structural.has(key) ? redact(each) : each,
  );
}
