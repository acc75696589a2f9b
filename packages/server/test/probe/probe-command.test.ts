import { chatMessage, jsonReply, type ScriptedReply } from '@dragoman/testkit';
import { expect, it } from 'vitest';
import { folderForTest, upstreamForTest } from '../for-test.ts';
import { runCommand } from '../run-command.ts';

/** A model that says this to everything, a configuration before it, and a person who probes it. */
async function personForTest(reply: ScriptedReply = chatMessage('Paris')) {
  const upstream = await upstreamForTest({
    fallback: ({ method }) => (method === 'GET' ? jsonReply(200, { object: 'list', data: [{ id: 'm' }] }) : reply),
  });
  const folder = await folderForTest();
  const text = `{
  // The model in the cellar.
  "upstreams": { "up": { "wire": "openai-chat", "baseUrl": "${upstream.baseUrl}", "anyModel": true } }
}
`;
  await folder.write('dragoman.jsonc', text);
  const env = { HOME: folder.path, PATH: '' };
  const run = (...args: readonly string[]) => runCommand(args, { env, cwd: folder.path });
  const asked = () => upstream.requests.filter(({ method }) => method === 'POST').length;
  return { run, asked, folder };
}

it('prints how often a model was right, and asks nothing that it has asked before', async () => {
  const { run, asked } = await personForTest();
  const probe = ['probe', 'up/m', '--times', '1', '--modes', 'native'] as const;
  const first = await run(...probe);
  expect([first.code, first.err]).toEqual([0, '']);
  expect(first.out).toContain('How up/m calls tools (run ');
  expect(first.out).toContain('It made no call, and should have called read_file.');
  const count = asked();
  const again = await run(...probe, '--json');
  expect([again.code, asked()]).toEqual([0, count]);
  expect(JSON.parse(again.out)).toMatchObject({ model: 'up/m', modes: [{ mode: 'native' }], notes: [] });
  await run(...probe, '--again');
  expect(asked()).toBe(2 * count);
  const compared = await run(...probe, '--markdown', '--compare', 'last');
  expect(compared.out).toMatch(/^# How `up\/m` calls tools\n/);
  expect(compared.out).toContain('## Compared with ');
});

it('writes its rule where the configuration is, keeps what else it says, and the file as it was', async () => {
  const { run, folder } = await personForTest();
  const written = await run('probe', 'up/m', '--times', '1', '--modes', 'native', '--write');
  expect(written.code).toBe(0);
  expect(written.out).toContain('Wrote dragoman.jsonc');
  const text = await folder.read('dragoman.jsonc');
  expect(text).toContain('// The model in the cellar.');
  expect(text).toMatch(/"m": \{\s*"toolCalling": "native"\s*\}/);
  expect(await run('check-config', 'dragoman.jsonc')).toMatchObject({ code: 0, err: '' });
  const again = await run('probe', 'up/m', '--times', '1', '--modes', 'native', '--write');
  expect(again.out).toContain('dragoman.jsonc says so already.');
});

it('asks all the same where nothing can be kept, and says where it could be', async () => {
  const { run, folder } = await personForTest();
  await folder.write('.local', '');
  const { code, out } = await run('probe', 'up/m', '--times', '1', '--modes', 'native');
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/Nothing is kept.*: ENOTDIR\. Name another folder with XDG_STATE_HOME\./),
  ]);
});

it('ends with 2 for a command line that is wrong, and with 1 where nobody answers', async () => {
  const { run } = await personForTest(jsonReply(401, { error: { message: 'no' } }));
  expect(await run('probe', 'up/m', '--modes', 'hermess')).toMatchObject({
    code: 2,
    err: expect.stringContaining('hermes'),
  });
  expect((await run('probe', 'up/m', '--times', '0')).code).toBe(2);
  expect((await run('probe', 'up/m', '--compare', 'nothing')).err).toContain('--compare: "nothing" is neither');
  expect((await run('probe', 'up/m', '--modes', 'native')).code).toBe(1);
});
