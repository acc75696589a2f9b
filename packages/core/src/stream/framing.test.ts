import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DragomanError } from '../errors.ts';
import { decodeText, readable } from './decode-text.ts';
import { decodeNdjson } from './ndjson-decoder.ts';
import { decodeSse, parseSse, type SseFrame } from './sse-decoder.ts';
import { encodeSse } from './sse-encoder.ts';
import { runStage } from './stage.ts';

const fail = (error: DragomanError) => {
  throw error;
};
const bytes = (text: string) => new TextEncoder().encode(text);

function isUtf8(all: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(all);
    return true;
  } catch {
    return false;
  }
}

/** All cuts of a stream in two, and one byte at a time. */
function* cuts(all: Uint8Array): Generator<Uint8Array[]> {
  for (let at = 0; at <= all.length; at += 1) yield [all.slice(0, at), all.slice(at)];
  yield Array.from(all, (byte) => Uint8Array.of(byte));
}

function expectAtEveryCut(stream: string, frames: readonly SseFrame[]): void {
  for (const pieces of cuts(bytes(stream))) expect(runStage(decodeSse({ fail }), pieces)).toEqual(frames);
}

const data = (...all: string[]): SseFrame[] => all.map((one) => ({ event: '', data: one }));

describe('decodeSse', () => {
  it('B-093 reads the same frames at every cut, with multi-byte characters', () => {
    expectAtEveryCut('data: grüße 🦜\n\ndata: [DONE]\n\n', data('grüße 🦜', '[DONE]'));
  });

  it('reads LF, CR LF and CR line ends, mixed, at every cut', () => {
    expectAtEveryCut('data: a\r\n\r\ndata: b\r\rdata: c\n\ndata: d\r\n\n', data('a', 'b', 'c', 'd'));
  });

  it('passes over comments, id and retry, and keeps the event name', () => {
    expectAtEveryCut(': hello\nid: 7\nretry: 10\nevent: ping\ndata: x\n\ndata: y\n\n', [
      { event: 'ping', data: 'x' },
      { event: '', data: 'y' },
    ]);
  });

  it('joins several data lines by newlines and takes off one space only', () => {
    expectAtEveryCut('data:a\ndata:  b\ndata\ndata: c\n\n', data('a\n b\n\nc'));
  });

  it('lets out the last event without its blank line or line end, also after a cut', () => {
    expectAtEveryCut('data: a\n\ndata: b', data('a', 'b'));
    expect(runStage(decodeSse({ fail }), [bytes('data: b\n')], new DragomanError('upstream-cut', 'gone'))).toEqual(
      data('b'),
    );
  });

  it('lets out nothing for an event without data', () => {
    expectAtEveryCut('event: nothing\n\n\n\ndata: a\n\n', data('a'));
  });

  it('drops a byte order mark, and says which frame holds bytes that are not UTF-8', () => {
    const half = bytes('🦜').slice(0, 3);
    const good = bytes('\n\ndata: \ufffd is a character\n\n');
    for (const bad of [[0xff], [...half], [0xef, 0xbf], [0x80, 0xed, 0xa0, 0x80]]) {
      const stream = Uint8Array.of(0xef, 0xbb, 0xbf, ...bytes('data: \ufffd a'), ...bad, ...bytes('b'), ...good);
      const replaced = new TextDecoder().decode(Uint8Array.from(bad));
      for (const pieces of cuts(stream)) {
        expect(runStage(decodeSse({ fail }), pieces)).toEqual([
          { event: '', data: `\ufffd a${replaced}b`, damaged: true },
          ...data('\ufffd is a character'),
        ]);
      }
    }
    expect(runStage(decodeSse({ fail }), [bytes('data: a'), half])).toEqual([
      { event: '', data: 'a\ufffd', damaged: true },
    ]);
  });

  it('reads any bytes as the standard does, and marks what is not UTF-8', () => {
    const units = [0x41, 0xef, 0xbf, 0xbd, 0xbb, 0xf0, 0x9f, 0xc2, 0xe2, 0x82, 0xac, 0xff, 0x80, 0xed, 0xa0, 0xd8];
    const pieces = fc.array(fc.array(fc.constantFrom(...units), { maxLength: 5 }).map((each) => Uint8Array.from(each)));
    fc.assert(
      fc.property(pieces, (chunks) => {
        const whole = Uint8Array.from(chunks.flatMap((chunk) => [...chunk]));
        const found = readable(runStage(decodeText(), chunks).join(''));
        expect(found.text).toBe(new TextDecoder().decode(whole));
        expect(found.damaged).toBe(!isUtf8(whole));
      }),
      { numRuns: 1000 },
    );
  });

  it('lets out an object whose line has lost its field, and no other unknown field', () => {
    expectAtEveryCut('{"error":"x"}\nfoo: bar\ndat: {"a":1}\ndata: b\n\n', data('{"error":"x"}', 'dat: {"a":1}', 'b'));
  });

  it('reads what the encoder wrote, whatever the cuts', () => {
    const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\r', ''));
    fc.assert(
      fc.property(fc.array(line), fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (texts, sizes) => {
        const stream = bytes(texts.map((text) => `: keepalive\n\n${encodeSse(text)}`).join(''));
        const pieces: Uint8Array[] = [];
        for (let from = 0; from < stream.length; ) {
          const size = sizes.next().value;
          pieces.push(stream.slice(from, from + size));
          from += size;
        }
        expect(runStage(decodeSse({ fail }), pieces)).toEqual(data(...texts));
      }),
    );
  });

  it('fails once on a line or a frame beyond the limit and lets nothing more out', () => {
    const lineErrors: DragomanError[] = [];
    const oneLine = parseSse({ maxFrame: 20, fail: (error) => lineErrors.push(error) });
    expect(runStage(oneLine, ['data: ok\n\ndata: aaaaaaa', 'aaaaaaaaaaaaaaa', 'a\n\ndata: b\n\n'])).toEqual(data('ok'));
    expect(lineErrors.map((error) => error.code)).toEqual(['reply-too-large']);

    const frameErrors: DragomanError[] = [];
    const manyLines = parseSse({ maxFrame: 20, fail: (error) => frameErrors.push(error) });
    expect(runStage(manyLines, ['data: aaaaaaaaaa\n', 'data: aaaaaaaaaa\n', 'data: a\n\n', 'data: b\n\n'])).toEqual([]);
    expect(frameErrors.map((error) => error.code)).toEqual(['reply-too-large']);
  });

  it('B-082 stays linear for one long line in tiny pieces', () => {
    const long = `data: ${'x'.repeat(1_000_000)}\n\n`;
    const pieces: string[] = [];
    for (let from = 0; from < long.length; from += 4) pieces.push(long.slice(from, from + 4));
    const frames = runStage(parseSse({ fail }), pieces);
    expect(frames[0]?.data).toHaveLength(1_000_000);
  });
});

describe('decodeNdjson', () => {
  it('reads lines at every cut, passes over blank ones and takes a last line without its end', () => {
    for (const pieces of cuts(bytes('{"a":"ü"}\r\n\n  \n{"b":2}\n{"c":3}'))) {
      expect(runStage(decodeNdjson({ fail }), pieces)).toEqual(data('{"a":"ü"}', '{"b":2}', '{"c":3}'));
    }
  });
});

describe('decodeText', () => {
  it('A-170 never lets out half a character', () => {
    for (const pieces of cuts(bytes('a🦜b'))) {
      for (const text of runStage(decodeText(), pieces)) expect(() => encodeURIComponent(text)).not.toThrow();
    }
  });
});

describe('encodeSse', () => {
  it('A-150 writes one data line and a blank line', () => {
    expect(encodeSse('{"a":1}')).toBe('data: {"a":1}\n\n');
    expect(encodeSse('a\nb', 'x')).toBe('event: x\ndata: a\ndata: b\n\n');
  });
});
