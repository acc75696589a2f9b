import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundleObsidian } from './bundle-obsidian.mjs';
import { root } from './ensure.mjs';

// The three files that Obsidian has a plugin in.

const folder = join(root, 'packages/obsidian');
const dist = join(folder, 'dist/plugin');
mkdirSync(dist, { recursive: true });
const code = await bundleObsidian();
writeFileSync(join(dist, 'main.js'), code);
for (const file of ['manifest.json', 'styles.css']) copyFileSync(join(folder, file), join(dist, file));
const kilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`;
console.log(
  `packages/obsidian/dist/plugin: main.js has ${kilobytes(code.length)}, ${kilobytes(gzipSync(code).length)} with gzip`,
);
