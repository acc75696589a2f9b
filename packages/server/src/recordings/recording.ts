import type { KnownPoint } from '@dragoman/core';
import type { RecordHead, SentRecord } from '../records/exchange-record.ts';

/**
 * One exchange in a file that needs nothing else: what the client asked, what the upstream answered in which pieces, and
 * what the client was told. Version 1; a program refuses files of a newer one.
 */
export interface Recording {
  readonly dragoman: 'recording';
  readonly version: 1;
  /** The program that recorded it. */
  readonly by: string;
  readonly about: RecordedAbout;
  /** The configuration that the reply hung on. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly request: {
    readonly headers: Readonly<Record<string, string>>;
    /** The value of the client's body. */
    readonly body: unknown;
  };
  readonly upstream: readonly RecordedAnswer[];
  /** The point of an upstream's conversation that the request went on from. */
  readonly point?: KnownPoint;
  /** Random digits that were drawn for the reply, in order. */
  readonly drawn: readonly string[];
  /** What the client was told, frame by frame. */
  readonly reply: readonly string[];
}

/** What is known of the exchange beside what was said. */
export type RecordedAbout = Pick<
  RecordHead,
  'id' | 'at' | 'requestId' | 'wire' | 'method' | 'route' | 'replyId' | 'model' | 'plan' | 'stream' | 'status' | 'error'
>;

/** A request to the upstream, and its answer. */
export type RecordedAnswer = Omit<SentRecord, 'body'> & {
  /** The value of the body that was sent. */
  readonly body: unknown;
};

/** Why an exchange cannot become a recording, or a file is none; in a sentence. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}
