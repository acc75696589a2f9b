import type { ChatEvent } from '../../chat/event.ts';
import type { EventWriter } from '../../chat/event-writer.ts';
import type { ChatRequest } from '../../chat/request.ts';
import type { Sink, StageFactory } from '../../stream/stage.ts';
import { type ChoiceReader, ChunkReader } from '../chunk-reader.ts';
import { FrameReader } from '../frame-reader.ts';
import { unreadableAnswer } from '../read-upstream-error.ts';
import { isAbsent, isObject, type JsonObject } from '../read-values.ts';
import type { Frame } from '../wire.ts';

/** Completions chunks as chat events, with the promises of `FrameReader` and `ChunkReader`. */
export function createStreamReader(request: ChatRequest): StageFactory<Frame, ChatEvent> {
  return (sink) => new FrameReader(createChunkReader(sink, request.model));
}

/** The same reader for parsed bodies, too: they have the shape of a chunk. */
function createChunkReader(sink: Sink<ChatEvent>, model: string): ChunkReader {
  return new ChunkReader(sink, { model, choices: textReader });
}

function textReader(writer: EventWriter): ChoiceReader {
  return {
    read({ text }: JsonObject): void {
      if (typeof text === 'string') writer.text(text);
    },
    finish(): void {
      writer.closeBlock();
    },
    cut(): void {},
    calls: { whole: 0, cut: 0 },
    inCall: false,
  };
}

/**
 * A whole answer as the events that a stream of it would give. Throws `upstream-unreadable` for what is neither an answer
 * nor an error.
 */
export function readMessage(body: unknown, request: ChatRequest): ChatEvent[] {
  const isError = isObject(body) && (!isAbsent(body.error) || body.object === 'error');
  const isAnswer = isObject(body) && Array.isArray(body.choices) && body.choices.some(holdsText);
  if (!isError && !isAnswer) throw unreadableAnswer(body, 'a text completion');
  const events: ChatEvent[] = [];
  const reader = createChunkReader((event) => events.push(event), request.model);
  reader.read(body);
  reader.finish();
  return events;
}

function holdsText(choice: unknown): boolean {
  return isObject(choice) && typeof choice.text === 'string';
}
