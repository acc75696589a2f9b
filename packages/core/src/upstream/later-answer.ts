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
