import { type DragomanError, type Receiver, type UpstreamRequest, writeJson } from '@dragoman/core';
import type { SentRecord } from './exchange-record.ts';
import { harmlessHeaders } from './harmless-headers.ts';
import { KeptBytes } from './kept-bytes.ts';
import { cutText, joinPieces, type SaidPieces, type SaidRequest, type SaidText } from './pack-body.ts';
import type { Room } from './room.ts';

/** One request to an upstream under way, and its answer as it comes. What is written is written when it is over. */
export class WatchedRequest implements Receiver {
  readonly #request: Pick<UpstreamRequest, 'method' | 'path' | 'headers'>;
  /** The body as it is sent. */
  #body: SaidText;
  readonly #room: number;
  /** What has come, and where its pieces end. */
  readonly #came = new KeptBytes();
  readonly #ends: number[] = [];
  #size = 0;
  #missing = 0;
  #answer: SentRecord['answer'];
  #error: DragomanError | undefined;

  /** `room`: the most bytes of the answer that are kept. */
  constructor({ body, bytes, ...request }: UpstreamRequest, room: number) {
    this.#request = request;
    this.#body = request.method === 'GET' ? '' : (bytes ?? writeJson(body));
    this.#room = room;
  }

  /** Lets go of the memory that the body is in. */
  settle(): void {
    this.#body = cutText(this.#body);
  }

  start(status: number, contentType: string, retryAfter?: number): void {
    this.#answer = { status, contentType, ...(retryAfter === undefined ? {} : { retryAfter }) };
  }

  data(chunk: Uint8Array): void {
    this.#size += chunk.length;
    if (this.#size > this.#room) this.#missing += chunk.length;
    else if (chunk.length > 0) {
      this.#came.add(chunk);
      this.#ends.push((this.#ends.at(-1) ?? 0) + chunk.length);
    }
  }

  /** Mostly the reply is over before the answer is; how it ended tells no more. */
  end(): void {}

  fail(error: DragomanError): void {
    this.#error = error;
  }

  /** Bytes that it keeps, about. */
  get size(): number {
    return this.#body.length + Math.min(this.#size, this.#room);
  }

  record(part: string, room: Room): SaidRequest {
    const { method = 'POST', path, headers } = this.#request;
    const error = this.#error;
    const text = room.take(`${part}.body`, this.#body);
    room.miss(`${part}.pieces`, this.#missing);
    return {
      method,
      path,
      headers: headers && harmlessHeaders(headers),
      body: text,
      answer: this.#answer,
      pieces: room.takePieces(`${part}.pieces`, this.#pieces()),
      error: error && { code: error.code, message: error.message },
    };
  }

  /** A cut inside of a character becomes one after it. */
  #pieces(): SaidPieces {
    const ends = this.#ends;
    const size = ends.at(-1) ?? 0;
    const came = this.#came.take();
    const text = came.toString('utf8');
    // Mostly each byte is a character.
    if (text.length === size) return { text, lengths: ends.map((to, at) => to - (ends[at - 1] ?? 0)) };
    const decoder = new TextDecoder();
    const pieces = ends.map((to, at) => decoder.decode(came.subarray(ends[at - 1] ?? 0, to), { stream: true }));
    return joinPieces([...pieces, decoder.decode()].filter((piece) => piece !== ''));
  }
}
