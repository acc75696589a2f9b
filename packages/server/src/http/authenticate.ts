import { timingSafeEqual } from 'node:crypto';
import { DragomanError } from '@dragoman/core';

export interface NamedKey {
  readonly name: string;
  readonly key: string;
}

/**
 * Returns the name of the caller's key, which is in `Authorization: Bearer …` or in `x-api-key`; where both hold one, one
 * has to be known. Throws `key-missing` (absent or malformed) or `key-wrong`.
 */
export type Authenticate = (authorization: string | undefined, apiKey?: string) => string;

const scheme = 'bearer';

/**
 * Checks a caller's key. Each key is compared every time, whole and as long as the longest one, so the time taken tells
 * nothing of how near a guess was.
 */
export function createAuthenticate(keys: readonly NamedKey[]): Authenticate {
  const room = Math.max(0, ...keys.map(({ key }) => Buffer.byteLength(key)));
  const known = keys.map(({ name, key }) => ({ name, padded: padded(key, Buffer.alloc(lengthSize + room)) }));
  const offered = Buffer.alloc(lengthSize + room);
  return (authorization, apiKey) => {
    let found: string | undefined;
    for (const key of keysIn(authorization, apiKey)) {
      const given = padded(key, offered);
      for (const { name, padded } of known) {
        if (timingSafeEqual(padded, given) && found === undefined) found = name;
      }
    }
    if (found === undefined)
      throw new DragomanError(
        'key-wrong',
        'This API key is not known here: it must be one of "keys" in the configuration of the gateway.',
      );
    return found;
  };
}

const lengthSize = 4;

/** A key as it is compared: its length, and as much of it as there is room for. */
function padded(key: string, into: Buffer): Buffer {
  into.fill(0);
  into.writeUInt32LE(Buffer.byteLength(key));
  into.write(key, lengthSize);
  return into;
}

/** The keys that a request offers: `x-api-key`, and the header for all where it says one or the other says none. */
function keysIn(authorization: string | undefined, apiKey: string | undefined): readonly string[] {
  const own = apiKey?.trim() ?? '';
  if (own === '') return [readBearer(authorization)];
  return isBearer(authorization) ? [own, readBearer(authorization)] : [own];
}

function isBearer(authorization = ''): boolean {
  const header = authorization.trim();
  return header.slice(0, scheme.length).toLowerCase() === scheme && /^\s+\S/.test(header.slice(scheme.length));
}

/** Nothing after `Bearer` is how Copilot's Ollama provider says that it has no key. */
function readBearer(authorization: string | undefined): string {
  const header = authorization?.trim() ?? '';
  if (isBearer(header)) return header.slice(scheme.length).trim();
  const wrong =
    header === '' || header.toLowerCase() === scheme
      ? 'No API key was sent'
      : 'The Authorization header cannot be read';
  throw new DragomanError('key-missing', `${wrong}; send "Authorization: Bearer <key>" or "x-api-key: <key>".`);
}
