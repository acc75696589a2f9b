import { cutText, violationsOf } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CollectedMessage, collect } from '../chat/collect.ts';
import type { ChatEvent } from '../chat/event.ts';
import { EventWriter } from '../chat/event-writer.ts';
import { runStage } from '../stream/stage.ts';
import { createLegacyTextDrop } from './legacy-text.ts';

function events(write: (writer: EventWriter) => void): ChatEvent[] {
  const list: ChatEvent[] = [];
  const writer = new EventWriter((event) => list.push(event));
  writer.start('r', 'm');
  write(writer);
  return list;
}

function collected(list: readonly ChatEvent[]): CollectedMessage {
  const out = runStage(createLegacyTextDrop(), list);
  expect(violationsOf(out)).toEqual([]);
  return collect(out);
}

function left(text: string, pieces: readonly string[] = [text]): string {
  return collected(
    events((writer) => {
      for (const piece of pieces) writer.text(piece);
      writer.end('stop');
    }),
  ).text;
}

describe('marks of older agent prompts', () => {
  it('leaves a refusal as it is, unless an invented turn came before', () => {
    const refusing = (before: string) =>
      events((writer) => {
        writer.text(before);
        writer.marked({ text: 'STATE: no', refusal: true });
        writer.end('stop');
      });
    expect(collected(refusing('Well.\n')).content).toEqual([
      { type: 'text', text: 'Well.\n' },
      { type: 'text', text: 'STATE: no', refusal: true },
    ]);
    expect(collected(refusing('Well.\nUser: go')).text).toBe('Well.');
  });

  it.each([
    ['STATE: idle\nHello', 'Hello'],
    ['One.\nSTATE: working on it\nTwo.', 'One.\nTwo.'],
    ['One.\n\nSTATE: done', 'One.\n\n'],
    ['STATE: a\nSTATE: b\nHello', 'Hello'],
    ['STATE: idle', ''],
    ['The STATE: of things.\nA STATE: b', 'The STATE: of things.\nA STATE: b'],
    ['STATES: 50\n STATE: x', 'STATES: 50\n STATE: x'],
    ['state: x\nSTATE', 'state: x\nSTATE'],
  ])('D-012 D-013 leaves out header lines and nothing else: %j', (text, expected) => {
    expect(left(text)).toBe(expected);
  });

  it.each([
    ['FINAL: x', 'x'],
    ['FINAL:x', 'x'],
    ['Thinking.\nFINAL:  x', 'Thinking.\n x'],
    ['It is FINAL: yes', 'It is FINAL: yes'],
    ['The answer.\nUser: hi\nMore.', 'The answer.'],
    ['The answer.\n\n\nHuman: hi', 'The answer.'],
    ['The answer.\nMemory: none', 'The answer.'],
    ['User: is the first word', 'User: is the first word'],
    ['\n\nUser: is the first word', '\n\nUser: is the first word'],
    ['Ask the User: him', 'Ask the User: him'],
    ['a\nUse this', 'a\nUse this'],
    ['a\nUsers: three', 'a\nUsers: three'],
  ])('D-014 leaves out the FINAL mark and invented turns: %j', (text, expected) => {
    expect(left(text)).toBe(expected);
  });

  it('D-012 D-014 tells what was left out, once for each kind', () => {
    const text = 'STATE: a\nSTATE: b\nFINAL: x\nUser: y';
    const message = collected(
      events((writer) => {
        writer.text(text);
        writer.end('stop');
      }),
    );
    expect(message.warnings.map(({ code }) => code)).toEqual(['text-dropped', 'text-dropped', 'text-dropped']);
  });

  it('D-014 fires no call of an invented turn, and keeps those before it', () => {
    const call = (writer: EventWriter, id: string) => {
      writer.callStart(id, 'read');
      writer.callEnd();
    };
    const after = collected(
      events((writer) => {
        writer.text('Done.\nUser: again\n');
        call(writer, 'a');
        writer.text('more');
        writer.end('tool-calls');
      }),
    );
    expect(after).toMatchObject({ text: 'Done.', calls: [], finishReason: 'stop', complete: true });
    const before = collected(
      events((writer) => {
        writer.reasoning('STATE: stays');
        call(writer, 'a');
        writer.text('\nUser: again');
        call(writer, 'b');
        writer.end('tool-calls');
      }),
    );
    expect(before).toMatchObject({ reasoning: 'STATE: stays', finishReason: 'tool-calls' });
    expect(before.calls.map(({ callId }) => callId)).toEqual(['a']);
  });

  it('leaves the same whatever the cuts, and text without marks exactly', () => {
    const piece = fc.constantFrom('STATE:', 'FINAL: ', 'User:', 'Human', '\n', '\n\n', ' ', 'a', 'S', 'FINAL', ':');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.nat(), (parts, seed) => {
        const text = parts.join('');
        expect(left(text, cutText(text, { seed, max: 4 }))).toBe(left(text));
        const plain = text.replaceAll(':', ';');
        expect(left(plain, cutText(plain, { seed, max: 4 }))).toBe(plain);
      }),
    );
  });

  it('holds back no more than a few line breaks and the start of a mark', () => {
    const out: ChatEvent[] = [];
    const stage = createLegacyTextDrop()((event) => out.push(event));
    const text = `a${'\n'.repeat(1000)}STAT`;
    for (const letter of text) stage.push({ type: 'text-delta', block: 0, text: letter });
    const delivered = out.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('');
    expect(text.length - delivered.length).toBeLessThan(24);
    expect(text.startsWith(delivered)).toBe(true);
  });
});
