import { type Connection, DragomanError, writeJson } from '@dragoman/core';
import type { ErrorMessage } from '@dragoman/worker';
import type { RawData, WebSocket } from 'ws';
import { isRecord } from '../../is-record.ts';
import { type Fields, readFields, textIn } from './codecs.ts';
import type { CommandListener } from './command.ts';
import { WorkerFault } from './worker-fault.ts';
import type { WorkerUpstream } from './worker-upstream.ts';

/** The most commands of one sender that are under way. */
const mostCommands = 16;

/**
 * A program that was written for a plain relay and sends commands to its workers: `{command, params, request_id}`, answered
 * by `{success, result or error, request_id}`. What a worker sends in pieces reaches it as one result.
 */
export class RelaySender {
  readonly #socket: WebSocket;
  readonly #upstream: WorkerUpstream;
  /** Under way, by the sender's own id. */
  readonly #running = new Map<string, Connection | undefined>();
  #leaving = false;

  constructor({ socket, upstream }: { readonly socket: WebSocket; readonly upstream: WorkerUpstream }) {
    this.#socket = socket;
    this.#upstream = upstream;
    socket.on('message', (data, isBinary) => this.#message(data, isBinary));
    socket.once('close', () => {
      for (const command of this.#running.values()) command?.abort();
    });
  }

  /** Closes it as soon as nothing runs for it. */
  goAway(): void {
    this.#leaving = true;
    if (this.#running.size === 0) this.#socket.close(1001, 'the gateway is shutting down');
  }

  /** Ends it at once. */
  terminate(): void {
    this.#socket.terminate();
  }

  /** Runs a command. Throws WorkerFault for what is none. */
  take(fields: Fields): void {
    const method = textIn(fields, 'command');
    const id = textIn(fields, 'request_id');
    const refusal = this.#whyNot(id);
    if (refusal !== undefined) {
      this.#report({ success: false, error: refusal, request_id: id });
      return;
    }
    this.#running.set(id, undefined);
    const listener = new Gathering((outcome) => {
      this.#running.delete(id);
      this.#report({ ...outcome, request_id: id });
      if (this.#leaving) this.goAway();
    });
    const command = this.#upstream.run({ method, params: fields.params }, listener);
    // It may have failed at once.
    if (this.#running.has(id)) this.#running.set(id, command);
  }

  #whyNot(id: string): string | undefined {
    if (this.#leaving) return 'The gateway is shutting down.';
    if (this.#running.has(id)) return 'A command with this request_id is under way already.';
    return this.#running.size >= mostCommands ? `${mostCommands} commands are under way already.` : undefined;
  }

  #message(data: RawData, isBinary: boolean): void {
    try {
      if (isBinary) throw new WorkerFault('bad-message', 'A message must be text.');
      this.take(readFields(String(data)));
    } catch (thrown) {
      if (!(thrown instanceof WorkerFault)) throw thrown;
      this.#report({ success: false, error: thrown.message });
    }
  }

  #report(answer: object): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(writeJson(answer));
  }
}

type Outcome =
  | { readonly success: true; readonly result: Pieces }
  | { readonly success: false; readonly error: string };

/** Puts the pieces of an answer together. */
class Gathering implements CommandListener {
  readonly #over: (outcome: Outcome) => void;
  #pieces: Pieces = {};

  constructor(over: (outcome: Outcome) => void) {
    this.#over = over;
  }

  delta(value: unknown): void {
    this.#pieces = addPiece(this.#pieces, value);
  }

  result(value: unknown): void {
    this.delta(value);
    this.#over({ success: true, result: this.#pieces });
  }

  fail({ message }: ErrorMessage | DragomanError): void {
    this.#over({ success: false, error: message });
  }
}

/** What the pieces of an answer have said so far. */
type Pieces = Readonly<Record<string, unknown>>;

/** Fields whose texts add up from piece to piece; of all others the last value counts. */
const growing: readonly string[] = ['response', 'reasoning'];

/** The longest text that is put together, in UTF-16 units. */
const longestText = 16 * 1024 * 1024;

/** The most fields of what is put together: each piece costs as much as there are. */
const mostFields = 100;

/** The pieces with one more; what is no object has nothing to add. Throws DragomanError `reply-too-large`. */
function addPiece(pieces: Pieces, piece: unknown): Pieces {
  if (!isRecord(piece)) return pieces;
  const sum: Record<string, unknown> = { ...pieces, ...piece };
  if (Object.keys(sum).length > mostFields) {
    throw new DragomanError('reply-too-large', `The worker's answer has more than ${mostFields} fields.`);
  }
  for (const name of growing) {
    const [before, more] = [pieces[name], piece[name]];
    if (typeof before !== 'string' || typeof more !== 'string') continue;
    if (before.length + more.length > longestText) {
      throw new DragomanError('reply-too-large', `The worker's answer is longer than ${longestText} characters.`);
    }
    sum[name] = before + more;
  }
  return sum;
}
