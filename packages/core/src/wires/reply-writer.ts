import type { ChatEvent, Usage } from '../chat/event.ts';
import type { Extra } from '../chat/message.ts';
import { WholeCharacters } from '../chat/whole-characters.ts';
import { DragomanError } from '../errors.ts';
import type { Sink } from '../stream/stage.ts';
import type { ReplyContext, StreamWriter } from './wire.ts';

type Of<Type extends ChatEvent['type']> = Extract<ChatEvent, { readonly type: Type }>;

/**
 * What the stream writers of all wires share. Each event goes to the method of its name; a wire overrides those that it
 * has words for. Texts come in whole characters, and may be empty. Nothing follows the end, and a stream that ends
 * without its terminal event fails, so that a client never waits in vain.
 */
export abstract class ReplyWriter<Out = string> implements StreamWriter {
  protected readonly sink: Sink<Out>;
  protected readonly context: ReplyContext;
  /** The last that was told. */
  protected usage: Usage | undefined;
  readonly #characters = new WholeCharacters();
  #hasEnded = false;

  constructor(sink: Sink<Out>, context: ReplyContext) {
    this.sink = sink;
    this.context = context;
  }

  protected get hasEnded(): boolean {
    return this.#hasEnded;
  }

  push(event: ChatEvent): void {
    if (this.#hasEnded) return;
    switch (event.type) {
      case 'message-start':
        this.start();
        break;
      case 'text-start':
        this.beginText(event.refusal === true);
        break;
      case 'text-delta':
        this.text(this.#characters.push(event.text), event.extra);
        break;
      case 'text-end':
        this.text(this.#characters.flush(), event.extra);
        this.endText(event.extra);
        break;
      case 'reasoning-start':
        this.beginReasoning();
        break;
      case 'reasoning-delta':
        this.reasoning(this.#characters.push(event.text));
        break;
      case 'reasoning-end':
        this.reasoning(this.#characters.flush());
        this.endReasoning(event.extra);
        break;
      case 'tool-call-start':
        this.beginCall(event);
        break;
      case 'tool-call-delta':
        this.arguments(this.#characters.push(event.text));
        break;
      case 'tool-call-end':
        this.arguments(this.#characters.flush());
        this.endCall(event.arguments);
        break;
      case 'tool-call-cut':
        // What the model wrote follows as text, half a character too.
        this.#characters.flush();
        this.cutCall();
        break;
      case 'conversation':
        this.conversation(event);
        break;
      case 'usage':
        this.usage = event.usage;
        break;
      case 'warning':
        break;
      case 'message-end':
        this.#hasEnded = true;
        this.finish(event);
        break;
      case 'error':
        this.#end(event.error);
        break;
      default:
        event satisfies never;
    }
  }

  end(cut?: DragomanError): void {
    if (!this.#hasEnded) this.#end(cut ?? new DragomanError('internal', 'The reply ended without saying how.'));
  }

  #end(error: DragomanError): void {
    this.#hasEnded = true;
    this.fail(error);
  }

  /** The reply is over, and whole. */
  protected abstract finish(event: Of<'message-end'>): void;
  /** The reply is over, and failed. */
  protected abstract fail(error: DragomanError): void;

  protected start(): void {}
  protected beginText(_isRefusal: boolean): void {}
  protected text(_text: string, _extra: Extra | undefined): void {}
  protected endText(_extra: Extra | undefined): void {}
  protected beginReasoning(): void {}
  protected reasoning(_text: string): void {}
  protected endReasoning(_extra: Extra | undefined): void {}
  protected beginCall(_call: Of<'tool-call-start'>): void {}
  protected arguments(_json: string): void {}
  /** The call is whole; `json` is all of its arguments. */
  protected endCall(_json: string): void {}
  protected cutCall(): void {}
  protected conversation(_ids: Of<'conversation'>): void {}
}
