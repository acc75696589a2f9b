import { formatPath } from './problem.ts';
import type { Finding } from './read-findings.ts';
import type { Config } from './schema.ts';

/** What may be meant as it stands and most often is not, in sentences for whoever starts or checks a gateway. */
export function configWarnings(config: Config): readonly string[] {
  const findings = [
    ...shortTimes(config.timeouts, ['timeouts']),
    ...Object.entries(config.upstreams).flatMap(([name, { timeouts, baseUrl, wire }]) => [
      ...shortTimes(timeouts, ['upstreams', name, 'timeouts']),
      ...bareAddress({ baseUrl, wire }, ['upstreams', name, 'baseUrl']),
    ]),
  ];
  return findings.map(({ path, reason }) => `${formatPath(path)}: ${reason}`);
}

/** Seconds that were written where milliseconds count. */
function shortTimes(timeouts: Readonly<Record<string, number | undefined>>, path: Finding['path']): Finding[] {
  return ['connect', 'firstToken', 'idle', 'total', 'turn', 'drain'].flatMap((name) => {
    const time = timeouts[name];
    if (time === undefined || time === 0 || time >= 1000) return [];
    const reason = `${time} counts as milliseconds, which is less than a second; for ${time} seconds write ${time * 1000}`;
    return [{ path: [...path, name], reason }];
  });
}

/** Nearly every server has its API below a path; a few have it at the root as well. */
function bareAddress(
  { baseUrl, wire }: { readonly baseUrl: string | undefined; readonly wire: string },
  path: Finding['path'],
): Finding[] {
  const isOpenPath = ['openai-chat', 'openai-responses', 'openai-completions', 'anthropic-messages'].includes(wire);
  if (baseUrl === undefined || !isOpenPath || new URL(baseUrl).pathname !== '/') return [];
  const { origin } = new URL(baseUrl);
  return [{ path, reason: `has no path, and most servers have this API at "${origin}/v1"` }];
}
