import { expect, it } from 'vitest';
import { loadConfig } from '../config/load-config.ts';
import type { FoundUpstreams } from './find-upstreams.ts';
import { UpstreamWatch } from './upstream-watch.ts';

const foundAt = (url?: string): FoundUpstreams => ({
  upstreams: url === undefined ? {} : { ollama: madeAt(url) },
  ...{ titles: new Map(), local: new Set(), servers: [], leftOut: [] },
});

function madeAt(baseUrl: string): FoundUpstreams['upstreams'][string] {
  const config = loadConfig({
    env: {},
    file: { name: 'f', text: JSON.stringify({ upstreams: { u: baseUrl } }) },
  });
  const entry = config.upstreams.u;
  if (entry === undefined) throw new Error('there is one');
  return entry;
}

/** A watch on a clock that the test moves, over a machine that the test changes. */
function scene(first: FoundUpstreams | undefined) {
  let clock = 0;
  let now = first ?? foundAt();
  let timer: { readonly at: number; readonly act: () => void } | undefined;
  const heard: string[] = [];
  let looks = 0;
  const watch = new UpstreamWatch({
    first,
    find: async () => {
      looks += 1;
      return now;
    },
    changed: (found, before) => {
      heard.push([before, found].map((each) => Object.keys(each?.upstreams ?? {}).length).join(' → '));
    },
    now: () => clock,
    after: (milliseconds, act) => {
      timer = { at: clock + milliseconds, act };
      return () => {
        timer = undefined;
      };
    },
  });
  const pass = async (milliseconds: number) => {
    clock += milliseconds;
    if (timer !== undefined && timer.at <= clock) timer.act();
    await watch.look();
  };
  const set = (found: FoundUpstreams) => {
    now = found;
  };
  return { watch, heard, pass, set, looks: () => looks, waits: () => timer !== undefined };
}

it('whoever asks for models makes it look, and nobody twice within a few seconds', async () => {
  const { watch, pass, looks, set, heard } = scene(foundAt());
  await watch.look();
  expect(looks()).toBe(0);
  set(foundAt('http://127.0.0.1:11434'));
  await pass(3_000);
  await Promise.all([watch.look(), watch.look()]);
  expect([looks(), heard]).toEqual([1, ['0 → 1']]);
  await pass(3_000);
  expect([looks(), heard]).toEqual([2, ['0 → 1']]);
  set(foundAt());
  await pass(3_000);
  expect(heard).toEqual(['0 → 1', '1 → 0']);
});

it('it looks by itself now and then, at once where nothing is known, and never after its end', async () => {
  const { watch, pass, looks, waits, heard, set } = scene(undefined);
  set(foundAt('http://127.0.0.1:11434'));
  await pass(0);
  expect(looks()).toBe(1);
  await pass(15_000);
  expect([looks(), waits()]).toEqual([2, true]);
  watch.close();
  set(foundAt());
  await pass(60_000);
  expect([looks(), waits(), heard]).toEqual([2, false, ['0 → 1']]);
});
