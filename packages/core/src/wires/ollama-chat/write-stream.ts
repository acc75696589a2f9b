import type { ChatEvent, Usage } from '../../chat/event.ts';
import { DragomanError } from '../../errors.ts';
import type { Sink, Stage, StageFactory } from '../../stream/stage.ts';
import { WholeCharacters } from '../whole-characters.ts';
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

class StreamWriter implements Stage<ChatEvent> {
  readonly #sink: Sink<string>;
  readonly #context: ReplyContext;
  readonly #lines: LineWriter;
  readonly #characters = new WholeCharacters();
  #call: { readonly callId: string; readonly name: string } | undefined;
  #wholeCalls = 0;
  #usage: Usage | undefined;
  #firstAt: number | undefined;
  #ended = false;

  constructor(sink: Sink<string>, reply: { readonly context: ReplyContext; readonly surface: Surface }) {
    this.#sink = sink;
    this.#context = reply.context;
    this.#lines = new LineWriter(reply.context, reply.surface);
  }

  push(event: ChatEvent): void {
    if (this.#ended) return;
    switch (event.type) {
      case 'message-start':
      case 'text-start':
      case 'reasoning-start':
      case 'tool-call-delta':
      case 'warning':
      case 'conversation':
        break;
      case 'text-delta':
        this.#text(this.#characters.push(event.text));
        break;
      case 'text-end':
        this.#text(this.#characters.flush());
        break;
      case 'reasoning-delta':
        this.#reasoning(this.#characters.push(event.text));
        break;
      case 'reasoning-end':
        this.#reasoning(this.#characters.flush());
        break;
      case 'tool-call-start':
        this.#call = { callId: event.callId, name: event.name };
        break;
      case 'tool-call-end':
        this.#endCall(event.arguments);
        break;
      case 'tool-call-cut':
        this.#call = undefined;
        break;
      case 'usage':
        this.#usage = event.usage;
        break;
      case 'message-end':
        this.#ended = true;
        this.#sink(this.#lines.last({}, { reason: event.finishReason, usage: this.#usage, firstAt: this.#firstAt }));
        break;
      case 'error':
        this.#fail(event.error);
        break;
      default:
        event satisfies never;
    }
  }

  /** A stream that ends without its terminal event is a failure too, so the client never waits in vain. */
  end(cut?: DragomanError): void {
    if (!this.#ended) this.#fail(cut ?? new DragomanError('internal', 'The reply ended without saying how.'));
  }

  #text(text: string): void {
    if (text !== '') this.#part({ text });
  }

  #reasoning(reasoning: string): void {
    if (reasoning !== '') this.#part({ reasoning });
  }

  #endCall(json: string): void {
    if (this.#call === undefined) return;
    this.#part({ calls: [writeCall({ ...this.#call, arguments: json }, this.#wholeCalls)] });
    this.#call = undefined;
    this.#wholeCalls += 1;
  }

  #part(content: LineContent): void {
    this.#firstAt ??= this.#context.elapsed?.();
    this.#sink(this.#lines.part(content));
  }

  #fail(error: DragomanError): void {
    this.#ended = true;
    this.#sink(`${JSON.stringify(writeError(error))}\n`);
  }
}
