import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { isWhole } from './packages/testkit/src/how-much.ts';
import { Progress } from './test/progress.ts';

const source = (path: string) => fileURLToPath(new URL(`./packages/${path}`, import.meta.url));

// Package names point at sources, so tests never run against a stale build.
export default defineConfig({
  resolve: {
    alias: [
      { find: /^@dragoman\/agent$/, replacement: source('agent/src/index.ts') },
      { find: /^@dragoman\/agent\/(.+)$/, replacement: `${source('agent/src')}/$1.ts` },
      { find: /^@dragoman\/ai-sdk$/, replacement: source('ai-sdk/src/index.ts') },
      { find: /^@dragoman\/conformance$/, replacement: source('conformance/src/index.ts') },
      { find: /^@dragoman\/core$/, replacement: source('core/src/index.ts') },
      { find: /^@dragoman\/core\/dialects$/, replacement: source('core/src/dialects/registry.ts') },
      { find: /^@dragoman\/core\/dialects\/([^/]+)$/, replacement: `${source('core/src/dialects')}/$1/index.ts` },
      { find: /^@dragoman\/core\/(.+)$/, replacement: `${source('core/src')}/$1.ts` },
      {
        find: /^@dragoman\/openresponses-client$/,
        replacement: source('openresponses-client/src/index.ts'),
      },
      { find: /^@dragoman\/server$/, replacement: source('server/src/index.ts') },
      { find: /^@dragoman\/testkit$/, replacement: source('testkit/src/index.ts') },
      { find: /^@dragoman\/testkit\/histories$/, replacement: source('testkit/src/histories/index.ts') },
      { find: /^@dragoman\/worker$/, replacement: source('worker/src/index.ts') },
      // Obsidian's own module is nowhere but in Obsidian.
      { find: /^obsidian$/, replacement: 'obsidian-test-mocks/obsidian' },
      // The editor's own module is nowhere but in the editor.
      { find: /^vscode$/, replacement: source('vscode/test/fake-vscode.ts') },
    ],
  },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'test/**/*.test.ts',
      // Processes, terminals, databases, load, and waiting for platforms take seconds each: CI waits for them.
      ...(isWhole ? ['packages/server/test/**/*.real.ts', 'test/platforms/*.real.ts'] : []),
    ],
    // What tests write and start ends with them, also when they are stopped. What tokens are counted with is written by the build,
    // which tests from sources do without.
    globalSetup: ['scratch', 'vocabulary'].map((name) =>
      fileURLToPath(new URL(`./scripts/${name}.mjs`, import.meta.url)),
    ),
    setupFiles: ['test/random-examples.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What else runs on this machine is no part of a test.
    env: { DRAGOMAN_FIND_UPSTREAMS: 'false' },
    // Loading core and the SDKs again for each file took most of the time, so the files of a worker share them: a test
    // puts back whatever it changes beyond itself.
    isolate: false,
    // Tests run much code a few times each: optimizing it, with all that it calls in one piece, took more time than that saved.
    execArgv: ['--max-inlined-bytecode-size-cumulative=100'],
    // What a source becomes is kept on disk until it changes.
    experimental: { fsModuleCache: true },
    // Tests wait for servers half of the time: one worker more than there are cores keeps all of them busy.
    maxWorkers: availableParallelism() + 1,
    // How far it is, failures and a summary; a list of every file is one flag away: --reporter=default.
    reporters: [new Progress(), 'minimal'],
  },
});
