import { entriesOf, fieldOf } from './raw-value.ts';
import type { Finding } from './read-findings.ts';
import type { Config } from './schema.ts';

/**
 * Checks that each upstream is called or has workers, and that what is said of workers fits its wire. Works on the raw
 * value; what the schema complains about already is passed over.
 */
export function checkWorkers(upstreams: readonly (readonly [string, unknown])[]): Finding[] {
  return upstreams.flatMap(([name, upstream]): Finding[] => {
    const at = ['upstreams', name];
    const workers = fieldOf(upstream, 'workers');
    const isCalled = fieldOf(upstream, 'baseUrl') !== undefined;
    if (workers === undefined) {
      if (isCalled || typeof upstream !== 'object') return [];
      return [
        { path: [...at, 'baseUrl'], reason: 'is missing; expected its address, or "workers" where workers connect' },
      ];
    }
    const findings: Finding[] = [];
    if (isCalled) {
      findings.push({
        path: [...at, 'workers'],
        reason: 'an upstream is called at its "baseUrl", or its "workers" connect; leave one of them out',
      });
    }
    if (fieldOf(upstream, 'apiKey') !== undefined) {
      findings.push({
        path: [...at, 'apiKey'],
        reason: 'the key of a server behind a worker is for the worker to know; leave it out',
      });
    }
    return [...findings, ...checkSpeaking(upstream, [...at, 'workers'])];
  });
}

function checkSpeaking(upstream: unknown, path: Finding['path']): Finding[] {
  const workers = fieldOf(upstream, 'workers');
  const wire = fieldOf(upstream, 'wire');
  if (fieldOf(workers, 'speak') !== 'commands') {
    if (fieldOf(workers, 'relay') === undefined) return [];
    return [{ path: [...path, 'relay'], reason: 'such workers know commands only; set "speak": "commands"' }];
  }
  if (wire !== 'conversation') {
    const reason = `commands belong to the wire "conversation"; for ${String(wire)} leave "speak" out`;
    return typeof wire === 'string' ? [{ path: [...path, 'speak'], reason }] : [];
  }
  return entriesOf(fieldOf(upstream, 'conversation')).flatMap(([step, template]): Finding[] => {
    const command = fieldOf(template, 'path');
    if (!['create', 'first', 'send'].includes(step) || typeof command !== 'string') return [];
    if (/^\/[\w.-]+$/.test(command)) return [];
    const reason = 'names a command of the workers: a "/" and then letters, digits, "_", "-" and "."';
    return [{ path: [...path.slice(0, -1), 'conversation', step, 'path'], reason }];
  });
}

/** Where clients need keys, workers need a token: whoever connects answers for the model. */
export function refuseOpenWorkers(config: Config): Finding | undefined {
  if (config.auth.mode === 'off' || config.keys.length === 0) return undefined;
  const open = Object.entries(config.upstreams).find(
    ([, { workers }]) => workers !== undefined && workers.token === undefined,
  );
  if (open === undefined) return undefined;
  return {
    path: ['upstreams', open[0], 'workers'],
    reason:
      'needs a "token": clients need a key here, and whoever connects as a worker sees what they ask and answers it',
  };
}
