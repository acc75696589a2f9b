import { describe, expect, it } from 'vitest';
import { TurnQueue } from './turn-queue.ts';

const rules = { wait: 60_000, most: 2 };
const known = new Set<string>();
const signal = new AbortController().signal;

describe('the queue of turns', () => {
  it('lets requests go one after another, in the order in which they came, and each place for itself', async () => {
    const queue = new TurnQueue();
    const first = await queue.enter('a', { rules, known, signal });
    const went: string[] = [];
    const waiting = ['second', 'third'].map(async (name) => {
      const turn = await queue.enter('a', { rules, known, signal });
      went.push(name);
      return turn;
    });
    const elsewhere = await queue.enter('b', { rules, known, signal });
    expect([first.waited, elsewhere.waited, went]).toEqual([false, false, []]);
    first.end();
    const second = await waiting[0];
    // Ending twice lets nobody else go.
    first.end();
    await Promise.resolve();
    expect([second?.waited, went]).toEqual([true, ['second']]);
    second?.end();
    (await waiting[1])?.end();
    expect((await queue.enter('a', { rules, known, signal })).waited).toBe(false);
  });

  it('refuses whom there is no room for, and who waits too long', async () => {
    const queue = new TurnQueue();
    const first = await queue.enter('a', { rules, known, signal });
    const short = queue.enter('a', { rules: { ...rules, wait: 5 }, known, signal });
    const long = queue.enter('a', { rules, known, signal });
    await expect(queue.enter('a', { rules, known, signal })).rejects.toMatchObject({
      code: 'conversation-busy',
    });
    await expect(short).rejects.toMatchObject({ code: 'conversation-busy' });
    first.end();
    expect((await long).waited).toBe(true);
  });

  it('passes on the turn of a request that nobody wants any more', async () => {
    const queue = new TurnQueue();
    const first = await queue.enter('a', { rules, known, signal });
    const gone = new AbortController();
    const left = queue.enter('a', { rules, known, signal: gone.signal });
    const next = queue.enter('a', { rules, known, signal });
    gone.abort(new Error('the client has gone'));
    await expect(left).rejects.toThrow('the client has gone');
    const tooLate = new AbortController();
    first.end();
    tooLate.abort();
    (await next).end();
    await expect(queue.enter('a', { rules, known, signal: tooLate.signal })).resolves.toMatchObject({ waited: false });
  });

  it('passes on a turn that comes in the very moment in which its request leaves', async () => {
    const queue = new TurnQueue();
    const first = await queue.enter('a', { rules, known, signal });
    const gone = new AbortController();
    const left = queue.enter('a', { rules, known, signal: gone.signal });
    const next = queue.enter('a', { rules, known, signal });
    gone.abort(new Error('gone'));
    first.end();
    await left.then(
      (turn) => turn.end(),
      () => {},
    );
    expect((await next).waited).toBe(true);
  });
});
