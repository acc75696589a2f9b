import { decodeText } from './decode-text.ts';
import { type FrameLimit, splitLines } from './split-lines.ts';
import { frameOf, type SseFrame } from './sse-decoder.ts';
import { type StageFactory, through } from './stage.ts';

/**
 * A stream of JSON lines into frames, whatever the cuts and line ends. Blank lines are passed over; a last line without
 * its end is a line too. The JSON itself is not looked at.
 */
export function decodeNdjson(limit: FrameLimit): StageFactory<Uint8Array, SseFrame> {
  return through(decodeText(), through(splitLines(limit), nameless()));
}

function nameless(): StageFactory<string, SseFrame> {
  return (sink) => ({
    push: (line) => {
      if (line.trim() !== '') sink(frameOf('', line));
    },
    end: () => {},
  });
}
