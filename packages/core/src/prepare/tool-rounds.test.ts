import { growthOf } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import type { Message } from '../chat/message.ts';
import { readToolRounds } from './guard-loop.ts';

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const said = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] });

let ids = 0;

/** A round of calls of the form `name arguments`, each with its result. */
function round(...pairs: readonly (readonly [call: string, result: string])[]): Message[] {
  const calls = pairs.map(([call, result]) => {
    const [name = '', given = '{}'] = call.split(' ');
    ids += 1;
    return { callId: `call_${ids}`, name, given, result };
  });
  return [
    {
      role: 'assistant',
      content: calls.map(({ callId, name, given }) => ({ type: 'tool-call', callId, name, arguments: given })),
    },
    ...calls.map(
      ({ callId, result }): Message => ({ role: 'tool', callId, content: [{ type: 'text', text: result }] }),
    ),
  ];
}

/** `number/repeats` of every round, and of the one whose results are to be heard. */
function told(...messages: readonly (Message | readonly Message[])[]): { all: string; current: string } {
  const { all, current } = readToolRounds(messages.flat());
  return {
    all: all.map(({ number, repeats }) => `${number}/${repeats}`).join(' '),
    current: current === undefined ? '-' : `${current.number}/${current.repeats}`,
  };
}

const read = () => round(['read {"path":"a"}', 'alpha']);

describe('rounds of a loop', () => {
  it('are counted from what somebody asked', () => {
    expect(told(user('x'), read(), round(['list', 'a b']))).toEqual({ all: '1/1 2/1', current: '2/1' });
    expect(told(user('x'), read(), said('done'), user('y'), read())).toEqual({ all: '1/1 1/1', current: '1/1' });
  });

  it('end with an answer, and with what somebody asks after results', () => {
    expect(told(user('x'), read(), said('done'))).toEqual({ all: '1/1', current: '-' });
    expect(told(user('x'), read(), said('done'), user('y'))).toEqual({ all: '1/1', current: '-' });
    expect(told(user('x'), read(), user('no, b'))).toEqual({ all: '1/1', current: '-' });
    expect(told(user('x'), read(), user('no, b'), read())).toEqual({ all: '1/1 1/1', current: '1/1' });
    expect(told()).toEqual({ all: '', current: '-' });
  });

  it('go on after what a client puts there by itself', () => {
    const reminder = user('<system-reminder>\nThe list is empty.\n</system-reminder>');
    expect(told(user('x'), read(), reminder, read(), reminder).current).toBe('2/2');
    expect(told(user('x'), read(), user('Go on.'), read(), user('Go on.'), read(), user('Go on.')).current).toBe('2/2');
    const image: Message = { role: 'user', content: [{ type: 'image', url: 'data:image/png;base64,AA==' }] };
    expect(told(user('x'), read(), image, read()).current).toBe('2/2');
  });

  it('a reply in several messages is one round', () => {
    const [call = said(''), result = said('')] = read();
    expect(told(user('x'), said('I look.'), call, result)).toEqual({ all: '1/1', current: '1/1' });
  });
});

describe('the same round again', () => {
  it('has the same calls, however they are written, and the same results', () => {
    const first = round(['read {"path":"a","limit":1}', 'alpha'], ['list', 'a b']);
    const again = round(['read {"limit":1.0,"path":"a"}', 'alpha'], ['list', 'a b']);
    const [call = said(''), one = said(''), other = said('')] = round(
      ['read {"limit":1,"path":"a"}', 'alpha'],
      ['list {}', 'a b'],
    );
    expect(told(user('x'), first, again, [call, other, one]).all).toBe('1/1 2/2 3/3');
  });

  it.each([
    ['another argument', round(['read {"path":"b"}', 'alpha'])],
    ['another tool', round(['open {"path":"a"}', 'alpha'])],
    ['another result', round(['read {"path":"a"}', 'beta'])],
    ['one call more', round(['read {"path":"a"}', 'alpha'], ['list', 'a b'])],
    ['another status', read().map((each): Message => (each.role === 'tool' ? { ...each, status: 'error' } : each))],
    ['no result', read().slice(0, 1)],
  ])('has not %s', (_, other) => {
    expect(told(user('x'), read(), other).current).toBe('2/1');
  });

  it('a read after a write is another one, though it finds the same', () => {
    const write = () => round(['write {"path":"a"}', 'written']);
    expect(told(user('x'), read(), write(), read(), write(), read()).all).toBe('1/1 2/1 3/1 4/1 5/1');
  });

  it('one that waits begins a new row when it finds something new', () => {
    const poll = (text: string) => round(['poll', text]);
    expect(told(user('x'), poll('-'), poll('-'), poll('50 %'), poll('50 %')).all).toBe('1/1 2/2 3/1 4/2');
  });
});

it('long histories are read in linear time', () => {
  const growth = growthOf((size) => {
    const rounds = Array.from({ length: size }, read).flat();
    expect(readToolRounds([user('x'), ...rounds]).current).toMatchObject({ number: size, repeats: size });
  }, 5000);
  expect(growth).toBeLessThan(1.1);
});
