import { openaiChatUpstream, type Receiver, type Transport, type UpstreamRequest } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { type Surroundings, UpstreamModels } from './upstream-models.ts';

/** An upstream that answers when the test says so, on a clock and with timers that the test moves. */
function scene(ttl = 300_000) {
  const asked: { readonly request: UpstreamRequest; readonly receiver: Receiver; aborted: boolean }[] = [];
  const timers: { readonly at: number; readonly act: () => void; cancelled: boolean }[] = [];
  const told: string[] = [];
  let clock = 0;
  const transport: Transport = {
    send: (request, receiver) => {
      const one = { request, receiver, aborted: false };
      asked.push(one);
      return { pause: () => {}, resume: () => {}, abort: () => Object.assign(one, { aborted: true }) };
    },
  };
  const surroundings: Surroundings = {
    now: () => clock,
    after: (milliseconds, act) => {
      const timer = { at: clock + milliseconds, act, cancelled: false };
      timers.push(timer);
      return () => Object.assign(timer, { cancelled: true });
    },
    log: { info: (message) => void told.push(message), warn: (message) => void told.push(message) },
  };
  const rules = { wait: 1_000 };
  const models = new UpstreamModels({ name: 'up', transport, wire: openaiChatUpstream, rules, ttl });
  const pass = (milliseconds: number) => {
    clock += milliseconds;
    for (const timer of timers) if (!timer.cancelled && timer.at <= clock) timer.act();
  };
  const answer = (body: string) => {
    const receiver = asked.at(-1)?.receiver;
    receiver?.start(200, 'application/json');
    receiver?.data(new TextEncoder().encode(body));
    receiver?.end();
  };
  return { models, surroundings, asked, told, pass, answer, ids: () => [...models.listed().keys()], timers };
}

describe('the models that an upstream lists', () => {
  it('C-083: are asked for once at a time, and again when the list is as old as it may be', async () => {
    const { models, surroundings, asked, answer, pass, ids } = scene();
    const [one, other] = [models.freshen(surroundings), models.freshen(surroundings)];
    expect(asked).toHaveLength(1);
    answer('{"data":[{"id":"a"}]}');
    await Promise.all([one, other]);
    pass(299_999);
    await models.freshen(surroundings);
    expect(asked).toHaveLength(1);
    pass(1);
    const again = models.freshen(surroundings);
    expect([asked.length, ids()]).toEqual([2, ['a']]);
    answer('{"data":[{"id":"b"}]}');
    await again;
    expect(ids()).toEqual(['b']);
  });

  it('that do not come are given up in time, told once, and asked for again soon', async () => {
    const { models, surroundings, asked, told, pass, answer, ids } = scene();
    for (let round = 0; round < 2; round += 1) {
      const asking = models.freshen(surroundings);
      pass(9_999);
      expect(asked.at(-1)?.aborted).toBe(false);
      pass(1);
      await asking;
      expect(asked.at(-1)?.aborted).toBe(true);
      await models.freshen(surroundings);
      expect(asked).toHaveLength(round + 1);
      pass(10_000);
    }
    expect(told).toEqual([
      'the list of models of the upstream "up" cannot be read, models without a rule are not listed: The list did not come within 10000 ms.',
    ]);
    const asking = models.freshen(surroundings);
    answer('{"data":[{"id":"a"}]}');
    await asking;
    expect([ids(), told.at(-1)]).toEqual([['a'], 'the upstream "up" lists 1 model']);
  });

  it('are waited for a short while only, and none of the timers stays behind', async () => {
    const { models, surroundings, answer, pass, ids, timers } = scene();
    const waiting = models.freshenShortly(surroundings);
    pass(1_000);
    await waiting;
    expect(ids()).toEqual([]);
    const asking = models.freshen(surroundings);
    answer('{"data":[]}');
    await asking;
    await models.freshenShortly(surroundings);
    expect(timers.filter(({ at, cancelled }) => !cancelled && at > surroundings.now())).toEqual([]);
  });

  it('closing gives up without a word', async () => {
    const { models, surroundings, asked, told } = scene();
    const asking = models.freshen(surroundings);
    models.close();
    await asking;
    expect([asked[0]?.aborted, told]).toEqual([true, []]);
  });
});
