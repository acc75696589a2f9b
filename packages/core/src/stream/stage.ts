import type { DragomanError } from '../errors.ts';

/** Takes what a stage lets out, at once and in order. */
export type Sink<Out> = (output: Out) => void;

/**
 * A one-request machine. Synchronous, no I/O, holds the state of one reply, is used once and never throws on what a
 * model wrote. Output leaves through the sink that the stage was created with, during `push` or `end`.
 *
 * A sink rather than a returned array: `docs/decisions/0002-stages-push-into-sinks.md` has the measurement.
 */
export interface Stage<In> {
  /** Reads one input. */
  push(input: In): void;
  /** The input is over. `cut` says that it stopped short, and why; without it the input ended as it should. */
  end(cut?: DragomanError): void;
}

/** Creates a stage that lets its output into `sink`. */
export type StageFactory<In, Out> = (sink: Sink<Out>) => Stage<In>;

/** One stage after the other: what `first` lets out goes into `second`, and the end (or cut) passes through both. */
export function through<In, Middle, Out>(
  first: StageFactory<In, Middle>,
  second: StageFactory<Middle, Out>,
): StageFactory<In, Out> {
  return (sink) => new Chain(first, second, sink);
}

/** Keeps nothing of what it was made of. An input goes straight to the first stage of all. */
class Chain<In, Middle, Out> implements Stage<In> {
  readonly #first: Stage<In>;
  readonly #before: Stage<In>;
  readonly #after: Stage<Middle>;

  constructor(first: StageFactory<In, Middle>, second: StageFactory<Middle, Out>, sink: Sink<Out>) {
    const after = second(sink);
    const before = first((output) => after.push(output));
    this.#first = before instanceof Chain ? before.#first : before;
    this.#before = before;
    this.#after = after;
  }

  push(input: In): void {
    this.#first.push(input);
  }

  end(cut?: DragomanError): void {
    this.#before.end(cut);
    this.#after.end(cut);
  }
}

/** Runs a whole list of inputs through a fresh stage and returns everything that came out. For tests and whole answers. */
export function runStage<In, Out>(factory: StageFactory<In, Out>, inputs: Iterable<In>, cut?: DragomanError): Out[] {
  const outputs: Out[] = [];
  const stage = factory((output) => outputs.push(output));
  for (const input of inputs) stage.push(input);
  stage.end(cut);
  return outputs;
}
