import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../src/chat/event.ts';
import { decodeSse } from '../src/stream/sse-decoder.ts';
import { through } from '../src/stream/stage.ts';
import { FrameTap } from '../src/upstream/frame-tap.ts';
import { anthropicMessagesUpstream } from '../src/wires/anthropic-messages/index.ts';
import { openaiChatUpstream } from '../src/wires/openai-chat/index.ts';
import type { UpstreamWire } from '../src/wires/wire.ts';
import { streamSituations } from './read-corpus.ts';

const request = {
  model: 'm',
  messages: [],
  tools: [],
  toolChoice: 'auto',
  parallelToolCalls: true,
  stream: true,
  includeUsage: true,
  sampling: {},
  extra: {},
  warnings: [],
} as const;

/** What is read of a stream, all of it or past a tap, in pieces of so many bytes. */
function read(wire: UpstreamWire, stream: string | Uint8Array, { tapped, size }: { tapped: boolean; size: number }) {
  const events: ChatEvent[] = [];
  const fail = (error: Error): never => expect.fail(error.message);
  const reader = through(decodeSse({ fail }), wire.createStreamReader(request))((event) => events.push(event));
  const hasSaid = () => events.some(({ type }) => type === 'text-delta' || type === 'tool-call-start');
  const { isQuiet = () => false } = wire;
  const stage = tapped ? new FrameTap({ reader, isQuiet, hasSaid }) : reader;
  const bytes = typeof stream === 'string' ? new TextEncoder().encode(stream) : stream;
  for (let at = 0; at < bytes.length; at += size) stage.push(bytes.subarray(at, at + size));
  stage.end();
  return events;
}

const isTelling = ({ type }: ChatEvent) => type !== 'text-delta' && type !== 'reasoning-delta';

/** A chunk of Chat Completions, as most servers write it. */
const chunk = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: null, ...more }], usage: null })}\n\n`;
const end = chunk({}, { finish_reason: 'stop' });

describe('what is tapped of a stream that is passed on', () => {
  it.each([openaiChatUpstream, anthropicMessagesUpstream])('tells all but text, $id', (wire) => {
    for (const { name, files, read: file } of streamSituations) {
      if (!files.includes(`${wire.id}.sse`)) continue;
      const stream = file(`${wire.id}.sse`);
      for (const size of [1, 9, stream.length]) {
        const whole = read(wire, stream, { tapped: false, size });
        const tapped = read(wire, stream, { tapped: true, size });
        expect(tapped.filter(isTelling), name).toEqual(whole.filter(isTelling));
      }
    }
  });

  it('parses no frame that only goes on with a text', () => {
    const stream = [chunk({ role: 'assistant', content: 'a' }), ...Array(500).fill(chunk({ content: 'b' })), end].join(
      '',
    );
    const deltas = read(openaiChatUpstream, stream, { tapped: true, size: 1000 }).filter((event) => !isTelling(event));
    expect(deltas).toEqual([{ type: 'text-delta', block: 0, text: 'a' }]);
  });

  it('reads every frame until something is said, so that thoughts alone are no reply', () => {
    const stream = [...Array(3).fill(chunk({ reasoning_content: 'hm' })), end].join('');
    expect(read(openaiChatUpstream, stream, { tapped: true, size: 20 })).toEqual(
      read(openaiChatUpstream, stream, { tapped: false, size: 20 }),
    );
  });

  it.each([
    ['with spaces', (text: string) => text.replaceAll('":', '": ')],
    ['with other line ends', (text: string) => text.replaceAll('\n', '\r\n')],
  ])('notices usage and the end however they are written: %s', (_, written) => {
    const usage = `data: {"id":"c","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}\n\n`;
    const frames = [chunk({ content: 'a' }), chunk({ content: '"usage": {"finish_reason":"stop"' }), end, usage];
    const events = read(openaiChatUpstream, written(frames.join('')), { tapped: true, size: 50 });
    expect(events.slice(-3).map(({ type }) => type)).toEqual(['usage', 'text-end', 'message-end']);
  });

  it('notices an error in the middle, and what is no frame at all', () => {
    const before = chunk({ content: 'a' }) + chunk({ content: 'b' });
    for (const broken of [
      'data: {"error":{"message":"out of memory"}}\n\n',
      'data: {"choices":[{"de\n\n',
      'data: {"choi',
    ]) {
      const events = read(openaiChatUpstream, before + broken, { tapped: true, size: 40 });
      expect(events.at(-1)?.type, broken).toBe('error');
    }
  });

  it('leaves a frame that grows without end to its reader, which bounds it', () => {
    const stream = chunk({ content: 'a' }) + chunk({ content: 'b'.repeat(100_000) }) + chunk({ content: 'c' }) + end;
    const events = read(openaiChatUpstream, stream, { tapped: true, size: 5000 });
    expect(events.map((event) => ('text' in event ? event.text.length : 0))).toContain(100_000);
    expect(events.at(-1)?.type).toBe('message-end');
  });
});
