import querystring from 'node:querystring';
import { resolveSecret } from '../config/check-references.ts';
import type { Config } from '../config/schema.ts';
import type { Terminal } from './terminal.ts';

/** Every secret that the configuration holds or names, for whoever takes them out of what is written. */
export function secretsOf(config: Config, env: Terminal['env']): readonly string[] {
  return [
    ...config.keys.map(({ key }) => resolveSecret(key, env)),
    ...(config.nonceSecret === undefined ? [] : [resolveSecret(config.nonceSecret, env)]),
    ...Object.values(config.upstreams).flatMap(({ apiKey, headers, workers }) =>
      [apiKey, workers?.token, ...Object.values(headers)].flatMap((each) =>
        each === undefined ? [] : [resolveSecret(each, env)],
      ),
    ),
    ...(typeof config.store === 'string' ? [] : addressSecrets(resolveSecret(config.store.postgres, env))),
  ];
}

/** The address of a database, and the password in it, as it is there and as it is meant. */
function addressSecrets(address: string): readonly string[] {
  const password = URL.canParse(address) ? new URL(address).password : '';
  return [address, password, querystring.unescape(password)].filter((secret) => secret !== '');
}
