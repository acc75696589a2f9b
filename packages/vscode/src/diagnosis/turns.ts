import type { ReplyCall, Usage } from '../stream/reply-pieces.ts';
import type { WrittenRequest } from '../translate/written-request.ts';
import type { WrittenText } from './written-text.ts';

/** One request and its answer, as far as it went. */
export interface Turn {
  readonly at: Date;
  readonly modelId: string;
  readonly endpoint: string;
  /** Who asked: `github.copilot-chat`, or another extension. */
  readonly initiator: string;
  /** Copilot Chat asked for a title or the like. */
  readonly utility: boolean;
  request?: WrittenRequest;
  /** What the model wrote, where the engine inside read it. */
  written?: WrittenText;
  /** What was repaired or left out on the way there. */
  notes: readonly string[];
  /** What was unexpected on the way back. */
  readonly warnings: string[];
  readonly calls: ReplyCall[];
  text: string;
  thinking: string;
  parts: number;
  usage?: Usage;
  error?: string;
  /** Milliseconds from VS Code's question: until the request left, until the first piece, and until the end. */
  sentAfter?: number;
  firstAfter?: number;
  endedAfter?: number;
  /** Tools were offered, and the answer ends with the announcement of a call that never came. */
  promised: boolean;
}

/** So many are kept, and of so many the request, which may hold pictures. */
const kept = 20;
const keptWhole = 3;

/** The last turns, for whoever asks what happened. They live in memory only. */
export class Turns {
  readonly #turns: Turn[] = [];

  begin(facts: Pick<Turn, 'at' | 'modelId' | 'endpoint' | 'initiator' | 'utility'>): Turn {
    const turn: Turn = {
      ...facts,
      notes: [],
      warnings: [],
      calls: [],
      text: '',
      thinking: '',
      parts: 0,
      promised: false,
    };
    this.#turns.push(turn);
    if (this.#turns.length > kept) this.#turns.shift();
    for (const older of this.#turns.slice(0, -keptWhole)) {
      delete older.request;
      delete older.written;
    }
    return turn;
  }

  /** The last one that a person asked for, if there is one. */
  last(): Turn | undefined {
    return this.#turns.findLast(({ utility }) => !utility) ?? this.#turns.at(-1);
  }

  all(): readonly Turn[] {
    return this.#turns;
  }

  clear(): void {
    this.#turns.length = 0;
  }
}
