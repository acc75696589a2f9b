import { readFileSync } from 'node:fs';
import { codeOf } from '../code-of.ts';

/** What may be in a header: printable characters on one line, the first of them no space. */
export const secretPattern = /^[!-~\u00a0-\u00ff][ -~\u00a0-\u00ff]*$/;

/** More bytes are no secret but a mistake in the path. */
const longestSecret = 65_536;

/** A secret out of a file, or in words why there is none. */
export type SecretReading = { readonly secret: string } | { readonly problem: string };

/** The one line that a file holds. */
export function readSecretFile(path: string): SecretReading {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (thrown) {
    const code = codeOf(thrown);
    return { problem: code === 'ENOENT' ? 'is not there' : `cannot be read (${code})` };
  }
  const secret = text.trimEnd();
  if (secret === '') return { problem: 'is empty' };
  if (secret.length > longestSecret || !secretPattern.test(secret)) {
    return { problem: 'must hold one line of printable characters' };
  }
  return { secret };
}

/** Values that are remembered for whoever takes secrets out of what is written. */
const mostRecent = 100;

/**
 * Secrets that are in files and may be renewed there while the gateway runs. A file that cannot be used, because
 * somebody is just writing it, leaves its last secret standing.
 */
export class SecretFiles {
  readonly #values = new Map<string, string>();
  #recent: readonly string[] = [];

  /** What the file holds now. Empty if it never held a secret. */
  read(path: string): string {
    const reading = readSecretFile(path);
    const before = this.#values.get(path) ?? '';
    if (!('secret' in reading) || reading.secret === before) return before;
    this.#values.set(path, reading.secret);
    this.#recent = [...this.#recent, reading.secret].slice(-mostRecent);
    return reading.secret;
  }

  /** All that was read lately, the newest last. The same list as long as nothing is renewed. */
  get recent(): readonly string[] {
    return this.#recent;
  }
}
