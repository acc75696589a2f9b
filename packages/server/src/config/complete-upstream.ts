import { wireOfAddress } from '@dragoman/core';
import { isRecord } from '../is-record.ts';
import { entriesOf, fieldOf } from './raw-value.ts';

/**
 * An upstream as it counts, from what is written: an address alone is one, the wire is told by the address where nothing
 * else does, and who names no model means those that the server has. What is of another kind stays for the schema.
 */
export function completeUpstream(written: unknown): unknown {
  const given: unknown = typeof written === 'string' ? { baseUrl: written } : written;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const { anyModel, ...rest }: { anyModel?: unknown } = given;
  const baseUrl = fieldOf(given, 'baseUrl');
  const models = fieldOf(given, 'models');
  const namesNone = models === undefined || (isRecord(models) && entriesOf(models).length === 0);
  const open = anyModel === true || (anyModel === undefined && namesNone) ? {} : anyModel;
  return {
    ...(fieldOf(given, 'workers') === undefined ? { wire: wireOf(baseUrl) } : {}),
    ...rest,
    ...(open === undefined || open === false ? {} : { anyModel: open }),
  };
}

/** Of what is no address, or has none, only that is said. */
function wireOf(baseUrl: unknown): string {
  return typeof baseUrl === 'string' && URL.canParse(baseUrl) ? wireOfAddress(new URL(baseUrl)) : 'openai-chat';
}

/** The same for all of a configuration's upstreams. */
export function completeUpstreams(raw: unknown): unknown {
  const upstreams = fieldOf(raw, 'upstreams');
  if (!isRecord(raw) || !isRecord(upstreams)) return raw;
  return {
    ...raw,
    upstreams: Object.fromEntries(entriesOf(upstreams).map(([name, each]) => [name, completeUpstream(each)])),
  };
}
