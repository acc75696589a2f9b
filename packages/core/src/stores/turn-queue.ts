import { DragomanError } from '../errors.ts';
import { pause } from '../pause.ts';

/** What bounds the requests that go one after another. */
export interface TurnRules {
  /** Milliseconds that a request waits for its turn at most. */
  readonly wait: number;
  /** The most requests that wait for the same turn. */
  readonly most: number;
}

/** A turn that has come. */
export interface TakenTurn {
  /** Whether another request was there before. */
  readonly waited: boolean;
  /** What was known when the first of this line came. */
  readonly known: ReadonlySet<string>;
  /** Lets the next one go. Only the first time counts. */
  end(): void;
}

interface Line {
  readonly known: ReadonlySet<string>;
  /** Those who wait behind the one whose turn it is. */
  readonly waiting: (() => void)[];
}

export interface EnterOptions {
  readonly rules: TurnRules;
  readonly known: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** Requests of one caller that go one after another, in the order in which they came, by the name of what they wait for. */
export class TurnQueue {
  readonly #lines = new Map<string, Line>();

  /** Resolves when it is the request's turn. Rejects with `conversation-busy`, or with the signal's reason. */
  async enter(name: string, { rules, known, signal }: EnterOptions): Promise<TakenTurn> {
    const line = this.#lines.get(name);
    if (line === undefined) {
      this.#lines.set(name, { known, waiting: [] });
      return { waited: false, known, end: this.#ender(name) };
    }
    const { waiting } = line;
    if (waiting.length >= rules.most) throw busy(`${waiting.length} wait already`);
    const unwanted = new AbortController();
    let go = () => {};
    const turn = new Promise<void>((resolve) => {
      go = resolve;
    });
    waiting.push(go);
    const tooLong = pause(rules.wait, AbortSignal.any([signal, unwanted.signal])).then(() => {
      throw busy(`its reply took longer than ${rules.wait} ms`);
    });
    try {
      await Promise.race([turn, tooLong]);
    } catch (thrown) {
      // Whose turn comes in the very moment in which it leaves passes it on.
      const at = waiting.indexOf(go);
      if (at < 0) this.#ender(name)();
      else waiting.splice(at, 1);
      throw thrown;
    } finally {
      tooLong.catch(() => {});
      unwanted.abort();
    }
    return { waited: true, known: line.known, end: this.#ender(name) };
  }

  #ender(name: string): () => void {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const next = this.#lines.get(name)?.waiting.shift();
      if (next === undefined) this.#lines.delete(name);
      else next();
    };
  }
}

/** Too many requests wait for the same turn, or one waited too long. */
export function busy(why: string): DragomanError {
  const words = `Another request goes on from the same place of this conversation, and ${why}. Send this one again later.`;
  return new DragomanError('conversation-busy', words, { retryAfter: 1 });
}
