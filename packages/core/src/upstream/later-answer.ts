import { type DragomanError, toDragomanError } from '../errors.ts';
import type { Answer, AnswerSink } from './answer-sink.ts';

/**
 * An answer that begins when something is known that has to be waited for. What is asked of it meanwhile, it passes on
 * then. `begin` is told by its signal that nobody wants the answer any more; what it throws becomes the `error` event.
 */
export class LaterAnswer implements Answer {
  readonly #sink: AnswerSink;
  readonly #unwanted = new AbortController();
  #answer: Answer | undefined;
  #isPaused = false;

  constructor(sink: AnswerSink, begin: (signal: AbortSignal) => Promise<Answer | undefined>) {
    this.#sink = sink;
    begin(this.#unwanted.signal).then(
      (answer) => this.#begun(answer),
      (thrown) => this.breakOff(toDragomanError(thrown)),
    );
  }

  pause(): void {
    this.#isPaused = true;
    this.#answer?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#answer?.resume();
  }

  abort(): void {
    this.#unwanted.abort();
    this.#answer?.abort();
  }

  breakOff(error: DragomanError): void {
    if (this.#answer !== undefined) {
      this.#answer.breakOff(error);
      return;
    }
    if (this.#unwanted.signal.aborted) return;
    this.#unwanted.abort();
    this.#sink.event({ type: 'error', error });
    this.#sink.flush();
  }

  #begun(answer: Answer | undefined): void {
    this.#answer = answer;
    if (this.#isPaused) answer?.pause();
  }
}

/** An answer that may take several requests, one after the other. What is wanted of it holds for the one that runs. */
export abstract class RepeatedAnswer implements Answer {
  #current: Answer | undefined;
  #isPaused = false;
  #isAborted = false;

  pause(): void {
    this.#isPaused = true;
    this.#current?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#current?.resume();
  }

  abort(): void {
    this.#isAborted = true;
    this.#current?.abort();
  }

  breakOff(error: DragomanError): void {
    this.#current?.breakOff(error);
  }

  /** Sends the first request. */
  protected begin(begin: () => Answer): void {
    const first = begin();
    // It may be over already, and the next one under way.
    this.#current ??= first;
  }

  /** Sends the next request, but not before the last one has let go of its upstream. What `begin` throws goes to the sink. */
  protected repeat(sink: AnswerSink, begin: () => Answer): void {
    const next = new LaterAnswer(sink, async (unwanted) => {
      await undefined;
      return unwanted.aborted ? undefined : begin();
    });
    this.#current = next;
    if (this.#isPaused) next.pause();
    if (this.#isAborted) next.abort();
  }
}
