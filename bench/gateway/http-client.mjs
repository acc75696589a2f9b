import { connect } from 'node:net';
import { placeOfClient, placeOfRound } from '../replies/agent-request.mjs';

const endOfChunks = Buffer.from('0\r\n\r\n');

let clients = 0;

/**
 * One kept-alive connection that sends the same request again and again, its places filled anew. As little as an HTTP client can be, so that it
 * does not compete with what it measures. `onAnswer({ first, end, error })` tells the milliseconds from sending to the
 * first byte of the body and to its end; it is called once for each `send`.
 */
export class Client {
  #socket;
  #bytes;
  #places;
  #round = 0;
  #expect;
  #onAnswer;
  #onFirst;
  #sentAt = 0;
  #firstAt = 0;
  #head = Buffer.alloc(0);
  /** Bytes of the body that are missing; -1: chunked; undefined: the head is not read. */
  #missing;
  #tail = Buffer.alloc(0);
  /** The parts of the first answer, which is looked at. */
  #looked = [];
  #busy = false;

  constructor({ port, request, expect, onAnswer, onFirst = () => {} }) {
    clients += 1;
    this.#bytes = Buffer.from(request.replaceAll(placeOfClient, word(clients, placeOfClient)));
    this.#places = placesOf(this.#bytes, placeOfRound);
    this.#expect = expect;
    this.#onAnswer = onAnswer;
    this.#onFirst = onFirst;
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (data) => this.#read(data));
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => {
      if (this.#busy) this.#finish('closed');
    });
  }

  /** Resolves with whether the connection is open. */
  get ready() {
    return new Promise((resolve) => {
      this.#socket.once('connect', () => resolve(true));
      this.#socket.once('error', () => resolve(false));
    });
  }

  send() {
    if (this.#socket.destroyed) {
      setImmediate(() => this.#finish('closed'));
      return;
    }
    this.#busy = true;
    this.#head = Buffer.alloc(0);
    this.#missing = undefined;
    this.#firstAt = 0;
    this.#sentAt = performance.now();
    this.#socket.write(this.#filled());
  }

  /** The bytes of the next request; what was sent before may still be on its way. */
  #filled() {
    if (this.#places.length === 0) return this.#bytes;
    this.#round += 1;
    const bytes = Buffer.from(this.#bytes);
    for (const at of this.#places) bytes.write(word(this.#round, placeOfRound), at, 'latin1');
    return bytes;
  }

  close() {
    this.#busy = false;
    this.#socket.destroy();
  }

  #read(data) {
    const body = this.#missing === undefined ? this.#readHead(data) : data;
    if (body === undefined || body.length === 0) return;
    if (this.#firstAt === 0) {
      this.#firstAt = performance.now();
      this.#onFirst();
    }
    this.#looked?.push(body);
    if (this.#missing === -1) {
      this.#tail = body.length >= 5 ? body.subarray(-5) : Buffer.concat([this.#tail, body]).subarray(-5);
      if (this.#tail.equals(endOfChunks)) this.#finish();
    } else {
      this.#missing -= body.length;
      if (this.#missing === 0) this.#finish();
    }
  }

  /** Returns the part of `data` that belongs to the body. */
  #readHead(data) {
    const waiting = this.#head.length === 0 ? data : Buffer.concat([this.#head, data]);
    const end = waiting.indexOf('\r\n\r\n');
    if (end < 0) {
      this.#head = waiting;
      return undefined;
    }
    const head = waiting.latin1Slice(0, end).toLowerCase();
    const length = head.indexOf('content-length:');
    this.#missing = length < 0 ? -1 : Number.parseInt(head.slice(length + 15), 10);
    if (!head.startsWith('http/1.1 200')) {
      this.#finish(head.slice(9, 12));
      this.#socket.destroy();
      return undefined;
    }
    return waiting.subarray(end + 4);
  }

  #finish(error) {
    this.#busy = false;
    const now = performance.now();
    let wrong = error;
    if (this.#looked !== undefined && error === undefined) {
      if (!Buffer.concat(this.#looked).includes(this.#expect)) wrong = 'another answer than expected';
      this.#looked = undefined;
    }
    this.#onAnswer({ first: this.#firstAt - this.#sentAt, end: now - this.#sentAt, error: wrong });
  }
}

/** A number as a word that is as long as its place. */
function word(number, place) {
  return String(number).padStart(place.length, '0');
}

function placesOf(bytes, place) {
  const places = [];
  for (let at = bytes.indexOf(place); at >= 0; at = bytes.indexOf(place, at + place.length)) places.push(at);
  return places;
}
