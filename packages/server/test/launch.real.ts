import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { folderForTest } from './for-test.ts';
import { startGatewayProcess } from './gateway-process.ts';

const program = fileURLToPath(new URL('../bin/dragoman.js', import.meta.url));

/** A program of the name of Claude Code that says how it was started, asks the gateway, and ends as it is told. */
const asker = `#!${process.execPath}
const { readFileSync } = require('node:fs');
const at = process.argv.indexOf('--settings');
const { env } = JSON.parse(readFileSync(process.argv[at + 1], 'utf8'));
const body = { model: env.ANTHROPIC_MODEL, max_tokens: 99, messages: [{ role: 'user', content: 'Hi' }] };
const headers = { authorization: 'Bearer ' + process.env.MY_KEY };
fetch(env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', headers, body: JSON.stringify(body) }).then(async (answer) => {
  console.log(JSON.stringify({ given: process.argv.slice(at + 2), status: answer.status, env, folder: process.argv[at + 1] }));
  if (process.argv.includes('--wait')) setInterval(() => {}, 1000);
  else process.exitCode = 7;
});
`;

async function scene() {
  const folder = await folderForTest();
  await writeFile(folder.inside('claude'), asker);
  await chmod(folder.inside('claude'), 0o755);
  // A gateway that whoever runs this may have at the usual port is not meant.
  await writeFile(folder.inside('dragoman.json'), '{ "listen": { "port": 0 } }');
  const env = {
    PATH: `${folder.path}${delimiter}${dirname(process.execPath)}`,
    HOME: folder.path,
    DRAGOMAN_FIND_UPSTREAMS: 'false',
  };
  return { folder, env };
}

it('starts a gateway where none runs, hands on what is after --, and ends as the program ends', async () => {
  const { folder, env } = await scene();
  const before = await runFolders();
  const args = [program, 'launch', 'claude', 'demo/hermes', '--', '-p', 'a b', '--', 'c'];
  const failed: { readonly code: number; readonly stdout: string; readonly stderr: string } = await promisify(execFile)(
    process.execPath,
    args,
    { cwd: folder.path, env },
  ).catch((thrown) => thrown);
  expect([failed.code, failed.stderr]).toEqual([
    7,
    expect.stringContaining('Claude Code with demo/hermes (32,768 tokens)'),
  ]);
  // Nobody can give the demo another window, and it reads prompts of any length.
  expect(failed.stderr).not.toContain('a context window of');
  const told = JSON.parse(failed.stdout);
  expect(told).toMatchObject({ given: ['-p', 'a b', '--', 'c'], status: 200, env: { ANTHROPIC_MODEL: 'demo/hermes' } });
  await expect(fetch(told.env.ANTHROPIC_BASE_URL)).rejects.toThrow();
  await expect(readFile(told.folder)).rejects.toThrow('ENOENT');
  expect(await runFolders()).toEqual(before);
  expect(await readdir(folder.path)).toEqual(expect.not.arrayContaining(['.claude']));
  const log = await readFile(folder.inside('.local/state/dragoman/launch.log'), 'utf8');
  expect(log).toContain('/v1/messages');
}, 60_000);

it('says that the server of a model is off, before the program asks again and again', async () => {
  const { folder, env } = await scene();
  const off = {
    wire: 'openai-chat',
    baseUrl: 'http://127.0.0.1:9/v1',
    models: { a: { toolCalling: 'native', contextWindow: 9000 } },
  };
  await writeFile(folder.inside('dragoman.json'), JSON.stringify({ listen: { port: 0 }, upstreams: { off } }));
  const failed: { readonly stderr: string } = await promisify(execFile)(
    process.execPath,
    [program, 'launch', 'claude'],
    {
      cwd: folder.path,
      env,
    },
  ).catch((thrown) => thrown);
  expect(failed.stderr).toContain('Nothing listens at http://127.0.0.1:9/v1, the address of "off": start the server.');
  expect(failed.stderr).toContain('off/a has a context window of 9,000 tokens.');
}, 60_000);

it('two at once have a gateway each, and say that the demo alone is there', async () => {
  const { folder, env } = await scene();
  const launch = () =>
    promisify(execFile)(process.execPath, [program, 'launch', 'claude'], { cwd: folder.path, env }).catch(
      (thrown) => thrown,
    );
  const both: readonly { readonly code: number; readonly stdout: string; readonly stderr: string }[] =
    await Promise.all([launch(), launch()]);
  const told = both.map(({ stdout }) => JSON.parse(stdout));
  expect(told.map(({ status }) => status)).toEqual([200, 200]);
  expect(new Set(told.map((each) => each.env.ANTHROPIC_BASE_URL)).size).toBe(2);
  for (const { code, stderr } of both) {
    expect([code, stderr]).toEqual([7, expect.stringContaining('Only the demo model is there')]);
  }
  const log = (await readFile(folder.inside('.local/state/dragoman/launch.log'), 'utf8')).trim().split('\n');
  expect(log.filter((line) => JSON.parse(line).route === '/v1/messages')).toHaveLength(2);
}, 60_000);

it('asks the gateway that runs where the configuration says, and ends with the program that is told to stop', async () => {
  const { folder, env } = await scene();
  const gateway = await startGatewayProcess(folder.inside('dragoman.json'), { listen: { port: 0 } });
  try {
    const { port } = new URL(gateway.url);
    await writeFile(folder.inside('dragoman.json'), JSON.stringify({ listen: { port: Number(port) } }));
    const running = spawn(process.execPath, [program, 'launch', 'claude', '--', '--wait'], { cwd: folder.path, env });
    const [said] = await once(running.stdout, 'data');
    expect(JSON.parse(String(said))).toMatchObject({ status: 200, env: { ANTHROPIC_BASE_URL: gateway.url } });
    running.kill('SIGTERM');
    expect(await once(running, 'exit')).toEqual([143, null]);
    expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
  } finally {
    await gateway.kill();
  }
}, 60_000);

it('a gateway for one run wants the keys of the configuration', async () => {
  const { folder, env } = await scene();
  await writeFile(
    folder.inside('dragoman.json'),
    JSON.stringify({ listen: { port: 0 }, keys: [{ name: 'me', key: 'env:MY_KEY' }] }),
  );
  const options = { cwd: folder.path, env: { ...env, MY_KEY: 'k-123456789' } };
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'launch', 'claude', 'demo'], options).catch(
    (thrown) => thrown,
  );
  const { status, env: told } = JSON.parse(stdout);
  expect([status, told.ANTHROPIC_AUTH_TOKEN]).toEqual([200, undefined]);
}, 60_000);

async function runFolders(): Promise<readonly string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith('dragoman-run-')).sort();
}
