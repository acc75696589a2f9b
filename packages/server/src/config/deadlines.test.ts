import { expect, it } from 'vitest';
import { deadlinesOf } from './deadlines.ts';
import { loadConfig } from './load-config.ts';

const deadlines = (upstream: object, timeouts: object = {}) => {
  const text = JSON.stringify({ upstreams: { up: { wire: 'openai-chat', models: { m: {} }, ...upstream } }, timeouts });
  const config = loadConfig({ env: {}, file: { name: 'test', text } });
  const [entry] = Object.values(config.upstreams);
  return entry && deadlinesOf(entry, config);
};
const far = { baseUrl: 'https://api.example.com/v1' };
const near = { baseUrl: 'http://127.0.0.1:8080/v1' };

it('a server nearby may read a prompt for as long as its client waits; one far away hangs when it is silent', () => {
  expect(deadlines(near)).toEqual({ connect: 0, firstToken: 0, idle: 0, total: 3_600_000 });
  expect(deadlines(far)).toEqual({ connect: 60_000, firstToken: 120_000, idle: 120_000, total: 3_600_000 });
});

it('one that is asked for whole answers has the time for them', () => {
  const quirks = { noStream: true };
  expect(deadlines({ ...far, quirks })).toMatchObject({ connect: 600_000, firstToken: 600_000, idle: 120_000 });
  expect(deadlines({ ...near, quirks })).toMatchObject({ connect: 0, firstToken: 0 });
});

it('what is configured counts for more, that of the upstream most', () => {
  expect(deadlines(near, { firstToken: 5 })).toMatchObject({ connect: 0, firstToken: 5 });
  expect(deadlines({ ...near, timeouts: { firstToken: 6 } }, { firstToken: 5, idle: 7 })).toMatchObject({
    firstToken: 6,
    idle: 7,
  });
  expect(deadlines({ ...far, timeouts: { connect: 0 } })).toMatchObject({ connect: 0, firstToken: 120_000 });
});
