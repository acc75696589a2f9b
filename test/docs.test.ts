import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checks } from '@dragoman/conformance';
import { errorKinds, localServers, vendors, wireOfAddress } from '@dragoman/core';
import { warningCodes } from '@dragoman/core/chat/warning';
import { run } from '@dragoman/server';
import { sample } from '@dragoman/testkit';
import { parse as parseJsonc } from 'jsonc-parser';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { startTestGateway, type TestGateway } from '../packages/server/test/start-test-gateway.ts';
import { testTerminal } from '../packages/server/test/test-terminal.ts';
import { findDocuments } from './documents/find-documents.ts';
import { missingLine } from './documents/match-output.ts';
import { type Block, type Document, fileOf, readDocument } from './documents/read-document.ts';
import { runShell, startShell } from './documents/run-shell.ts';
import { createSnippetFolder } from './documents/snippet-folder.ts';

// CONTRIBUTING.md, section "Documents", says what the second word after a fence means.

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const documents = findDocuments(root).map((path) => readDocument(root, path));
const blocks = documents.flatMap((document) => document.blocks);

/** The address that documents name; the test's own gateway takes its place. */
const address = '127.0.0.1:11434';

let gateway: TestGateway;
const folder = createSnippetFolder(root);
// What a command keeps goes away with the snippets.
const env = {
  OAI_API_KEY: 'k-1',
  LOCAL_KEY: 'k-2',
  MOONSHOT_API_KEY: 'k-3',
  XDG_STATE_HOME: join(folder.path, 'state'),
};
const here = (text: string) => text.replaceAll(address, `127.0.0.1:${gateway.port}`);

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterAll(async () => {
  await gateway.close();
  folder.remove();
});

const nameOf = ({ document, line, language, use }: Block) => `${document}:${line} ${language} ${use}`;
const blocksFor = (language: readonly string[], use: string) =>
  blocks
    .filter((block) => language.includes(block.language) && block.use === use)
    .map((block) => [nameOf(block), block] as const);

/** The package.json of the repository, or of the workspace with that name. */
function packageOf(name: string | undefined): { readonly scripts: object } {
  const read = (folder: string) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const whole = read('.');
  if (name === undefined) return whole;
  const left: readonly string[] = whole.workspaces;
  const folders = readdirSync(join(root, 'packages')).map((each) => `packages/${each}`);
  const workspaces = folders.filter((each) => !left.includes(`!${each}`)).map(read);
  return workspaces.find((each) => each.name === name) ?? { scripts: {} };
}

/** The block that tells what `block` prints, if one follows. */
function outputOf(block: Block): Block | undefined {
  const next = blocks[blocks.indexOf(block) + 1];
  return next?.document === block.document && next.use === 'output' ? next : undefined;
}

function expectOutput(block: Block, output: string): void {
  const expected = outputOf(block);
  if (expected === undefined) return;
  const missing = missingLine(here(expected.text), output);
  if (missing !== undefined) expect.fail(`${nameOf(expected)}: no line ${JSON.stringify(missing)} in\n${output}`);
}

describe('snippets', () => {
  const uses: Readonly<Record<string, readonly string[]>> = {
    sh: ['run', 'start', 'outside', 'client'],
    json: ['config', 'client', 'trace'],
    jsonc: ['config', ''],
    toml: ['client'],
    yaml: ['client'],
    ts: ['run', 'file'],
    md: ['file'],
    text: ['', 'output', 'trace', 'found'],
  };

  it('all say what a test does with them', () => {
    const unknown = blocks.filter(({ language, use }) => !uses[language]?.includes(use));
    expect(unknown.map(nameOf)).toEqual([]);
  });

  it.each(sample(blocksFor(['sh'], 'run'), 4))(
    '%s',
    async (_, block) => expectOutput(block, await runShell(here(block.text), { root, env })),
    120_000,
  );

  it.each(blocksFor(['sh'], 'start'))(
    '%s',
    async (_, block) => {
      const last = outputOf(block)?.text.split('\n').at(-1) ?? '';
      const [until = ''] = last.split(new RegExp(`…|${address}`));
      const free = { DRAGOMAN_PORT: '0' };
      const output = await startShell(block.text, { root, env: free, until });
      const port = /127\.0\.0\.1:(\d+)/.exec(output)?.[1];
      const expected = outputOf(block)?.text.replaceAll(address, `127.0.0.1:${port}`) ?? '';
      expect(missingLine(expected, output), output).toBeUndefined();
    },
    120_000,
  );

  it.each(blocksFor(['sh'], 'outside'))('%s names commands that exist', (_, block) => {
    const lines = block.text.split('\n').filter((line) => line.startsWith('npm ') && line !== 'npm ci');
    for (const line of lines) {
      const [, command, script = ''] = line.split(/\s+/);
      const { scripts } = packageOf(/ -w (\S+)/.exec(line)?.[1]);
      expect(scripts).toHaveProperty(command === 'run' ? script : `${command}`);
    }
    for (const [path] of block.text.matchAll(/\b(packages|docs|test|bench|scripts)\/[\w./-]+/g)) {
      expect(existsSync(join(root, path)), path).toBe(true);
    }
  });

  const configurations = [...blocksFor(['json', 'jsonc'], 'config'), ...blocksFor(['jsonc'], '')];
  it.each(configurations)('%s', async (_, block) => {
    const file = folder.write(`config-${block.line}.jsonc`, block.text);
    const keys = Object.fromEntries(vendors.flatMap((vendor) => vendor.keys.map((key) => [key, 'k-3'])));
    const terminal = testTerminal({ env: { ...env, ...keys } });
    expect(await run(['check-config', file], terminal), terminal.err()).toBe(0);
  });

  it.each(blocksFor(['json'], 'client'))('%s names addresses and models that exist', async (_, block) => {
    const text = here(block.text);
    const { data } = await (await fetch(`${gateway.url}/v1/models`)).json();
    const ids = data.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining(modelsIn(JSON.parse(text))));
    const addresses = [...text.matchAll(/http:\/\/[^"]+/g)].map(([url]) => new URL(url).pathname);
    // A list of models alone has no address.
    expect(addresses.length + modelsIn(JSON.parse(text)).length).toBeGreaterThan(0);
    for (const path of addresses) expect(['/', '/v1', '/v1/chat/completions']).toContain(path);
  });

  it.each(blocksFor(['toml'], 'client'))('%s names an address and a model that exist', async (_, block) => {
    const valueUnder = (key: string) => new RegExp(`^${key} = "([^"]*)"$`, 'm').exec(block.text)?.[1] ?? '';
    const { data } = await (await fetch(`${here(valueUnder('base_url'))}/models`)).json();
    expect(data.map(({ id }: { id: string }) => id)).toContain(valueUnder('model'));
    expect(block.text).toContain(`[model_providers.${valueUnder('model_provider')}]`);
  });

  it.each(blocksFor(['yaml'], 'client'))('%s names addresses and models that exist', async (_, block) => {
    const { models } = parseYaml(here(block.text));
    for (const { apiBase, model } of models) {
      const { data } = await (await fetch(`${apiBase}${apiBase.endsWith('/v1') ? '' : '/v1'}/models`)).json();
      expect(data.map(({ id }: { id: string }) => id)).toContain(model);
    }
  });

  it.each(sample(blocksFor(['ts'], 'run'), 2))('%s', async (_, block) => {
    const name = `${block.document.replaceAll('/', '-')}-${block.line}.ts`;
    const file = folder.write(name, `${here(block.text)}\nexport {};\n`);
    const printed: string[] = [];
    const log = vi.spyOn(console, 'log').mockImplementation((...values) => {
      printed.push(values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' '));
    });
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed.push(String(text));
      return true;
    });
    try {
      await import(file);
    } finally {
      log.mockRestore();
      write.mockRestore();
    }
    expectOutput(block, printed.join('\n'));
  });

  it('in TypeScript have the types that they claim', async () => {
    const checked = createSnippetFolder(root);
    try {
      for (const [, block] of blocksFor(['ts'], 'run')) {
        checked.write(`${block.document.replaceAll('/', '-')}-${block.line}.ts`, `${block.text}\nexport {};\n`);
      }
      const files = new Map(blocksFor(['ts'], 'file').map(([, block]) => fileOf(block)));
      checked.writeAsIf(files);
      const config = { extends: '../../tsconfig.tests.json', include: ['./**/*.ts'], exclude: [] };
      const options = { compilerOptions: { incremental: false, tsBuildInfoFile: null } };
      checked.write('tsconfig.json', JSON.stringify({ ...config, ...options }));
      await runShell(`tsc -p ${JSON.stringify(checked.path)} --noEmit`, { root });
    } finally {
      checked.remove();
    }
  }, 120_000);
});

/** The names of models in a client's configuration: the keys or the entries' ids below `models` and the like. */
function modelsIn(value: unknown, key = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (key.toLowerCase().endsWith('models')) {
    return Array.isArray(value)
      ? value.map(({ id, slug = '' }: { id?: string; slug?: string }) => id ?? slug)
      : Object.keys(value);
  }
  return Object.entries(value).flatMap(([name, inner]) => modelsIn(inner, name));
}

describe('links', () => {
  it.each(documents.map((document) => [document.path, document] as const))('of %s lead somewhere', (_, document) => {
    const broken = document.links.filter(({ target }) => !leadsSomewhere(document, target));
    expect(broken).toEqual([]);
  });
});

function leadsSomewhere(document: Document, target: string): boolean {
  if (/^https?:/.test(target)) return true;
  const [path = '', anchor] = target.split('#');
  const at = path === '' ? document.path : posix.join(posix.dirname(document.path), path);
  if (!existsSync(join(root, at))) return false;
  if (anchor === undefined || statSync(join(root, at)).isDirectory()) return true;
  return readDocument(root, at).anchors.has(anchor);
}

describe('docs/README.md', () => {
  it('leads to every page', () => {
    const { links } = readDocument(root, 'docs/README.md');
    const led = links.map(({ target }) => posix.join('docs', target));
    const pages = documents.map(({ path }) => path).filter((path) => path.startsWith('docs/'));
    expect(pages.filter((path) => !led.includes(path))).toEqual(['docs/README.md']);
  });
});

describe('docs/upstreams', () => {
  const pageOf = (id: string) => `docs/upstreams/${id.replace('.', '-')}.md`;
  const partsOf = (path: string, use: string) => {
    const document = documents.find((each) => each.path === path);
    return document?.blocks.filter((block) => block.use === use).map(({ text }) => text);
  };
  const configured = (path: string) => {
    const [text = '{}'] = partsOf(path, 'config') ?? [];
    const [first] = Object.values<Record<string, string>>(parseJsonc(text).upstreams);
    return [first?.wire ?? wireOfAddress(new URL(first?.baseUrl ?? '')), first?.baseUrl];
  };

  it.each(localServers.filter(({ kind }) => existsSync(join(root, pageOf(kind)))))(
    'says of $kind what discovery knows',
    ({ kind, name, ports: [port], api }) => {
      const origin = `http://127.0.0.1:${port}`;
      expect(partsOf(pageOf(kind), 'found')).toEqual([`${name} at ${origin}`]);
      expect(configured(pageOf(kind))).toEqual([api, api === 'ollama-chat' ? origin : `${origin}/v1`]);
    },
  );

  it.each(vendors.filter(({ id }) => existsSync(join(root, pageOf(id)))))(
    'says of $id what discovery knows',
    ({ id, keys, elsewhere, baseUrl, api }) => {
      const text = readFileSync(join(root, pageOf(id)), 'utf8');
      const words = [...keys, ...(elsewhere === undefined ? [] : [elsewhere]), `\`${id}/`];
      expect(words.filter((word) => !text.includes(word))).toEqual([]);
      expect(configured(pageOf(id))).toEqual([api, baseUrl]);
    },
  );

  it('has a page for each that people ask for', () => {
    const names = documents.flatMap(({ path }) => /^docs\/upstreams\/(.+)\.md$/.exec(path)?.[1] ?? []);
    const wanted = [
      'ollama',
      'lm-studio',
      'llama-cpp',
      'vllm',
      'sglang',
      'openrouter',
      'openai',
      'anthropic',
      'gemini',
      'vendors',
    ];
    expect(names.sort()).toEqual([...wanted, 'qwen-chat'].sort());
  });
});

describe('docs/operations.md', () => {
  it('explains every field of a log line, and no other', () => {
    const source = readFileSync(join(root, 'packages/server/src/log/request-note.ts'), 'utf8');
    const [, body = ''] = source.split('export class RequestNote {\n');
    const fields = [...body.slice(0, body.indexOf('\n}')).matchAll(/^ {2}(?:readonly )?(\w+)\??:/gm)];
    const [, told = ''] = readFileSync(join(root, 'docs/operations.md'), 'utf8').split('\n| field | meaning |\n');
    const names = [...told.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = '']) =>
      cell.replaceAll('`', '').split(', '),
    );
    const ours = ['level', 'time', 'status', 'ms'];
    expect(names.sort()).toEqual([...ours, ...fields.map(([, name = '']) => name)].sort());
  });
});

describe('docs/conformance.md', () => {
  it('explains every check, and no other', () => {
    const [, told = ''] = readFileSync(join(root, 'docs/conformance.md'), 'utf8').split('\n## The checks\n');
    const rows = [...told.matchAll(/^\| `([a-z-]+)` \| (.*) \|$/gm)].map(([, name, expects]) => ({ name, expects }));
    expect(rows).toEqual(checks.map(({ name, expects }) => ({ name, expects })));
  });
});

describe('docs/errors.md', () => {
  const text = readFileSync(join(root, 'docs/errors.md'), 'utf8');
  const rows = (heading: string) => {
    const [, after = ''] = text.split(`\n## ${heading}\n`);
    const [section = ''] = after.split('\n## ');
    return [...section.matchAll(/^\| `([a-z-]+)` \|(.*)\|$/gm)].map(([, code = '', rest = '']) => ({ code, rest }));
  };

  it('explains every error with its status, and no other', () => {
    const told = rows('Errors').map(({ code, rest }) => [code, Number(rest.trim().split(' ')[0])]);
    expect(told).toEqual(Object.entries(errorKinds).map(([code, { status }]) => [code, status]));
  });

  it('explains every warning, and no other', () => {
    expect(rows('Warnings').map(({ code }) => code)).toEqual([...warningCodes]);
  });
});
