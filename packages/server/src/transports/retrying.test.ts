import type { DragomanError } from '@dragoman/core';
import {
  errorReply,
  jsonReply,
  type ScriptedReply,
  type ScriptedUpstream,
  startScriptedUpstream,
} from '@dragoman/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { After } from '../after.ts';
import { createHttpTransport, type HttpTransport } from './http.ts';
import { createRetryingTransport, type RetryRules } from './retrying.ts';

let upstream: ScriptedUpstream;
let http: HttpTransport;

beforeEach(async () => {
  upstream = await startScriptedUpstream();
  http = createHttpTransport({ baseUrl: upstream.baseUrl, headers: {} });
});

afterEach(async () => {
  await http.close();
  await upstream.close();
});

interface Sending extends Partial<RetryRules> {
  readonly transport?: HttpTransport;
}

/** Sends one request; time passes at once. */
async function send({ transport = http, ...given }: Sending, ...replies: readonly ScriptedReply[]) {
  upstream.next(...replies);
  const rules = { attempts: 3, first: 1000, ...given };
  const waits: number[] = [];
  const told: string[] = [];
  const statuses: number[] = [];
  const after: After = (milliseconds, act) => {
    waits.push(milliseconds);
    const timer = setTimeout(act, 0);
    return () => clearTimeout(timer);
  };
  const retrying = createRetryingTransport(transport, { rules, report: (message) => told.push(message), after });
  const error = await new Promise<DragomanError | undefined>((resolve) => {
    retrying.send(
      { upstream: 'up', path: '/chat', body: { a: 1 } },
      {
        start: (status) => statuses.push(status),
        data: () => {},
        end: () => resolve(undefined),
        fail: resolve,
      },
    );
  });
  return { waits, told, statuses, error, requests: upstream.requests };
}

const good = jsonReply(200, { ok: true });
const busy = errorReply(503, 'busy');

it('A-228 B-169: two failures that pass cost two waits, each twice as long, and only the good answer is heard', async () => {
  const { waits, statuses, requests, told } = await send({}, busy, errorReply(429, 'slower'), good);
  expect(waits).toEqual([1000, 2000]);
  expect(statuses).toEqual([200]);
  expect(requests.map(({ body }) => body)).toEqual([{ a: 1 }, { a: 1 }, { a: 1 }]);
  expect(told).toEqual([
    'the upstream "up" answered 503; the request is sent again in 1000 ms',
    'the upstream "up" answered 429; the request is sent again in 2000 ms',
  ]);
});

it('B-169: the last attempt counts, however it ends, and no wait is longer than the longest', async () => {
  const replies = Array.from({ length: 6 }, () => busy);
  const { waits, statuses } = await send({ attempts: 6 }, ...replies);
  expect(waits).toEqual([1000, 2000, 4000, 8000, 10_000]);
  expect(statuses).toEqual([503]);
});

it.each([400, 401, 403, 404, 408, 422])('B-169: %i is never sent again', async (status) => {
  const { waits, statuses, requests } = await send({}, errorReply(status, 'no'), good);
  expect({ waits, statuses, sent: requests.length }).toEqual({ waits: [], statuses: [status], sent: 1 });
});

describe('an upstream that says when', () => {
  it('is waited for as long as it asks', async () => {
    const { waits } = await send({}, errorReply(429, 'slower', { 'retry-after': '3' }), good);
    expect(waits).toEqual([3000]);
  });

  it('is left alone where that is longer than anybody waits, and whoever asked is told', async () => {
    const { waits, statuses } = await send({}, errorReply(503, 'later', { 'retry-after': '60' }), good);
    expect({ waits, statuses }).toEqual({ waits: [], statuses: [503] });
  });
});

it('B-169: a connection that is closed without an answer is opened again; one that cannot be opened is tried again', async () => {
  const closed = await send({}, { steps: [{ cut: true }], holdHead: true }, good);
  expect(closed).toMatchObject({ waits: [1000], statuses: [200] });
  const nowhere = createHttpTransport({ baseUrl: 'http://127.0.0.1:9', headers: {} });
  const { waits, error, told } = await send({ transport: nowhere });
  await nowhere.close();
  expect(waits).toEqual([1000, 2000]);
  expect(error?.code).toBe('upstream-unreachable');
  expect(told[0]).toContain('failed (upstream-unreachable)');
});

it('A-228: an answer that has begun is never asked for again', async () => {
  const { waits, statuses, error } = await send({}, { steps: [{ text: 'data: 1\n\n' }, { cut: true }] }, good);
  expect({ waits, statuses, code: error?.code }).toEqual({ waits: [], statuses: [200], code: 'upstream-cut' });
});
