import type { ChatEvent, FinishReason } from '../../chat/event.ts';
import type { DragomanError } from '../../errors.ts';
import type { Sink, StageFactory } from '../../stream/stage.ts';
import { ReplyWriter } from '../reply-writer.ts';
import type { ReplyContext } from '../wire.ts';
import { writeError } from './errors.ts';
import { type LineContent, LineWriter, writeCall } from './line-writer.ts';
import type { Surface } from './types.ts';

/**
 * Chat events as the lines of `/api/chat` or `/api/generate`. Each output is one whole line.
 *
 * A call leaves when it is whole, as its arguments are an object here; one that was cut never shows. The last line says
 * `done` with counts and durations, or it is an error, never both.
 */
export function createStreamWriter(context: ReplyContext, surface: Surface): StageFactory<ChatEvent, string> {
  return (sink) => new StreamWriter(sink, { context, surface });
}

/** A line that shows nothing. Clients parse every line, blank ones too, so a comment or an empty line won't do. */
export function writeKeepAlive(context: ReplyContext, surface: Surface): string {
  return new LineWriter(context, surface).part({});
}

class StreamWriter extends ReplyWriter {
  readonly #sink: Sink<string>;
  readonly #lines: LineWriter;
  #call: { readonly callId: string; readonly name: string } | undefined;
  #wholeCalls = 0;
  #firstAt: number | undefined;

  constructor(sink: Sink<string>, reply: { readonly context: ReplyContext; readonly surface: Surface }) {
    super(reply.context);
    this.#sink = sink;
    this.#lines = new LineWriter(reply.context, reply.surface);
  }

  protected override text(text: string): void {
    if (text !== '') this.#part({ text });
  }

  protected override reasoning(reasoning: string): void {
    if (reasoning !== '') this.#part({ reasoning });
  }

  protected override beginCall({ callId, name }: { readonly callId: string; readonly name: string }): void {
    this.#call = { callId, name };
  }

  protected override endCall(json: string): void {
    if (this.#call === undefined) return;
    this.#part({ calls: [writeCall({ ...this.#call, arguments: json }, this.#wholeCalls)] });
    this.#call = undefined;
    this.#wholeCalls += 1;
  }

  protected override cutCall(): void {
    this.#call = undefined;
  }

  protected override finish({ finishReason: reason }: { readonly finishReason: FinishReason }): void {
    this.#sink(this.#lines.last({}, { reason, usage: this.usage, firstAt: this.#firstAt }));
  }

  protected override fail(error: DragomanError): void {
    this.#sink(`${JSON.stringify(writeError(error))}\n`);
  }

  #part(content: LineContent): void {
    this.#firstAt ??= this.context.elapsed?.();
    this.#sink(this.#lines.part(content));
  }
}
