import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundleVscode } from './bundle-vscode.mjs';
import { root } from './ensure.mjs';

// One script for desktop, remote and web extension hosts. What it weighs and how long it takes to start is printed.

const file = join(root, 'packages/vscode/dist/extension.js');
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, await bundleVscode());

const code = readFileSync(file);
const kilobytes = (bytes) => `${(bytes.length / 1000).toFixed(1)} kB`;
console.log(`dist/extension.js: ${kilobytes(code)}, ${kilobytes(gzipSync(code))} with gzip`);
const { wall, processor } = activationTime();
console.log(`activation: ${wall.toFixed(1)} ms to load and activate, ${processor.toFixed(1)} ms of the processor`);

/**
 * Milliseconds, with an editor whose every member is there and does nothing. Beside other work the clock tells little, the
 * processor's own time more.
 */
function activationTime() {
  // Only a function of this kind can also be constructed.
  const anything = new Proxy(function anyMember() {}, {
    apply: () => anything,
    set: () => true,
    get: (_, name) => (name === Symbol.toPrimitive ? () => '' : name === 'then' ? undefined : anything),
    construct: () => anything,
  });
  const members = ['window', 'workspace', 'lm', 'commands', 'EventEmitter', 'StatusBarAlignment', 'Uri'];
  const editor = Object.fromEntries(members.map((member) => [member, anything]));
  const load = Module._load;
  Module._load = (name, ...rest) => (name === 'vscode' ? editor : load(name, ...rest));
  try {
    const before = process.cpuUsage();
    const began = performance.now();
    const { activate } = createRequire(file)(file);
    const globalState = { get: () => undefined, update: async () => {} };
    activate({ subscriptions: [], globalState, secrets: anything, logUri: anything, extension: { packageJSON: {} } });
    const { user, system } = process.cpuUsage(before);
    return { wall: performance.now() - began, processor: (user + system) / 1000 };
  } finally {
    Module._load = load;
  }
}
