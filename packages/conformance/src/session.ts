import { type AskLimits, ask, type Exchange } from './exchange.ts';
import type { Turn, WireProbe } from './wires/probe.ts';

export interface SessionOptions {
  readonly probe: WireProbe;
  /** Where the server's paths begin. */
  readonly root: string;
  readonly model: string;
  /** Empty without one. */
  readonly key: string;
  readonly limits: AskLimits;
}

/** One API of one server while it is checked. Checks that need the same reply share it. */
export class Session {
  readonly probe: WireProbe;
  readonly root: string;
  readonly model: string;
  readonly key: string;
  readonly limits: AskLimits;
  /** What this server leaves out of the API's paths, as some do with `/v1`. */
  leftOut = '';
  /** Why asking on is of no use, as soon as it is. */
  hopeless: string | undefined;
  readonly #replies = new Map<string, Promise<Exchange>>();

  constructor({ probe, root, model, key, limits }: SessionOptions) {
    this.probe = probe;
    this.root = root;
    this.model = model;
    this.key = key;
    this.limits = limits;
  }

  /** The reply to a request; the same one each time that it is asked for. */
  reply(turn: Omit<Turn, 'model'>): Promise<Exchange> {
    const body = this.bodyOf(turn);
    const key = `${this.leftOut} ${body}`;
    const known = this.#replies.get(key) ?? this.post(body);
    this.#replies.set(key, known);
    return known;
  }

  bodyOf(turn: Omit<Turn, 'model'>): string {
    return JSON.stringify(this.probe.write({ ...turn, model: this.model }));
  }

  /** Sends a body to the chat path, whatever was sent before. */
  async post(body: string, more: { readonly key?: string; readonly breakOff?: boolean } = {}): Promise<Exchange> {
    const headers = this.probe.headers(more.key ?? this.key);
    return this.#seen(await ask({ url: this.urlOf(this.probe.path), headers, body, ...more }, this.limits));
  }

  async get(path: string): Promise<Exchange> {
    return this.#seen(await ask({ url: this.urlOf(path), headers: this.probe.headers(this.key) }, this.limits));
  }

  urlOf(path: string): string {
    return this.root + (path.startsWith(this.leftOut) ? path.slice(this.leftOut.length) : path);
  }

  #seen(exchange: Exchange): Exchange {
    if (exchange.kind === 'silent') this.hopeless = 'an earlier request got no answer in time';
    if (exchange.kind === 'unreachable') this.hopeless = 'the server cannot be reached any more';
    return exchange;
  }
}
