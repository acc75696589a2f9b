import { describe, expect, it } from 'vitest';
import { Traffic, type Visit } from './traffic.ts';

const rules = { wait: 60_000, most: 2 };
const { signal } = new AbortController();

/** Waits for its turn; `came` says in which order turns have come. */
function waiting(visit: Visit, { name, came }: { readonly name: string; readonly came: string[] }) {
  return visit.turn({ rules, signal }).then(() => came.push(name));
}

/** Lets everything happen that waits for nothing but promises. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('messages into one conversation', () => {
  it('are sent beside each other, and not while the stream of a reply that is over is open', async () => {
    const traffic = new Traffic();
    const [first, second, third] = [traffic.enter('a'), traffic.enter('a'), traffic.enter('a')];
    expect([first.goes(), second.goes()]).toEqual([true, true]);
    first.replied();
    expect(third.goes()).toBe(false);
    expect(traffic.enter('b').goes()).toBe(true);
    const came: string[] = [];
    const turn = waiting(third, { name: 'third', came });
    await settled();
    expect(came).toEqual([]);
    first.closed();
    await turn;
  });

  it('go one after another, in the order in which they came, once the upstream has said that it is busy', async () => {
    const traffic = new Traffic();
    const came: string[] = [];
    const [first, second, third] = [traffic.enter('a'), traffic.enter('a'), traffic.enter('a')];
    for (const visit of [first, second, third]) expect(visit.goes()).toBe(true);
    for (const visit of [third, second]) visit.refused();
    const turns = [waiting(third, { name: 'third', came }), waiting(second, { name: 'second', came })];
    first.closed();
    await turns[1];
    await settled();
    expect(came).toEqual(['second']);
    second.closed();
    await Promise.all(turns);
    expect(came).toEqual(['second', 'third']);
  });

  it('are sent again after a while where nothing is known to be under way', async () => {
    const visit = new Traffic().enter('a');
    visit.goes();
    visit.refused();
    await visit.turn({ rules, signal });
    expect(visit.stand).toBe('open');
  });

  it('wait no longer than they may, no more of them than may, and not when nobody wants the answer', async () => {
    const traffic = new Traffic();
    const open = traffic.enter('a');
    open.goes();
    open.replied();
    const busy = { code: 'conversation-busy' };
    const unwanted = new AbortController();
    const [one, two, three] = [traffic.enter('a'), traffic.enter('a'), traffic.enter('a')];
    const left = one.turn({ rules, signal: unwanted.signal });
    await expect(two.turn({ rules: { ...rules, wait: 0 }, signal })).rejects.toMatchObject(busy);
    await expect(three.turn({ rules, signal })).rejects.toMatchObject(busy);
    unwanted.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
  });

  it('of a conversation in which nothing is under way any more leave nothing behind', () => {
    const traffic = new Traffic();
    const [first, second] = [traffic.enter('a'), traffic.enter('a')];
    first.goes();
    second.goes();
    second.refused();
    first.closed();
    second.closed();
    // It has forgotten that the upstream took one at a time.
    expect([traffic.enter('a').goes(), traffic.enter('a').goes()]).toEqual([true, true]);
  });
});
