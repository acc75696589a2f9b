import { chatFrames, chatStream, type ScriptedUpstream } from '@dragoman/testkit';
import { beforeEach, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { type LogRecord, readTool, type TestGateway } from './start-test-gateway.ts';

let upstream: ScriptedUpstream;
beforeEach(async () => {
  upstream = await upstreamForTest();
});

const call = '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';
const body = { model: 'up/text', stream: true, tools: [readTool], messages: [{ role: 'user', content: 'Hi there' }] };

/** The lines of one streamed reply at a level. */
async function linesAt(level: string, secrets: readonly string[] = []): Promise<readonly LogRecord[]> {
  const gateway = await gatewayForTest({ upstream, config: { log: { level } }, secrets });
  upstream.next(chatStream(`Look: word.\n${call}`, { pieces: 6 }));
  await (await gateway.post(body)).text();
  await gateway.drain();
  return gateway.records();
}

const messagesOf = (lines: readonly LogRecord[]) => new Set(lines.map(({ msg }) => msg));

it('A-255 B-172: at warn nothing of a good reply is logged, at info its line with its calls, at debug how it was read', async () => {
  expect(await linesAt('warn')).toEqual([]);
  const [line] = (await linesAt('info')).filter(({ route }) => route !== undefined);
  expect(line).toMatchObject({ level: 'info', calls: 1 });
  const debug = await linesAt('debug');
  expect(messagesOf(debug)).toEqual(new Set(['prepared', 'answered', 'event', 'answer over', undefined]));
  expect(debug.filter(({ msg }) => msg === 'event').map(({ type }) => type)).toContain('tool-call-start');
  expect(debug.find(({ msg }) => msg === 'prepared')).toMatchObject({ level: 'debug', toolCalling: 'hermes' });
  // How it went, and not what was said.
  for (const word of ['word', 'a.txt', 'Hi there']) expect(JSON.stringify(debug)).not.toContain(word);
});

it('A-255 A-256: at trace each chunk of a stream is logged, and what was sent, without secrets', async () => {
  const lines = await linesAt('trace', ['a.txt']);
  const chunks = lines.filter(({ msg }) => msg === 'chunk');
  expect(chunks.map(({ level }) => level)).toContain('trace');
  expect(chunks.map(({ text }) => text).join('')).toBe(chatFrames(`Look: word.\n${call}`, { pieces: 6 }).join(''));
  expect(lines.find(({ msg }) => msg === 'sent')?.body).toContain('Hi there');
  expect(messagesOf(lines)).toContain('event');
});

it('B-172: a malformed tool gives a warning, a failure an error', async () => {
  const gateway: TestGateway = await gatewayForTest({ upstream });
  upstream.next(chatStream('Hi.'));
  const tools = [readTool, { type: 'function', function: { name: 7 } }];
  await (await gateway.post({ ...body, tools })).text();
  expect(await gateway.record(({ warnings }) => warnings !== undefined)).toMatchObject({
    level: 'warn',
    status: 200,
    warnings: { 'tool-dropped': 1 },
  });
  await (await gateway.post(body)).text();
  expect(await gateway.record(({ status }) => status === 502)).toMatchObject({ level: 'error' });
});
