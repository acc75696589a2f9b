import type { BlockWriter } from '../chat/block-writer.ts';
import type { FinishReason } from '../chat/event.ts';
import type { Warning } from '../chat/warning.ts';
import type { Span } from '../dialects/dialect.ts';
import type { CallIds } from '../prepare/call-ids.ts';

/** What gives calls their ids: `CallIds` in a conversation. */
export type CallIdSource = Pick<CallIds, 'mint' | 'remember'>;

/** What it takes to write what a parser found. */
export interface SpanWriterOptions {
  readonly callIds: CallIdSource;
  /** Hears of each whole call in a dialect that was not taught, by its id. */
  readonly foreign?: ((dialect: string) => void) | undefined;
}

/** Writes what a dialect's parser finds in a reply as chat events, and gives each call its id. */
export class SpanWriter {
  readonly #writer: BlockWriter;
  readonly #options: SpanWriterOptions;
  /** The dialect of the open call, where it is not the one that was taught. */
  #foreign: string | undefined;
  #callId = '';
  #wholeCalls = 0;

  constructor(writer: BlockWriter, options: SpanWriterOptions) {
    this.#writer = writer;
    this.#options = options;
  }

  /** Why a reply ended that ended well. */
  get finishReason(): FinishReason {
    return this.#wholeCalls > 0 ? 'tool-calls' : 'stop';
  }

  write(span: Span): void {
    switch (span.kind) {
      case 'text':
        this.#writer.text(span.text);
        return;
      case 'reasoning':
        this.#writer.reasoning(span.text);
        return;
      case 'call':
        this.#foreign = span.of;
        this.#callId = this.#options.callIds.mint(span.name, span.nativeId);
        this.#writer.callStart(this.#callId, span.name);
        return;
      case 'arguments':
        this.#writer.callDelta(span.text);
        return;
      case 'call-end':
        this.#endCall(span.nativeId);
        return;
      case 'call-cut':
        this.#writer.callCut();
        this.#writer.text(span.text);
        return;
      case 'warning':
        this.#writer.warning(span.warning);
        return;
      default:
        span satisfies never;
    }
  }

  #endCall(lateId: string | undefined): void {
    const { callIds, foreign } = this.#options;
    if (lateId !== undefined) callIds.remember(this.#callId, lateId);
    if (this.#foreign !== undefined) {
      this.#writer.warning(foreignCall(this.#foreign));
      foreign?.(this.#foreign);
    }
    this.#writer.callEnd();
    this.#wholeCalls += 1;
  }
}

function foreignCall(id: string): Warning {
  return {
    code: 'call-foreign',
    message: `The model wrote a call in ${id}, which is not the form that it was taught.`,
  };
}
