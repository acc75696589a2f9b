import { dialects } from '@dragoman/core';
import { chatStream, type ScriptedUpstream, sample } from '@dragoman/testkit';
import { beforeEach, expect, it } from 'vitest';
import { folderForTest, gatewayForTest, upstreamForTest } from '../for-test.ts';
import { runCommand } from '../run-command.ts';
import type { ScratchFolder } from '../scratch-folder.ts';
import { readTool } from '../start-test-gateway.ts';

let upstream: ScriptedUpstream;
let folder: ScratchFolder;
beforeEach(async () => {
  upstream = await upstreamForTest();
  folder = await folderForTest();
});

const command = (args: readonly string[]) => runCommand(args, { cwd: folder.path });

const template = {
  fields: {
    content: { close: '[[end]]' },
    tool_calls: {
      open: '[[do]]',
      close: '[[done]]',
      repeats: true,
      content: 'json',
      transform: { type: 'function', function: { name: '{name}', arguments: '{arguments}' } },
    },
  },
};
const table = { call: { form: 'json', opener: '[[do]]', closer: '[[done]]' }, turnEnds: ['[[end]]'] };
const call = '[[do]]{"name": "read", "arguments": {"path": "annie.txt"}}[[done]][[end]]';

it.each<[string, object, string]>([
  ['a table', { toolCalling: { dialect: 'own' } }, call],
  ['a table that is read beside another', { toolCalling: { dialect: 'hermes' }, alsoReads: ['own'] }, call],
  ['a table that "text" reads, too', { toolCalling: 'text' }, call],
  ['any dialect', { toolCalling: 'text' }, '<invoke name="read"><parameter name="path">annie.txt</parameter></invoke>'],
])('a recording holds %s, with words and without', async (_, rule, reply) => {
  await replays({ rule, reply, dialects: { own: { table } } });
});

it.each(sample(['glm', 'qwen3-coder', 'kimi-k2', 'kimi-k3', 'gemma4', 'plamo3'], 2))(
  'a call in %s stays one without words',
  async (id) => {
    const past = { callId: 'c', name: 'read', arguments: '{"path": "annie.txt"}', ordinal: 0 };
    const tools = [{ name: 'read', inputSchema: readTool.function.parameters }];
    const reply = dialects.get(id)?.renderCalls([past], tools) ?? expect.fail();
    await replays({ rule: { toolCalling: { dialect: id } }, reply, dialects: {} });
  },
);

it('a recording holds what was read out of a file', async () => {
  await folder.write('tokenizer_config.json', JSON.stringify({ response_template: template }));
  const dialects = { own: { responseTemplate: folder.inside('tokenizer_config.json') } };
  const text = await replays({ rule: { toolCalling: { dialect: 'own' } }, reply: call, dialects });
  expect(JSON.parse(text).config.dialects.own.table.call.opener).toBe('[[do]]');
  expect(text).not.toContain('tokenizer_config');
});

interface Case {
  readonly rule: object;
  readonly reply: string;
  readonly dialects: object;
}

/** Records a reply, replays it, and returns the recording. */
async function replays({ rule, reply, dialects }: Case): Promise<string> {
  const up = { wire: 'openai-chat', baseUrl: upstream.baseUrl, models: { m: rule } };
  const gateway = await gatewayForTest({ config: { records: { level: 'full' }, dialects, upstreams: { up } } });
  upstream.next(chatStream(`Secretly:\n${reply}`, { pieces: 7 }));
  const messages = [{ role: 'user', content: 'Some question' }];
  const answer = await gateway.post({ model: 'up/m', stream: true, tools: [readTool], messages });
  expect(await answer.text()).toContain('"name":"read"');
  await folder.write('dragoman.json', JSON.stringify({ listen: { port: gateway.port } }));
  const { code, err } = await command(['record', '-o', 'it.json']);
  expect(code, err).toBe(0);
  const same = { code: 0, out: 'it.json: the client is told the same\n', err: '' };
  expect(await command(['replay', 'it.json'])).toEqual(same);
  const text = await folder.read('it.json');
  expect(text).toContain('"name\\":\\"read\\"');
  return text;
}
