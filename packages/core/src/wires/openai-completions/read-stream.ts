import type { ChatEvent } from '../../chat/event.ts';
import type { ChatRequest } from '../../chat/request.ts';
import type { StageFactory } from '../../stream/stage.ts';
import { ChunkReader, readWholeChunk } from '../chunk-reader.ts';
import { FrameReader } from '../frame-reader.ts';
import type { JsonObject } from '../read-values.ts';
import type { Frame } from '../wire.ts';

/** Completions chunks as chat events, with the promises of `FrameReader` and `ChunkReader`. */
export function createStreamReader(request: ChatRequest): StageFactory<Frame, ChatEvent> {
  return (sink) => new FrameReader(new TextReader(sink, request.model));
}

/** A whole answer has the shape of a chunk. */
export function readMessage(body: unknown, request: ChatRequest): ChatEvent[] {
  return readWholeChunk(body, {
    what: 'a text completion',
    holdsReply: ({ text }) => typeof text === 'string',
    createReader: (sink) => new TextReader(sink, request.model),
  });
}

class TextReader extends ChunkReader {
  protected override readChoice({ text }: JsonObject): void {
    if (typeof text === 'string') this.writer.text(text);
  }

  protected override finishChoice() {
    this.writer.closeBlock();
    return { whole: 0, cut: 0 };
  }
}
