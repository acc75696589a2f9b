import type { ChatEvent } from '../chat/event.ts';
import type { StageFactory } from '../stream/stage.ts';

/**
 * Ends a reply's text at the first of these sequences, for upstreams that cannot be told of them or write on. The sequence
 * itself and everything after it are left out, calls too; what the upstream says of itself still passes, unless it is told
 * that the reply is over. Only text that may be the beginning of a sequence is held back. Work is linear in the text.
 */
export function createTextStop(
  sequences: readonly string[],
  over: () => void = () => {},
): StageFactory<ChatEvent, ChatEvent> {
  const wanted = sequences.filter((sequence) => sequence !== '');
  return (sink) => {
    let matches = wanted.map((sequence) => new SequenceMatch(sequence));
    /** Text that has come and not left: the beginning of a sequence, perhaps. */
    let held = '';
    let stopped: string | undefined;

    const say = (block: number, text: string) => {
      if (text !== '') sink({ type: 'text-delta', block, text });
    };
    const readText = (block: number, text: string): void => {
      const all = held + text;
      for (let at = held.length; at < all.length; at += 1) {
        const found = matches.find((match) => match.takes(all.charCodeAt(at)));
        if (found === undefined) continue;
        stopped = found.sequence;
        say(block, all.slice(0, at + 1 - found.sequence.length));
        sink({ type: 'text-end', block });
        over();
        return;
      }
      const longest = Math.max(0, ...matches.map(({ length }) => length));
      held = all.slice(all.length - longest);
      say(block, all.slice(0, all.length - longest));
    };
    const push = (event: ChatEvent): void => {
      if (stopped !== undefined) {
        if (event.type === 'message-end') sink({ ...event, finishReason: endOf(event), stopSequence: stopped });
        else if (!isContent(event)) sink(event);
        return;
      }
      if (event.type === 'text-delta') {
        readText(event.block, event.text);
        return;
      }
      if (event.type === 'text-end') {
        say(event.block, held);
        held = '';
        matches = wanted.map((sequence) => new SequenceMatch(sequence));
      }
      sink(event);
    };
    return { push, end: () => {} };
  };
}

/** Calls before the sequence are run; what would have come after it is not known. */
function endOf({ finishReason }: Extract<ChatEvent, { type: 'message-end' }>) {
  return finishReason === 'tool-calls' ? finishReason : 'stop';
}

function isContent({ type }: ChatEvent): boolean {
  return type.startsWith('text-') || type.startsWith('reasoning-') || type.startsWith('tool-call-');
}

/** Finds one sequence in text that comes unit by unit (Knuth, Morris and Pratt). */
class SequenceMatch {
  readonly sequence: string;
  /** For each beginning of the sequence, how long the longest shorter one is that it ends with. */
  readonly #shorter: readonly number[];
  /** How much of the sequence the text ends with. */
  length = 0;

  constructor(sequence: string) {
    this.sequence = sequence;
    const shorter = [0];
    for (let at = 1, known = 0; at < sequence.length; at += 1) {
      while (known > 0 && sequence[at] !== sequence[known]) known = shorter[known - 1] ?? 0;
      if (sequence[at] === sequence[known]) known += 1;
      shorter.push(known);
    }
    this.#shorter = shorter;
  }

  /** Takes one unit; true when the sequence is whole. */
  takes(code: number): boolean {
    while (this.length > 0 && this.sequence.charCodeAt(this.length) !== code) {
      this.length = this.#shorter[this.length - 1] ?? 0;
    }
    if (this.sequence.charCodeAt(this.length) === code) this.length += 1;
    return this.length === this.sequence.length;
  }
}

/**
 * Ends a loop of calls, after a limit that lets none through: the reply says that it was ended, after all that the
 * model said, and is over with it. `only`: it is said only where the model said nothing, because its answer has a form that
 * words would break.
 */
export function createStopNotice(
  notice: string,
  { only }: { readonly only: boolean },
): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => {
    let said = false;
    let block = -1;

    const report = (): void => {
      if (said && only) return;
      block += 1;
      sink({ type: 'text-start', block });
      sink({ type: 'text-delta', block, text: said ? `\n\n${notice}` : notice });
      sink({ type: 'text-end', block });
    };

    const push = (event: ChatEvent): void => {
      if ('block' in event) block = event.block;
      if (event.type === 'text-delta') said ||= event.text.trim() !== '';
      if (event.type !== 'message-end') {
        sink(event);
        return;
      }
      report();
      sink(event);
    };
    return { push, end: () => {} };
  };
}
