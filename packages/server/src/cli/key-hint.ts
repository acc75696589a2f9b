import type { Config } from '../config/schema.ts';
import type { Terminal } from './terminal.ts';

/** Where a client finds a key: a variable of the environment that holds one, or whoever wrote the configuration. */
export interface KeyHint {
  readonly variable?: string;
}

/** Where a client finds a key; undefined when it needs none. A variable is better than a key that somebody has to type. */
export function keyHint({ auth, keys }: Config, env: Terminal['env']): KeyHint | undefined {
  if (auth.mode === 'off' || keys.length === 0) return undefined;
  for (const { name, key } of keys) {
    if (key.startsWith('env:')) return { variable: key.slice('env:'.length) };
    // A key that the environment added is named after its variable.
    if (env[name]?.trim() === key) return { variable: name };
  }
  return {};
}
