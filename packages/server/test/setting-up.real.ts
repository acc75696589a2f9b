import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderForTest } from './for-test.ts';
import { hasTerminals, startPerson } from './person.ts';

const execute = promisify(execFile);

/** Starting a process takes a second, more where much else runs. */
const timeout = 120_000;

describe.skipIf(!hasTerminals)('dragoman init in a terminal', () => {
  it('asks and writes', { timeout }, async () => {
    const folder = await folderForTest();
    const person = startPerson(['init'], { cwd: folder.path, env: { DRAGOMAN_FIND_UPSTREAMS: 'off' } });
    await person.sees('No model server runs here');
    await person.says('http://127.0.0.1:9/v1');
    await person.sees('Which variable holds the key');
    await person.says('');
    await person.sees('Which port');
    await person.says('8099');
    await person.sees('dragoman.jsonc is valid: 1 upstream');
    expect(await person.hasLeft()).toBe(0);
    expect(await folder.read('dragoman.jsonc')).toContain('"server": { "baseUrl": "http://127.0.0.1:9/v1" }');
  });

  it.each([
    ['Ctrl-C', '\x03'],
    ['Ctrl-D', '\x04'],
  ])('%s leaves, and nothing is written', { timeout }, async (_, keys) => {
    const folder = await folderForTest();
    const person = startPerson(['init'], { cwd: folder.path, env: { DRAGOMAN_FIND_UPSTREAMS: 'off' } });
    await person.sees('No model server runs here');
    await person.says('', keys);
    await person.sees('Nothing was written.');
    expect(await person.hasLeft()).toBe(130);
    expect(await readdir(folder.path)).toEqual([]);
  });
});

describe.skipIf(!hasTerminals)('dragoman doctor in a terminal', () => {
  it('has colours, and none where nobody wants them', { timeout }, async () => {
    const folder = await folderForTest();
    const env = { DRAGOMAN_FIND_UPSTREAMS: 'off', DRAGOMAN_PORT: '0' };
    const person = startPerson(['doctor'], { cwd: folder.path, env });
    expect(await person.hasLeft()).toBe(0);
    expect(person.written()).toContain('\u001b[32m✓\u001b[39m node');
    const plain = startPerson(['doctor'], { cwd: folder.path, env: { ...env, NO_COLOR: '1' } });
    expect(await plain.hasLeft()).toBe(0);
    expect(plain.written()).not.toContain('\u001b[3');
  });

  it('a certificate of its own is not trusted, until it is named as it says', { timeout }, async () => {
    const folder = await folderForTest();
    const own = [
      '-keyout',
      'key.pem',
      '-out',
      'cert.pem',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
    ];
    await execute('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...own], { cwd: folder.path });
    const [key, cert] = await Promise.all([folder.read('key.pem'), folder.read('cert.pem')]);
    const server = createServer({ key, cert }, (_, answer) => {
      answer.setHeader('content-type', 'application/json');
      answer.end(JSON.stringify({ object: 'list', data: [{ id: 'm', object: 'model' }] }));
    });
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    onTestFinished(() => void server.close());
    const { port }: AddressInfo = Object(server.address());
    const upstreams = { own: `https://localhost:${port}/v1` };
    await folder.write('dragoman.json', JSON.stringify({ upstreams }));
    const env = { DRAGOMAN_PORT: '0' };
    const ill = startPerson(['doctor'], { cwd: folder.path, env, columns: 400 });
    expect(await ill.hasLeft()).toBe(1);
    expect(ill.screen()).toContain('does not trust (DEPTH_ZERO_SELF_SIGNED_CERT)');
    const cure = /openssl s_client .*server\.pem(?=;)/.exec(ill.screen())?.[0] ?? '';
    await execute('sh', ['-c', cure], { cwd: folder.path });
    const well = startPerson(['doctor'], {
      cwd: folder.path,
      env: { ...env, NODE_EXTRA_CA_CERTS: folder.inside('server.pem') },
      columns: 400,
    });
    expect(await well.hasLeft()).toBe(0);
    expect(well.screen()).toContain('answers, with its list of models');
  });
});
