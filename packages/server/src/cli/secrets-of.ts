import { resolveSecret } from '../config/check-references.ts';
import type { Config } from '../config/schema.ts';
import type { Terminal } from './terminal.ts';

/** Every secret that the configuration holds or names, for whoever takes them out of what is written. */
export function secretsOf(config: Config, env: Terminal['env']): readonly string[] {
  return [
    ...config.keys.map(({ key }) => resolveSecret(key, env)),
    ...Object.values(config.upstreams).flatMap(({ apiKey, headers }) =>
      [...(apiKey === undefined ? [] : [apiKey]), ...Object.values(headers)].map((each) => resolveSecret(each, env)),
    ),
  ];
}
