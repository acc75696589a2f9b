import { decodeText, readable } from './decode-text.ts';
import { defaultMaxFrame, type FrameLimit, frameTooLong, splitLines } from './split-lines.ts';
import { type StageFactory, through } from './stage.ts';

/** One server-sent event. `event` is its name, empty when it has none; several data lines are joined by newlines. */
export interface SseFrame {
  readonly event: string;
  readonly data: string;
  /** Bytes of it were not UTF-8; U+FFFD stands for them. */
  readonly damaged?: true;
}

/** A frame of decoded text. */
export function frameOf(event: string, data: string): SseFrame {
  const { text, damaged } = readable(data);
  return damaged ? { event, data: text, damaged } : { event, data };
}

/**
 * A server-sent event stream into its events, whatever the cuts and line ends. Comments, `id:` and `retry:` lines and
 * events without data are passed over. Two things differ from the standard. An event that the stream's end interrupts is let
 * out, because some upstreams leave out the last blank line; after a cut that event may be half a one, which whoever parses
 * it finds out, as half a JSON object never parses. And a line that is no field but holds an object is let out as a frame:
 * it is an error that a server writes without framing it, or data whose `data:` was lost.
 */
export function decodeSse(limit: FrameLimit): StageFactory<Uint8Array, SseFrame> {
  return through(decodeText(), parseSse(limit));
}

/** `decodeSse` for a stream that is text already. */
export function parseSse(limit: FrameLimit): StageFactory<string, SseFrame> {
  return through(splitLines(limit), joinEvents(limit));
}

/** What lines of an event may begin with. */
const fields: readonly string[] = ['data', 'event', 'id', 'retry'];

/** Lines into events: a blank line ends an event. */
function joinEvents(limit: FrameLimit): StageFactory<string, SseFrame> {
  const maxFrame = limit.maxFrame ?? defaultMaxFrame;
  return (sink) => {
    let event = '';
    let data: string[] = [];
    let length = 0;
    let failed = false;

    const dispatch = () => {
      const lines = data;
      const name = event;
      event = '';
      data = [];
      length = 0;
      if (lines.length > 0 && !failed) sink(frameOf(name, lines.length === 1 ? (lines[0] ?? '') : lines.join('\n')));
    };
    const field = (name: string, value: string) => {
      if (name === 'event') event = readable(value).text;
      if (name !== 'data') return;
      length += value.length + 1;
      if (length > maxFrame + 1) {
        failed = true;
        data = [];
        limit.fail(frameTooLong(maxFrame));
      } else data.push(value);
    };

    return {
      push: (line) => {
        if (failed) return;
        if (line === '') return dispatch();
        const colon = line.indexOf(':');
        if (colon === 0) return;
        if (colon < 0) return field(line, '');
        const name = line.slice(0, colon);
        if (!fields.includes(name) && line.includes('{')) return sink(frameOf('', line));
        const start = line.startsWith(' ', colon + 1) ? colon + 2 : colon + 1;
        field(name, line.slice(start));
      },
      end: () => dispatch(),
    };
  };
}
