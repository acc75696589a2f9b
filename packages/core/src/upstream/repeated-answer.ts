import type { DragomanError } from '../errors.ts';
import type { Answer, AnswerSink } from './answer-sink.ts';
import { LaterAnswer } from './later-answer.ts';

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
