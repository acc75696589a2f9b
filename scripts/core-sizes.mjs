import { gzipSync } from 'node:zlib';
import { bundle } from './bundle.mjs';

/** What programs take of the core, from little to everything, and what stands on it. */
const takings = {
  'reading one dialect': `
    export { createParserStream, parseAllToolCalls, parseStream } from '@dragoman/core/parse';
    export { hermes } from '@dragoman/core/dialects/hermes';`,
  'reading and writing one dialect': `
    export * from '@dragoman/core/parse';
    export { hermes } from '@dragoman/core/dialects/hermes';`,
  'reading and writing all dialects': `
    export * from '@dragoman/core/parse';
    export { dialects } from '@dragoman/core/dialects';`,
  'the engine for one server': `export { createDirectClient } from '@dragoman/core';`,
  'the whole core': `export * from '@dragoman/core';`,
  'the agent over a folder': `export * from '@dragoman/agent';`,
};

/** Bytes of each, minified, and compressed with gzip. */
export async function coreSizes() {
  const sizes = [];
  for (const [taking, source] of Object.entries(takings)) {
    const code = await bundle(source);
    sizes.push({ taking, minified: Buffer.byteLength(code), gzip: gzipSync(code).length });
  }
  return sizes;
}
