// A thread that counts tokens: the table of the tokenizer takes a quarter of a second to load, and a long prompt some
// milliseconds to count. It is JavaScript because Node 20 starts no thread from TypeScript, and tests run from sources.
// src/tokens/count-text-tokens.ts is the only one to start it.
import { existsSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

// In the repository it need not be bundled; an installed package has nothing else.
const inRepository = existsSync(new URL('../src', import.meta.url));
const { countTokens, setMergeCacheSize } = await import(
  inRepository ? 'gpt-tokenizer/encoding/o200k_base' : '../dist/bundle/tokenizer.js'
);

// Words that are found again. Of a hundred thousand, as many as is usual, each new one takes longer to make room for than to count.
setMergeCacheSize(1000);

// A prompt may quote special tokens; here they are text like any other.
const options = { disallowedSpecial: new Set() };

parentPort.on('message', ({ id, pieces }) => {
  parentPort.postMessage({ id, counts: pieces.map((piece) => countTokens(piece, options)) });
});
