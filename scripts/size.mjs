import { coreSizes } from './core-sizes.mjs';

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`.padStart(10);

console.log(`${''.padEnd(34)}${'minified'.padStart(10)}${'gzip'.padStart(10)}`);
for (const { taking, minified, gzip } of await coreSizes()) {
  console.log(`${taking.padEnd(34)}${kilobytes(minified)}${kilobytes(gzip)}`);
}
