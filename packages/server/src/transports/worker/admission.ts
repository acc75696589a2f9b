import { closeCodes, protocolVersion } from '@dragoman/worker';
import type { WebSocket } from 'ws';
import { isSameSecret } from '../../http/same-secret.ts';
import type { Log } from '../../log/create-log.ts';
import { type Codec, type Fields, optionalTextIn, ownCodec, readFields, readHello, relayCodec } from './codecs.ts';
import { RelaySender } from './relay-sender.ts';
import { WorkerConnection } from './worker-connection.ts';
import { WorkerFault } from './worker-fault.ts';
import { messageBytes, type WorkerUpstream } from './worker-upstream.ts';

/** Milliseconds that a new connection has to say who it is. */
const longestSilence = 10_000;

/** The most connections of one upstream that have not said yet who they are. */
export const mostStrangers = 16;

/** A connection that outlives its messages. */
interface OpenConnection {
  goAway(): void;
  terminate(): void;
}

export interface AdmissionOptions {
  readonly socket: WebSocket;
  readonly upstream: WorkerUpstream;
  /** The token that was in the address, for workers that cannot say it. */
  readonly addressToken: string | undefined;
  /** Under which the worker will be known. */
  readonly id: string;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/** A new connection until its first message has said who it is; then it stands for whoever that is. */
export class Admission implements OpenConnection {
  readonly #options: AdmissionOptions;
  readonly #timer: NodeJS.Timeout;
  #isStranger = true;
  #admitted: OpenConnection | undefined;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    const { socket, upstream } = options;
    upstream.strangers += 1;
    this.#timer = setTimeout(
      () => this.#refuse(new WorkerFault('silent', `No message came within ${longestSilence / 1000} s.`)),
      longestSilence,
    );
    socket.once('message', (data, isBinary) => this.#first(isBinary ? '' : String(data)));
    // Without a listener, a connection that breaks would end the process.
    socket.on('error', () => this.#settle());
    socket.once('close', () => this.#settle());
  }

  goAway(): void {
    if (this.#admitted !== undefined) this.#admitted.goAway();
    else this.#options.socket.close(1001, 'the gateway is shutting down');
  }

  terminate(): void {
    if (this.#admitted !== undefined) this.#admitted.terminate();
    else this.#options.socket.terminate();
  }

  #first(text: string): void {
    if (!this.#isStranger) return;
    try {
      const fields = readFields(text);
      this.#admitted = this.#admit(fields);
      this.#settle();
    } catch (thrown) {
      if (!(thrown instanceof WorkerFault)) throw thrown;
      this.#refuse(thrown);
    }
  }

  #admit(fields: Fields): OpenConnection {
    const { relay } = this.#options.upstream.rules;
    if (fields.type === 'hello') return this.#admitOwn(fields);
    if (relay !== undefined && fields.type === 'page_client') return this.#admitRelay(fields, relay.concurrency);
    if (relay !== undefined && fields.type === 'sender') return this.#admitSender(fields);
    const isRelay = fields.type === 'page_client' || fields.type === 'sender';
    const advice = isRelay ? 'workers and senders of a relay need "relay" in the configuration' : 'say "hello" first';
    throw new WorkerFault(
      'role-unknown',
      `The first message does not say what connects: ${advice}. See docs/workers.md.`,
    );
  }

  #admitOwn(fields: Fields): WorkerConnection {
    const { upstream } = this.#options;
    const { version, token, name, concurrency, methods } = readHello(fields);
    this.#checkToken(token);
    const { heartbeat } = upstream.rules;
    const worker = this.#join({
      codec: ownCodec,
      name: name ?? this.#options.id,
      concurrency: Math.min(concurrency, upstream.rules.concurrency),
      ...(methods === undefined ? {} : { methods }),
    });
    const spoken = Math.min(version, protocolVersion);
    worker.report({ type: 'ready', version: spoken, worker: this.#options.id, heartbeat, messageBytes });
    upstream.pool.look();
    return worker;
  }

  #admitRelay(fields: Fields, concurrency: number): WorkerConnection {
    this.#checkToken(optionalTextIn(fields, 'token'));
    const worker = this.#join({ codec: relayCodec, name: `${this.#options.id} (relay)`, concurrency });
    this.#options.upstream.pool.look();
    return worker;
  }

  #admitSender(fields: Fields): RelaySender {
    this.#checkToken(optionalTextIn(fields, 'token'));
    const sender = new RelaySender(this.#options);
    sender.take(fields);
    return sender;
  }

  #join(worker: {
    readonly codec: Codec;
    readonly name: string;
    readonly concurrency: number;
    readonly methods?: readonly string[];
  }): WorkerConnection {
    const { socket, upstream, id, log } = this.#options;
    const { pool, rules } = upstream;
    const { name, ...rest } = worker;
    pool.checkRoom();
    const told = () => `(${pool.counts().connected} connected)`;
    const connection = new WorkerConnection({
      ...rest,
      id,
      socket,
      pool,
      heartbeat: rules.heartbeat,
      left: (why, lost) => {
        const also = lost === 0 ? '' : `, with ${lost} unfinished ${lost === 1 ? 'command' : 'commands'}`;
        const line = `worker ${JSON.stringify(name)} left the upstream "${upstream.name}"${also}: ${why} ${told()}`;
        if (lost === 0) log.info(line);
        else log.warn(line);
      },
    });
    pool.join(connection);
    log.info(`worker ${JSON.stringify(name)} joined the upstream "${upstream.name}" ${told()}`);
    return connection;
  }

  #checkToken(said: string | undefined): void {
    const { token } = this.#options.upstream;
    if (token === undefined) return;
    if (isSameSecret(said ?? this.#options.addressToken ?? '', token)) return;
    throw new WorkerFault('token-wrong', 'The token is missing or wrong.');
  }

  #refuse({ reason, message }: WorkerFault): void {
    const { socket, upstream, log } = this.#options;
    this.#settle();
    log.warn(`a worker was refused by the upstream "${upstream.name}": ${message}`);
    socket.send(JSON.stringify({ type: 'error', code: reason, message }));
    socket.close(closeCodes[reason], reason);
  }

  /** It is known who it is, or it has gone. */
  #settle(): void {
    if (!this.#isStranger) return;
    this.#isStranger = false;
    clearTimeout(this.#timer);
    this.#options.upstream.strangers -= 1;
  }
}
