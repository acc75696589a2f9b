import { describe, expect, it } from 'vitest';
import { type Evidence, judgeTurn } from './judge-turn.mjs';

const route = '/v1/messages';
const matched = (length: number, status = 'ok') => ({ results: { matched: [{ tool: 'read', status, length }] } });
const ask = { requestId: 'r', method: 'POST', route, stream: true, tools: 9, status: 200 };
const turn = [
  { requestId: 'h', method: 'GET', route: '/health', status: 200 },
  { ...ask, calls: 1, finish: 'tool-calls' },
  { ...ask, ...matched(40), calls: 1, finish: 'tool-calls' },
  { ...ask, ...matched(2), finish: 'stop' },
];
const logOf = (lines: readonly object[]) => ['not JSON', ...lines.map((line) => JSON.stringify(line))].join('\n');

function faults(change: Partial<Evidence> & { readonly lines?: readonly object[]; readonly found?: string }) {
  const wanted = 'The code is K1.\nviolet\n';
  const { lines = turn, found = wanted, ...rest } = change;
  const evidence = {
    route,
    method: 'POST',
    upstream: 'demo',
    secret: 'K1',
    files: [{ name: 'a.txt', wanted, found }],
    said: 'It says K1.',
  };
  return judgeTurn({ ...evidence, log: logOf(lines), ...rest });
}

describe('judgeTurn', () => {
  it('finds nothing wrong with a turn that read and edited', () => {
    expect(faults({})).toEqual([]);
  });

  it('sees a file that was not edited, or edited wrongly', () => {
    expect(faults({ found: 'The code is K1.\namber\n' })).toEqual(['a.txt was not edited']);
    expect(faults({ found: 'violet' })).toEqual(['a.txt was edited wrongly: violet']);
  });

  it('sees an answer that never saw the file', () => {
    expect(faults({ said: 'done' })).toEqual(['what the agent showed does not hold what only the file says']);
    expect(faults({ lines: turn.map((line) => ({ ...line, ...('results' in line ? matched(1) : {}) })) })).toEqual([
      'no result is as long as the file',
    ]);
  });

  it('sees an agent that fell back to another API, to whole replies, or was refused', () => {
    expect(faults({ route: '/v1/responses' })).toContain('no request with tools came to /v1/responses');
    const whole = turn.map((line) => ({ ...line, stream: false }));
    expect(faults({ lines: whole })).toContain('not every request with tools was streamed and answered with 200');
    const refused = { ...ask, status: 400, errorCode: 'bad-request', error: 'messages[0] is missing' };
    expect(faults({ lines: [refused, ...turn] })).toContain(`POST ${route} 400: messages[0] is missing`);
  });

  it('says why a request was refused, also when the model is unknown', () => {
    const refused = { requestId: 'x', method: 'POST', route, status: 404, errorCode: 'model-unknown' };
    expect(faults({ lines: [refused, ...turn] })).toEqual([`POST ${route} 404: model-unknown`]);
  });

  it('sees calls whose results never came, and a turn that stops early', () => {
    expect(faults({ lines: turn.slice(0, 3) })).toEqual([
      '1 of at least 2 results came back for their calls',
      'the last reply ended with tool-calls',
    ]);
    const failed = turn.map((line) => ({ ...line, ...('results' in line ? matched(40, 'error') : {}) }));
    expect(faults({ lines: failed })).toContain('0 of at least 2 results came back for their calls');
  });

  it('takes no offence at what the upstream refused until the agent asked again, and only at that', () => {
    const busy = { ...ask, status: 429, errorCode: 'upstream-rate-limited' };
    const [health = {}, ...rest] = turn;
    const lines = [health, busy, ...rest];
    expect(faults({ refusals: [429], lines })).toEqual([]);
    const told = (agent: string, upstream: string) =>
      `the agent was refused with [${agent}], and its upstream refused with [${upstream}]`;
    expect(faults({ refusals: [429, 503], lines })).toEqual([told('429', '429,503')]);
    expect(faults({ refusals: [429], lines: [busy, ...lines] })).toEqual([told('429,429', '429')]);
    expect(faults({ lines })).toContain(`POST ${route} 429: upstream-rate-limited`);
  });

  it('sees calls that were made twice', () => {
    expect(faults({ rounds: 2 })).toEqual([]);
    expect(faults({ rounds: 2, lines: [turn[1] ?? {}, ...turn] })).toEqual([
      '3 replies held a call, and the task takes 2',
    ]);
  });

  it('sees an agent that asks again and again', () => {
    const more = Array.from({ length: 12 }, () => turn[1] ?? {});
    expect(faults({ lines: [...more, ...turn] })).toEqual(['15 requests for two calls']);
  });

  it('counts the requests to the own upstream, and takes results from where they became text', () => {
    const after = turn.map((line) => ({ ...line, route: '/v1/responses', upstream: 'demo' }));
    const front = turn.map(({ results: _, ...line }: Record<string, unknown>) => ({ ...line, upstream: 'native' }));
    expect(faults({ upstream: 'native', lines: [...after, ...front] })).toEqual([]);
    expect(faults({ upstream: 'native', lines: after })).toContain(`no request with tools came to ${route}`);
  });

  it('takes no offence at a 404 that the agent took', () => {
    expect(
      faults({ lines: [{ requestId: 'x', route: 'unknown', status: 404, errorCode: 'route-unknown' }, ...turn] }),
    ).toEqual([]);
  });
});
