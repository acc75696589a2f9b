import { randomInteger, runs, seededRandom } from '@dragoman/testkit';
import { expect, it } from 'vitest';
import { KnownPassages, passagesOf, shortestText } from './passages.ts';

const message = (random: () => number, at: number) => ({
  role: at % 2 === 0 ? 'user' : 'assistant',
  content: `${at} "größe" 😀 ${'word \\ '.repeat(randomInteger(random, 1, 400))}${random()}`,
});

const bytesOf = (body: object) => Buffer.from(JSON.stringify(body));

const tools = Array.from({ length: 30 }, (_, at) => ({ name: `tool ${at}`, about: `About ${at}. `.repeat(at * 6) }));

function history(seed: number) {
  const random = seededRandom(seed);
  const messages = Array.from({ length: randomInteger(random, 1, 60) }, (_, at) => message(random, at));
  return { body: { model: 'm', messages, tools }, more: [message(random, 0), message(random, 1)] };
}

it('passages are the text', () => {
  for (let run = 0; run < runs(300); run += 1) {
    const seed = randomInteger(Math.random, 1, 1_000_000);
    const { body } = history(seed);
    const parts = passagesOf(bytesOf(body)).map(({ bytes }) => bytes);
    expect(Buffer.concat(parts).toString(), `seed ${seed}`).toBe(JSON.stringify(body));
  }
});

it('a history that has grown has the passages that it had', () => {
  let [whole, added] = [0, 0];
  for (let seed = 1; seed <= 50; seed += 1) {
    const { body, more } = history(seed);
    const known = new Set(passagesOf(bytesOf(body)).map(({ key }) => key));
    for (const { key, bytes } of passagesOf(bytesOf({ ...body, messages: [...body.messages, ...more] }))) {
      whole += bytes.length;
      if (!known.has(key)) added += bytes.length;
    }
  }
  expect(added / whole).toBeLessThan(0.2);
});

it('a text without a list is one passage', () => {
  expect(passagesOf(Buffer.from('x'.repeat(shortestText * 9)))).toHaveLength(1);
});

it('what is known is on its way, then written, and new again after its time or when other secrets are looked for', () => {
  let now = 0;
  const known = new KnownPassages({ renewedAfter: 100, now: () => now });
  const packed = new Uint8Array(3);
  known.looksFor('these');
  known.add('a', 'key', packed);
  expect(known.get('a', 'key')).toEqual({ since: 0, packed });
  expect(known.get('b', 'key')).toBeUndefined();
  known.written('a', ['key', 'other']);
  known.looksFor('these');
  expect(known.get('a', 'key')).toEqual({ since: 0 });
  now = 100;
  expect(known.get('a', 'key')).toBeUndefined();
  known.add('a', 'key', packed);
  known.looksFor('those');
  expect(known.get('a', 'key')).toBeUndefined();
});

it('of what is on its way no more is kept than there is room for', () => {
  const known = new KnownPassages({ renewedAfter: 100, now: () => 0 });
  const packed = new Uint8Array(1024 * 1024);
  for (let at = 0; at < 40; at += 1) known.add('a', `${at}`, packed);
  const kept = Array.from({ length: 40 }, (_, at) => known.get('a', `${at}`)).filter((each) => each !== undefined);
  expect(kept).toHaveLength(16);
});
