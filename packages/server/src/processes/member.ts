import type { Socket } from 'node:net';
import type { KeptFacts } from '@dragoman/core';
import type { Terminal } from '../cli/terminal.ts';
import type { Answer, Answers, Question, Siblings, ToMember, ToPrimary } from './siblings.ts';

/** Holds, for a process that serves beside others, which of them it is. */
export const memberVariable = 'DRAGOMAN_MEMBER';

/** Milliseconds between two times that a process says that it runs. */
export const heartbeat = 1_000;

/** Which of the processes this one is. */
export interface MemberPlace {
  /** From 1 on. A process that takes the place of another has its number. */
  readonly number: number;
  /** The port that all serve. */
  readonly port: number;
  /** It is the first to be there, and shows people what is served. */
  readonly isFirst: boolean;
  /** Why it is another port than the usual one. */
  readonly aside?: string;
}

/**
 * One of the processes that serve a port together: it does what the first one tells it, and hears no signals, which that
 * one gets as well. When the first one is gone, it ends what it has begun.
 */
export class ProcessMember implements Siblings {
  readonly place: MemberPlace;
  readonly #asked = new Map<number, (answers: Answers) => void>();
  #questions = 0;
  #answerTo: (question: Question) => Answer = () => ({});
  #learnt: (kept: KeptFacts) => void = () => {};
  #connection: (socket: Socket) => void = () => {};
  /** Told to stop before anybody hears it: it is still starting. */
  #told: NodeJS.Signals | undefined;
  #stop = (signal: NodeJS.Signals): void => {
    this.#told ??= signal;
  };
  #reload: () => void = () => {};

  private constructor(place: MemberPlace) {
    this.place = place;
    process.on('message', (message: ToMember, socket?: Socket) => this.#hear(message, socket));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
    if (process.connected) process.once('disconnect', () => this.#stop('SIGTERM'));
    else this.#stop('SIGTERM');
  }

  /** Undefined in a process that serves alone. Programs that it starts are none. */
  static join(): ProcessMember | undefined {
    const place = process.env[memberVariable];
    if (place === undefined || process.send === undefined) return undefined;
    delete process.env[memberVariable];
    return new ProcessMember(JSON.parse(place));
  }

  /** Whether it tells people what concerns all. */
  get speaks(): boolean {
    return this.place.number === 1;
  }

  /** The terminal, on which the first process does what people ask. */
  terminal(own: Terminal): Terminal {
    return {
      ...own,
      onStop: (listener) => {
        this.#stop = listener;
        if (this.#told !== undefined) listener(this.#told);
      },
      onReload: (listener) => {
        this.#reload = listener;
      },
      onHangUp: () => {},
    };
  }

  get port(): number {
    return this.place.port;
  }

  onConnection(listener: (socket: Socket) => void): void {
    this.#connection = listener;
    this.#send({ type: 'ready' });
    setInterval(() => this.#send({ type: 'alive' }), heartbeat).unref();
  }

  failing(): void {
    this.#send({ type: 'failing' });
  }

  ask(question: Question): Promise<Answers> {
    this.#questions += 1;
    const number = this.#questions;
    return new Promise((resolve) => {
      this.#asked.set(number, resolve);
      this.#send({ type: 'question', number, question });
    });
  }

  answer(by: (question: Question) => Answer): void {
    this.#answerTo = by;
  }

  reportLearnt(kept: KeptFacts): void {
    this.#send({ type: 'learnt', kept });
  }

  onLearnt(listener: (kept: KeptFacts) => void): void {
    this.#learnt = listener;
  }

  /** Serves nobody any more: lets the process end. */
  leave(): void {
    if (process.connected) process.disconnect();
  }

  #send(message: ToPrimary): void {
    // Who is told may have ended, and so does this process soon.
    if (process.connected) process.send?.(message, undefined, undefined, () => {});
  }

  #hear(message: ToMember, socket?: Socket): void {
    switch (message.type) {
      case 'connection':
        // Absent where its client has gone on the way.
        if (socket !== undefined) this.#connection(socket);
        this.#send({ type: 'taken', number: message.number });
        return;
      case 'drain':
        this.#stop('SIGTERM');
        return;
      case 'close':
        this.#stop('SIGINT');
        return;
      case 'reload':
        this.#reload();
        return;
      case 'learnt':
        this.#learnt(message.kept);
        return;
      case 'question':
        this.#send({ type: 'answer', number: message.number, answer: this.#answerTo(message.question) });
        return;
      case 'answers':
        this.#asked.get(message.number)?.(message.answers);
        this.#asked.delete(message.number);
        return;
      default:
        message satisfies never;
    }
  }
}
