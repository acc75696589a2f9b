import { type ConformanceReport, runConformance, type WireId } from '@dragoman/conformance';
import { jsonReply, type ScriptedReply, type SeenRequest } from '@dragoman/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chunk, type Fault, failure, foreignServerForTest } from './foreign-server.ts';
import { type DemoGateway, startDemoGateway } from './start-demo-gateway.ts';

/** Each asks a server some twenty times, one request after another. */
const patient = { timeout: 60_000 };

/** Every rule that a column breaks, each once, without the rows that show what clients make of it. */
function brokenIn(report: ConformanceReport, wire: WireId): string[] {
  const rows = report.rows.filter(({ check }) => !check.startsWith('client-'));
  const outcomes = rows.map(({ outcomes }) => outcomes[wire]);
  return [
    ...new Set(outcomes.flatMap((one) => (one?.kind === 'failed' ? one.violations.map(({ what }) => what) : []))),
  ];
}

function failedIn(report: ConformanceReport, wire: WireId): string[] {
  return report.rows.filter(({ outcomes }) => outcomes[wire]?.kind === 'failed').map(({ check }) => check);
}

const kindOf = (report: ConformanceReport, check: string) =>
  report.rows.find((row) => row.check === check)?.outcomes['openai-chat']?.kind;

async function checkForeign(fault: Fault = {}, silence = 20_000): Promise<ConformanceReport> {
  const server = await foreignServerForTest(fault);
  return runConformance({ baseUrl: server.baseUrl, silence });
}

const isStream = ({ body }: SeenRequest) => JSON.stringify(body ?? '').includes('"stream":true');
const isChat = ({ path }: SeenRequest) => path === '/v1/chat/completions';

describe('a server that is not ours', patient, () => {
  it('passes in its own spelling; what it lacks is no failure', async () => {
    const report = await checkForeign();
    expect(report).toMatchObject({ model: 'm', passed: true });
    expect(brokenIn(report, 'openai-chat')).toEqual([]);
    for (const wire of ['openai-completions', 'openai-responses', 'anthropic-messages', 'ollama-chat'] as const) {
      const kinds = new Set(report.rows.map(({ outcomes }) => outcomes[wire]?.kind));
      expect([...kinds].sort(), wire).toEqual(['none', 'not-served']);
    }
    expect(report.rows.map(({ check, outcomes }) => [check, outcomes['openai-chat']?.kind])).toEqual(
      report.rows.map(({ check }) => [check, check === 'error-key' ? 'skipped' : ownKind(check)]),
    );
  });

  it('may leave /v1 out of its paths, and ask for a key', async () => {
    const inner = await foreignServerForTest();
    const report = await runConformance({
      baseUrl: inner.origin,
      model: 'm',
      key: 'right-key',
      silence: 20_000,
      only: ['openai-chat'],
      fetch: async (input, init) => {
        const { pathname } = new URL(String(input));
        const isRight = JSON.stringify(init?.headers ?? {}).includes('right-key');
        if (pathname.startsWith('/v1')) return new Response('{"detail":"Not Found"}', { status: 404 });
        const refused = { error: { message: 'Wrong key: right-key it is.', type: 'authentication_error', code: 401 } };
        if (!isRight) return Response.json(refused, { status: 401 });
        return fetch(`${inner.origin}/v1${pathname}`, init);
      },
    });
    expect(brokenIn(report, 'openai-chat')).toEqual([]);
    expect(kindOf(report, 'error-key')).toBe('ok');
    expect(JSON.stringify(report)).not.toContain('right-key');
  });

  const alter = (change: (text: string) => string): Fault => ({ stream: change });
  const withoutIndex = (chunk: Chunk) => JSON.parse(JSON.stringify(chunk).replaceAll(/"index":\d,"id"/g, '"id"'));
  const again = (text: string) => {
    const piece = text.split('\n\n').find((frame) => frame.includes('"Hel"'));
    return piece === undefined ? text : text.replace('data: [DONE]', `${piece}\n\ndata: [DONE]`);
  };
  const forBrokenBody = (status: number, body: unknown): Fault => ({
    reply: (request) => (request.body === undefined && isChat(request) ? jsonReply(status, body) : undefined),
  });
  const forStreams = (reply: ScriptedReply): Fault => ({
    reply: (request) => (isStream(request) ? reply : undefined),
  });

  it.each<[string, string[], string[], Fault]>([
    ['an index that is missing', ['call-streamed'], ['a fragment has no index'], { chunk: withoutIndex }],
    ['no [DONE]', ['text-streamed'], ['[DONE] is missing'], alter((text) => text.replace('data: [DONE]\n\n', ''))],
    [
      'an id that is used twice',
      ['calls-parallel', 'ids', 'client-copilot'],
      ['the id of a call was used before', 'the id call_1 of a call comes again'],
      { callId: () => 'call_1' },
    ],
    ['text after the end', ['text-streamed', 'client-copilot'], ['a choice comes after the final chunk'], alter(again)],
    [
      'usage that nobody sends',
      ['usage'],
      ['usage is missing'],
      { chunk: (chunk) => ('usage' in chunk ? undefined : chunk) },
    ],
    [
      'the same id for every reply',
      ['ids'],
      ['two replies have the id gen-1'],
      alter((text) => text.replaceAll(/"gen-\d+"/g, '"gen-1"')),
    ],
    [
      'an error with status 200',
      ['text-streamed'],
      ['an error came with status 200'],
      forStreams(jsonReply(200, { error: { message: 'No.' } })),
    ],
    [
      'HTML',
      ['text-streamed'],
      ['the content type is text/html instead of text/event-stream'],
      forStreams({ headers: { 'content-type': 'text/html' }, steps: [{ text: '<!doctype html><p>Hi' }] }),
    ],
    ['an error of a framework', ['error-json'], ['the body has no error object'], forBrokenBody(400, { detail: 'no' })],
    ['a crash for a broken body', ['error-json'], ['the status is 500 instead of 400'], forBrokenBody(500, {})],
    [
      'a refusal of every request',
      ['text-whole'],
      ['the status is 503 instead of 200'],
      { reply: (request) => (isChat(request) ? failure(503, 'busy') : undefined) },
    ],
    [
      'a reply that breaks off',
      ['text-streamed'],
      [expect.stringMatching(/^the reply broke off: /)],
      forStreams({ steps: [{ text: 'data: {}\n\n' }, { cut: true }] }),
    ],
  ])('%s is named, and nothing else', async (_, failed, rules, fault) => {
    const report = await checkForeign(fault);
    expect(report.passed).toBe(false);
    expect(failedIn(report, 'openai-chat')).toEqual(expect.arrayContaining(failed));
    expect(brokenIn(report, 'openai-chat')).toEqual(rules);
  });

  it('that says nothing is asked once and not again', async () => {
    const fault = forStreams({ holdHead: true, steps: [{ stall: true }] });
    const report = await checkForeign(fault, 2000);
    expect(brokenIn(report, 'openai-chat')).toEqual(['nothing came for 2 s']);
    expect(failedIn(report, 'openai-chat')).toEqual(['text-streamed']);
    const after = report.rows.slice(report.rows.findIndex(({ check }) => check === 'text-streamed') + 1);
    const kinds = after.map(({ outcomes }) => outcomes['openai-chat']?.kind);
    expect([...new Set(kinds)].sort()).toEqual(['none', 'skipped']);
  });

  it('that is none of these APIs, or is not there, is told', async () => {
    const page = await foreignServerForTest({
      reply: ({ path }) => (path === '/v1/models' ? undefined : { ...jsonReply(200, {}), steps: [{ text: '<html>' }] }),
    });
    expect((await runConformance({ baseUrl: page.origin, silence: 20_000 })).passed).toBe(false);
    await expect(runConformance({ baseUrl: 'http://127.0.0.1:9', silence: 20_000 })).rejects.toThrow(
      'cannot be reached',
    );
    const listless = await foreignServerForTest({ reply: () => failure(404, 'nothing') });
    await expect(runConformance({ baseUrl: listless.origin, silence: 20_000 })).rejects.toThrow('lists no models');
  });
});

describe('one rule that a server of another API breaks', patient, () => {
  let gateway: DemoGateway;
  beforeAll(async () => {
    gateway = await startDemoGateway();
  });
  afterAll(() => gateway.close());

  /** Our own gateway, with every reply altered on its way. */
  async function checkAltered(wire: WireId, change: (text: string) => string): Promise<ConformanceReport> {
    return runConformance({
      baseUrl: gateway.url,
      only: [wire],
      silence: 20_000,
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        const text = change(await response.text());
        return new Response(text, { status: response.status, headers: { 'content-type': typeOf(response) } });
      },
    });
  }
  const typeOf = ({ headers }: Response) => headers.get('content-type') ?? '';
  const skipNumber = (text: string) =>
    text.replaceAll(
      /"sequence_number":(\d+)/g,
      (_, number) => `"sequence_number":${Number(number) + (number > 3 ? 1 : 0)}`,
    );
  const doneAlone = /\n[^\n]*"done":true[^\n]*\n$/;

  it.each<[WireId, string, string[], (text: string) => string]>([
    ['openai-responses', 'a gap in the numbers', ['has number 5 instead of 4'], skipNumber],
    [
      'openai-responses',
      'a text that differs from its pieces',
      [
        'the pieces do not add up to the whole',
        'a part differs from its text',
        'content differs from what was streamed',
      ],
      (text) => text.replace(/(output_text\.done",[^\n]*"text":")/, '$1X'),
    ],
    [
      'anthropic-messages',
      'no end',
      ['message_stop is missing'],
      (text) => text.replace('event: message_stop\ndata: {"type":"message_stop"}\n\n', ''),
    ],
    [
      'anthropic-messages',
      'a message that has ended when it starts',
      ['it has ended when it starts'],
      (text) => text.replace('"stop_reason":null', '"stop_reason":"end_turn"'),
    ],
    [
      'ollama-chat',
      'no last line',
      ['the stream says neither done nor error'],
      (text) => text.replace(doneAlone, '\n'),
    ],
    [
      'ollama-chat',
      'arguments as text',
      ['the arguments of a call are not an object'],
      (text) =>
        text.replaceAll(/"arguments":(\{"path":"[^"]*"\})/g, (_, json) => `"arguments":${JSON.stringify(json)}`),
    ],
  ])('%s: %s', async (wire, _, rules, change) => {
    expect(brokenIn(await checkAltered(wire, change), wire)).toEqual(rules);
  });
});

function ownKind(check: string): string {
  return ['client-ollama', 'client-copilot-models'].includes(check) ? 'none' : 'ok';
}
