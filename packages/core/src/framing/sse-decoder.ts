import { type StageFactory, through } from '../stage.ts';
import { decodeText } from './decode-text.ts';
import { defaultMaxFrame, type FrameLimit, frameTooLong, splitLines } from './split-lines.ts';

/** One server-sent event. `event` is its name, empty when it has none; several data lines are joined by newlines. */
export interface SseFrame {
  readonly event: string;
  readonly data: string;
}

/**
 * A server-sent event stream into its events, whatever the cuts and line ends. Comments, `id:` and `retry:` lines and
 * events without data are passed over. More lenient than the standard in one point: an event that the stream's end
 * interrupts is let out, because some upstreams leave out the last blank line. After a cut that event may be half a one;
 * whoever parses it finds out, as half a JSON object never parses.
 */
export function decodeSse(limit: FrameLimit): StageFactory<Uint8Array, SseFrame> {
  return through(decodeText(), parseSse(limit));
}

/** `decodeSse` for a stream that is text already. */
export function parseSse(limit: FrameLimit): StageFactory<string, SseFrame> {
  return through(splitLines(limit), joinEvents(limit));
}

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
      if (lines.length > 0 && !failed)
        sink({ event: name, data: lines.length === 1 ? (lines[0] ?? '') : lines.join('\n') });
    };
    const field = (name: string, value: string) => {
      if (name === 'event') event = value;
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
        const start = line.startsWith(' ', colon + 1) ? colon + 2 : colon + 1;
        field(line.slice(0, colon), line.slice(start));
      },
      end: () => dispatch(),
    };
  };
}
