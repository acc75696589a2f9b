import { createHash, timingSafeEqual } from 'node:crypto';
import { GatewayError } from '@dragoman/core';

export interface NamedKey {
  readonly name: string;
  readonly key: string;
}

/** Returns the name of the caller's key. Throws `key-missing` (absent or malformed) or `key-wrong`. */
export type Authenticate = (authorization: string | undefined) => string;

const scheme = 'bearer';

/**
 * Checks `Authorization: Bearer …`. Keys are compared by their digests, each one every time, so the time taken tells
 * nothing of how near a guess was.
 */
export function createAuthenticate(keys: readonly NamedKey[]): Authenticate {
  const digests = keys.map(({ name, key }) => ({ name, digest: digestOf(key) }));
  return (authorization) => {
    const given = digestOf(readBearer(authorization));
    let found: string | undefined;
    for (const { name, digest } of digests) {
      if (timingSafeEqual(digest, given) && found === undefined) found = name;
    }
    if (found === undefined) throw new GatewayError('key-wrong', 'This API key is not known here.');
    return found;
  };
}

/** Nothing behind `Bearer` is how Copilot's Ollama provider says that it has no key. */
function readBearer(authorization: string | undefined): string {
  const header = authorization?.trim() ?? '';
  const key = header.slice(scheme.length).trim();
  const isBearer = header.slice(0, scheme.length).toLowerCase() === scheme && /^\s/.test(header.slice(scheme.length));
  if (isBearer && key !== '') return key;
  const wrong =
    header === '' || header.toLowerCase() === scheme
      ? 'No API key was sent'
      : 'The Authorization header cannot be read';
  throw new GatewayError('key-missing', `${wrong}; send "Authorization: Bearer <key>".`);
}

function digestOf(key: string): Buffer {
  return createHash('sha256').update(key, 'utf8').digest();
}
