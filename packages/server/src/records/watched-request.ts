import { type DragomanError, type Receiver, type UpstreamRequest, writeJson } from '@dragoman/core';
import type { SentRecord } from './exchange-record.ts';
import { harmlessHeaders } from './harmless-headers.ts';
import { KeptPieces } from './kept-pieces.ts';
import { cutText, type SaidRequest, type SaidText } from './pack-body.ts';
import type { Room } from './room.ts';

/** One request to an upstream under way, and its answer as it comes. What is written is written when it is over. */
export class WatchedRequest implements Receiver {
  readonly #request: Pick<UpstreamRequest, 'method' | 'path' | 'headers'>;
  /** The body as it is sent. */
  #body: SaidText;
  /** What has come. */
  readonly #came: KeptPieces;
  #answer: SentRecord['answer'];
  #error: DragomanError | undefined;

  /** `room`: the most bytes of the answer that are kept. */
  constructor({ body, bytes, ...request }: UpstreamRequest, room: number) {
    this.#request = request;
    this.#body = request.method === 'GET' ? '' : (bytes ?? writeJson(body));
    this.#came = new KeptPieces(room);
  }

  /** Lets go of the memory that the body is in. */
  settle(): void {
    this.#body = cutText(this.#body);
  }

  start(status: number, contentType: string, retryAfter?: number): void {
    this.#answer = { status, contentType, ...(retryAfter === undefined ? {} : { retryAfter }) };
  }

  data(chunk: Uint8Array): void {
    this.#came.add(chunk);
  }

  /** Mostly the reply is over before the answer is; how it ended tells no more. */
  end(): void {}

  fail(error: DragomanError): void {
    this.#error = error;
  }

  /** Bytes that it keeps, about. */
  get size(): number {
    return this.#body.length + this.#came.size;
  }

  record(part: string, room: Room): SaidRequest {
    const { method = 'POST', path, headers } = this.#request;
    const error = this.#error;
    const text = room.take(`${part}.body`, this.#body);
    room.miss(`${part}.pieces`, this.#came.missing);
    return {
      method,
      path,
      headers: headers && harmlessHeaders(headers),
      body: text,
      answer: this.#answer,
      pieces: room.takePieces(`${part}.pieces`, this.#came.take()),
      error: error && { code: error.code, message: error.message },
    };
  }
}
