import { once } from 'node:events';
import { type ClientOptions, WebSocket } from 'ws';
import { checkResponseStream } from './recorded-responses.ts';

export type SocketEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

const last = ['response.completed', 'response.incomplete', 'response.failed', 'error'];

/** A client of WebSocket mode that knows nothing but the protocol. */
export class SocketClient {
  readonly socket: WebSocket;
  readonly #events: SocketEvent[] = [];
  readonly #waiting = new Set<() => void>();

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data, isBinary) => {
      if (isBinary) throw new Error('a message is binary');
      this.#events.push(JSON.parse(String(data)));
      for (const look of this.#waiting) look();
    });
  }

  /** Rejects with the status and body of a refusal. */
  static async open(url: string, options: ClientOptions = {}): Promise<SocketClient> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/responses`, options);
    const client = new SocketClient(socket);
    await once(socket, 'open');
    return client;
  }

  send(fields: object): void {
    this.socket.send(JSON.stringify({ type: 'response.create', ...fields }));
  }

  /** The events up to the next one that ends a response, or that is an error, once they are there. */
  events(isLast: (event: SocketEvent) => boolean = ({ type }) => last.includes(type)): Promise<SocketEvent[]> {
    return new Promise((resolve) => {
      const look = () => {
        const end = this.#events.findIndex(isLast);
        if (end < 0) return;
        this.#waiting.delete(look);
        resolve(this.#events.splice(0, end + 1));
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** One request and all of its answer, which must be a valid stream; the response that it ended with. */
  async turn(fields: object): Promise<TurnResponse> {
    this.send(fields);
    const events = await this.events();
    const end = events.at(-1);
    if (end?.type === 'error') throw new Error(`an error came instead of a response: ${JSON.stringify(end)}`);
    checkResponseStream(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
    return end?.response as TurnResponse;
  }

  /** One request that has to be refused. */
  async refused(fields: object): Promise<SocketEvent> {
    this.send(fields);
    const events = await this.events();
    if (events.length !== 1) throw new Error(`${events.length} events came instead of one error`);
    return events[0] ?? { type: 'none' };
  }

  async close(): Promise<void> {
    if (this.socket.readyState === WebSocket.CLOSED) return;
    this.socket.close();
    await once(this.socket, 'close');
  }
}

export interface TurnResponse {
  readonly id: string;
  readonly status: string;
  readonly previous_response_id: string | null;
  readonly error: { readonly code: string } | null;
  readonly output: readonly {
    readonly type: string;
    readonly call_id?: string;
    readonly name?: string;
    readonly content?: readonly { readonly text: string }[];
  }[];
}
