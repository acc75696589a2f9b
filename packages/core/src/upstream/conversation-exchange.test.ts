import { expect, it } from 'vitest';
import { DragomanError } from '../errors.ts';
import { AnswerLook, type LookOptions } from './conversation-exchange.ts';

/** What a receiver hears of an answer that is looked at. */
function look(options: Partial<LookOptions>) {
  const heard: string[] = [];
  const bytes: number[] = [];
  const receiver = new AnswerLook(
    {
      start: (status, contentType) => heard.push(`start ${status} ${contentType}`),
      data: (chunk) => bytes.push(...chunk),
      end: () => heard.push('end'),
      fail: ({ message }) => heard.push(`fail ${message}`),
    },
    { passes: () => false, over: () => false, ...options },
  );
  return { receiver, heard, bytes };
}

const cut = new DragomanError('upstream-cut', 'cut');

it('an answer that is longer than a look is passed on byte for byte, as it goes on coming', () => {
  const seen: unknown[] = [];
  const { receiver, heard, bytes } = look({ over: (_, body) => seen.push(typeof body) === 0 });
  // A character of three bytes, so that the look ends in the middle of one.
  const chunk = new TextEncoder().encode('„'.repeat(10_000));
  receiver.start(200, 'application/json');
  for (let at = 0; at < 3; at += 1) receiver.data(chunk);
  expect(bytes).toHaveLength(90_000);
  receiver.data(chunk);
  receiver.end();
  expect(new TextDecoder().decode(new Uint8Array(bytes))).toBe('„'.repeat(40_000));
  expect({ heard, seen }).toEqual({ heard: ['start 200 application/json', 'end'], seen: ['string'] });
});

it('of an answer that somebody else takes care of nothing is heard, not even how it goes on', () => {
  const { receiver, heard, bytes } = look({ over: () => true });
  receiver.start(400, 'text/plain');
  receiver.data(new Uint8Array(70_000));
  receiver.data(new Uint8Array(10));
  receiver.fail(cut);
  receiver.end();
  expect({ heard, bytes }).toEqual({ heard: [], bytes: [] });
});

it('an answer that breaks off before anybody could look at it is a failure', () => {
  const { receiver, heard } = look({ over: () => true });
  receiver.start(200, 'application/json');
  receiver.data(new Uint8Array(10));
  receiver.fail(cut);
  expect(heard).toEqual(['fail cut']);
});

it('what a look throws is told once', () => {
  const { receiver, heard } = look({
    over: () => {
      throw cut;
    },
  });
  receiver.start(200, 'application/json');
  receiver.end();
  receiver.end();
  expect(heard).toEqual(['fail cut']);
});
