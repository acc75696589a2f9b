import type { ChatEvent } from '../chat/event.ts';
import type { Warning } from '../chat/warning.ts';
import { DragomanError } from '../errors.ts';
import type { AnswerSink } from './answer-sink.ts';
import { nameUpstream } from './answered-error.ts';

const emptyReply: Warning = { code: 'empty-reply', message: 'The reply has no text and no tool call. Ask again.' };

type BlockEnd = 'text-end' | 'reasoning-end' | 'tool-call-cut';

/**
 * The last gate before a client: whatever the stages do, exactly one terminal event passes, and nothing after it. Tells
 * the sink to write out once for all that came of a read. Notes a reply that ends well and says nothing. A call that holds
 * bytes which were not UTF-8 ends the reply, wherever the call was written.
 */
export class Outlet {
  readonly #sink: AnswerSink;
  readonly #warnings: readonly Warning[];
  readonly #visible: () => void;
  readonly #upstream: string;
  #closed = false;
  #failed = false;
  #written = false;
  #seen = false;
  #said = false;
  /** Bytes of the reply were not UTF-8: a U+FFFD in it may be none of the model's. */
  #damaged = false;
  /** The event that would close the open block, if one is open. */
  #openEnd: BlockEnd | undefined;
  #block = 0;

  constructor(options: {
    readonly sink: AnswerSink;
    /** Its name in the configuration, which errors tell. */
    readonly upstream: string;
    /** What preparing the request had to drop or repair; reported right after the reply has started. */
    readonly warnings: readonly Warning[];
    /** Called once, before the first event that shows the client something of the reply. */
    readonly visible: () => void;
  }) {
    this.#sink = options.sink;
    this.#warnings = options.warnings;
    this.#visible = options.visible;
    this.#upstream = options.upstream;
  }

  /** A terminal event has passed, or the client has gone. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Text or a call has passed. */
  get said(): boolean {
    return this.#said;
  }

  /** The terminal event was an error. */
  get failed(): boolean {
    return this.#failed;
  }

  event(event: ChatEvent): void {
    if (this.#closed) return;
    this.#written = true;
    switch (event.type) {
      case 'text-delta':
        this.#said ||= event.text !== '';
        break;
      case 'reasoning-delta':
        break;
      case 'tool-call-delta':
        if (this.#damaged && event.text.includes('\ufffd')) {
          this.fail(new DragomanError('upstream-cut', 'Bytes of a tool call were not UTF-8, so it was not delivered.'));
          return;
        }
        break;
      case 'text-start':
        this.#open(event.block, 'text-end');
        break;
      case 'reasoning-start':
        this.#open(event.block, 'reasoning-end');
        break;
      case 'tool-call-start':
        this.#said = true;
        this.#open(event.block, 'tool-call-cut');
        break;
      case 'text-end':
        // What one wire alone can say is beside an empty text.
        this.#said ||= event.extra !== undefined;
        this.#openEnd = undefined;
        break;
      case 'reasoning-end':
      case 'tool-call-end':
      case 'tool-call-cut':
        this.#openEnd = undefined;
        break;
      case 'message-start':
        this.#sink.event(event);
        for (const warning of this.#warnings) this.#sink.event({ type: 'warning', warning });
        return;
      case 'warning':
        this.#damaged ||= event.warning.code === 'bytes-replaced';
        break;
      case 'message-end':
        if (!this.#said && event.finishReason === 'stop') this.#sink.event({ type: 'warning', warning: emptyReply });
        this.#closed = true;
        break;
      case 'error':
        this.#closed = true;
        this.#failed = true;
        this.#sink.event({ type: 'error', error: nameUpstream(event.error, this.#upstream) });
        return;
      default:
    }
    this.#sink.event(event);
  }

  /** Ends badly from wherever the reply stands. Nothing happens if it has ended. */
  fail(error: DragomanError): void {
    if (this.#closed) return;
    if (this.#openEnd !== undefined) this.event({ type: this.#openEnd, block: this.#block });
    this.event({ type: 'error', error });
  }

  /** Something has come for the sink past this gate: the next `flush` tells it. */
  touch(): void {
    this.#written = true;
  }

  /** Tells the sink to write out what has come since the last time. */
  flush(): void {
    if (!this.#written) return;
    this.#written = false;
    this.#sink.flush();
  }

  /** The client has gone: nothing passes any more. */
  close(): void {
    this.#closed = true;
    this.#written = false;
  }

  #open(block: number, end: BlockEnd): void {
    this.#openEnd = end;
    this.#block = block;
    if (this.#seen) return;
    this.#seen = true;
    this.#visible();
  }
}
