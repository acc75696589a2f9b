import { chatStream, type ScriptedUpstream } from '@dragoman/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from './for-test.ts';
import { hello, readTool, type TestGateway, type TestGatewayOptions } from './start-test-gateway.ts';

let upstream: ScriptedUpstream;

beforeEach(async () => {
  upstream = await upstreamForTest({ fallback: chatStream('Hello there') });
});

async function start(options: TestGatewayOptions = {}): Promise<TestGateway> {
  return gatewayForTest({ upstream, ...options });
}

const errorOf = async (response: Response) => (await response.json()).error;
const chatPath = '/v1/chat/completions';

describe('tools', () => {
  const call = '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';

  it('B-131 B-136: switched off, tools are stripped and call syntax stays text', async () => {
    const gateway = await start({ env: { TOOL_CALLING_ENABLED: 'false' } });
    upstream.next(chatStream(call));
    const body = await (await gateway.post({ ...hello, tools: [readTool] })).json();
    expect(body.choices[0].message.content).toContain('"name": "read"');
    expect(body.choices[0].finish_reason).toBe('stop');
    expect(JSON.stringify((await upstream.request(0)).body)).not.toContain('Reads a file.');
    expect((await fetch(`${gateway.url}/v1/models`)).status).toBe(200);
    expect((await gateway.record((record) => record.tools === 1)).dialect).toBe('none');
  });

  it('B-133: more tools than allowed are refused', async () => {
    const gateway = await start({ env: { TOOL_CALLING_MAX_TOOLS: '20' } });
    const tools = Array.from({ length: 21 }, (_, index) => ({
      type: 'function',
      function: { ...readTool.function, name: `tool_${index}` },
    }));
    const refused = await gateway.post({ ...hello, tools });
    expect(refused.status).toBe(400);
    expect(await errorOf(refused)).toMatchObject({ code: 'too_many_tools', param: 'tools' });
    expect((await gateway.post({ ...hello, tools: tools.slice(1) })).status).toBe(200);
  });

  it('B-134: with an allow-list only its tools are documented and parsed', async () => {
    const gateway = await start({ config: { allowedTools: ['read'] } });
    const bash = { type: 'function', function: { ...readTool.function, name: 'bash', description: 'Runs a command.' } };
    upstream.next(chatStream(`${call}\n<tool_call>\n{"name": "bash", "arguments": {"path": "b"}}\n</tool_call>`));
    const body = await (await gateway.post({ ...hello, tools: [readTool, bash] })).json();
    const names = body.choices[0].message.tool_calls.map((each: { function: { name: string } }) => each.function.name);
    expect(names).toEqual(['read']);
    const seen = JSON.stringify((await upstream.request(0)).body);
    expect(seen).toContain('Reads a file.');
    expect(seen).not.toContain('Runs a command.');
    const record = await gateway.record((each) => each.status === 200);
    expect(record.warnings).toMatchObject({ 'tool-dropped': 1 });
  });

  it('B-135 B-103: the log line tells tools, dialect, calls, chunks, finish and duration', async () => {
    const gateway = await start();
    upstream.next(chatStream(call));
    await (await gateway.post({ ...hello, stream: true, tools: [readTool] })).text();
    expect(await gateway.record((record) => record.status === 200)).toMatchObject({
      method: 'POST',
      route: chatPath,
      model: 'up/text',
      upstream: 'up',
      dialect: 'hermes',
      stream: true,
      tools: 1,
      calls: 1,
      finish: 'tool-calls',
      chunks: expect.any(Number),
      ms: expect.any(Number),
      firstEvent: expect.any(Number),
    });
  });

  it('B-132: words that sound like tools are noted when none are declared, and change nothing', async () => {
    const gateway = await start();
    const asked = { ...hello, messages: [{ role: 'user', content: [{ type: 'text', text: 'Please list files' }] }] };
    expect((await gateway.post(asked)).status).toBe(200);
    expect((await gateway.record((record) => record.status === 200)).toolIntent).toBe(true);
  });
});
