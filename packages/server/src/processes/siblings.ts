import type { Socket } from 'node:net';
import type { KeptFacts } from '@dragoman/core';
import type { Health } from '../http/health.ts';

/** What one process asks all others that serve the same port. */
export type Question =
  | { readonly about: 'health' }
  /** Who runs this response in the background? */
  | { readonly about: 'run'; readonly id: string; readonly owner: string };

/** What a process says to a question; nothing where it has nothing to say. */
export interface Answer {
  readonly health?: Health;
  /** The port, on loopback, at which the process is reached that runs it. */
  readonly port?: number;
}

/** What the others said, and what is known of all processes together. */
export interface Answers {
  readonly answers: readonly Answer[];
  /** So many processes there should be. */
  readonly wanted: number;
  /** So many have taken the place of one that ended, since the start. */
  readonly replaced: number;
}

/** The processes that serve the same port, as one of them sees the others. */
export interface Siblings {
  /** The port that they serve together. */
  readonly port: number;
  /** Takes the connections that come to it and are this process's. Without a listener there are none. */
  onConnection(listener: (socket: Socket) => void): void;
  /** Asks all others, and waits for them for at most a second. Never rejects: who does not answer is missing. */
  ask(question: Question): Promise<Answers>;
  /** Answers the others from now on. */
  answer(by: (question: Question) => Answer): void;
  /** Tells the others what was learnt of a model. */
  reportLearnt(kept: KeptFacts): void;
  /** Hears what the others have learnt. */
  onLearnt(listener: (kept: KeptFacts) => void): void;
}

/** What the first process tells one that serves. */
export type ToMember =
  | { readonly type: 'drain' | 'close' | 'reload' }
  /** A client's connection comes with it. */
  | { readonly type: 'connection'; readonly number: number }
  | { readonly type: 'learnt'; readonly kept: KeptFacts }
  | { readonly type: 'question'; readonly number: number; readonly question: Question }
  | { readonly type: 'answers'; readonly number: number; readonly answers: Answers };

/** What a process that serves tells the first one. */
export type ToPrimary =
  /** It takes connections. */
  | { readonly type: 'ready' }
  /** Its event loop runs. */
  | { readonly type: 'alive' }
  /** It has this connection. */
  | { readonly type: 'taken'; readonly number: number }
  /** It serves what it has and takes nothing new: another one may take its place. */
  | { readonly type: 'failing' }
  | { readonly type: 'learnt'; readonly kept: KeptFacts }
  | { readonly type: 'question'; readonly number: number; readonly question: Question }
  | { readonly type: 'answer'; readonly number: number; readonly answer: Answer };
