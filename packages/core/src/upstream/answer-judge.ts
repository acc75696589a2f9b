import type { ChatEvent } from '../chat/event.ts';
import { DragomanError, toDragomanError } from '../errors.ts';
import type { Stage } from '../stream/stage.ts';
import type { AnswerJudge, Judgement } from '../stream/transport.ts';
import { createAnswerReader } from './read-answer.ts';
import { jsonOrText, WholeBody } from './whole-body.ts';
import type { PreparedRequest } from './write-rendered.ts';

/** Of an answer no more bytes are judged; what shows nothing by then counts. */
const longestBeginning = 65_536;

export interface JudgeOptions {
  readonly prepared: Pick<PreparedRequest, 'wire' | 'request' | 'upstream'>;
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: number | undefined;
  /** A refusal that somebody else knows what to do with; `body` is parsed JSON, or text when it was not JSON. Default: none. */
  readonly isKnown?: (status: number, body: unknown) => boolean;
}

/**
 * Reads an answer as its receiver will, until it shows something or fails: text, reasoning or a call count, and so does a
 * reply that a limit or a filter has ended. A reply that ends well with nothing in it is a failure.
 */
export function createAnswerJudge(options: JudgeOptions): AnswerJudge {
  return new Judge(options);
}

class Judge implements AnswerJudge {
  readonly #options: JudgeOptions;
  readonly #reader: Stage<Uint8Array>;
  readonly #body = new WholeBody();
  #length = 0;
  #judgement: Judgement = 'open';

  constructor(options: JudgeOptions) {
    this.#options = options;
    const { wire, request, upstream } = options.prepared;
    const fail = (failure: DragomanError) => this.#decide({ failure });
    const reader = createAnswerReader(options, { wire, request, quirks: upstream.quirks, fail });
    this.#reader = reader((event) => this.#hear(event));
  }

  data(chunk: Uint8Array): Judgement {
    this.#length += chunk.length;
    if (this.#options.isKnown !== undefined) this.#body.push(chunk);
    this.#read(() => this.#reader.push(chunk));
    if (this.#judgement === 'open' && this.#length > longestBeginning) this.#decide('counts');
    return this.#judgement;
  }

  end(cut?: DragomanError): Judgement {
    this.#read(() => this.#reader.end(cut));
    this.#decide({
      failure: cut ?? new DragomanError('upstream-cut', 'The upstream ended its answer without a reply.'),
    });
    if (this.#judgement === 'counts' || this.#judgement === 'open') return this.#judgement;
    const { isKnown, status } = this.#options;
    return isKnown?.(status, jsonOrText(this.#body.text())) === true ? 'counts' : this.#judgement;
  }

  #read(act: () => void): void {
    try {
      act();
    } catch (thrown) {
      this.#decide({ failure: toDragomanError(thrown) });
    }
  }

  #hear(event: ChatEvent): void {
    switch (event.type) {
      case 'text-start':
      case 'reasoning-start':
      case 'tool-call-start':
        this.#decide('counts');
        return;
      case 'message-end':
        this.#decide(event.finishReason === 'stop' ? { failure: empty() } : 'counts');
        return;
      case 'error':
        this.#decide({ failure: event.error });
        return;
      default:
    }
  }

  /** The first judgement stands. */
  #decide(judgement: Judgement): void {
    if (this.#judgement === 'open') this.#judgement = judgement;
  }
}

function empty(): DragomanError {
  return new DragomanError('upstream-failed', 'The upstream answered with nothing.');
}
