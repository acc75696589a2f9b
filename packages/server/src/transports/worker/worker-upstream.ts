import type { Connection } from '@dragoman/core';
import { requestMethod } from '@dragoman/worker';
import { isRecord } from '../../is-record.ts';
import type { HttpTransport } from '../http.ts';
import { CommandAnswer, RequestAnswer } from './answers.ts';
import type { CommandListener, Order } from './command.ts';
import { requestParams } from './request-params.ts';
import { WorkerPool } from './worker-pool.ts';

/** The largest message of a worker, in bytes; longer answers come in pieces. */
export const messageBytes = 4 * 1024 * 1024;

/** The most workers of one upstream at once. */
const mostWorkers = 64;

/** What the configuration says of an upstream's workers. */
export interface WorkerRules {
  /** Whether the upstream's requests reach workers as HTTP requests, or each path as a command of its own. */
  readonly speak: 'requests' | 'commands';
  /** The most commands of one worker at once. */
  readonly concurrency: number;
  readonly queue: { readonly limit: number; readonly wait: number };
  /** Milliseconds between two pings; a worker that is silent for twice as long is gone. */
  readonly heartbeat: number;
  /** Present: workers and senders of a plain relay are taken, too. */
  readonly relay?: { readonly concurrency: number };
}

export interface WorkerUpstreamOptions {
  readonly name: string;
  readonly rules: WorkerRules;
  /** What a worker has to show; absent: nothing. */
  readonly token: string | undefined;
  /** Sent along with every request, lower-case names. */
  readonly headersNow: () => Readonly<Record<string, string>>;
  /** Milliseconds that a reply may take; 0: any time. */
  readonly deadline: number;
}

/** An upstream that is not called: its workers connect, and requests go to them as commands. */
export class WorkerUpstream {
  readonly name: string;
  readonly rules: WorkerRules;
  readonly token: string | undefined;
  readonly pool: WorkerPool;
  /** Carries requests to whichever worker is there. */
  readonly transport: HttpTransport;
  /** Connections that have not said yet who they are. */
  strangers = 0;
  readonly #deadline: number;

  constructor({ name, rules, token, headersNow, deadline }: WorkerUpstreamOptions) {
    this.name = name;
    this.rules = rules;
    this.token = token;
    this.#deadline = deadline;
    this.pool = new WorkerPool({ upstream: name, most: mostWorkers, queue: rules.queue });
    this.transport = {
      send: (request, receiver) =>
        rules.speak === 'requests'
          ? this.run(
              { method: requestMethod, params: requestParams(request, headersNow()) },
              new RequestAnswer(name, receiver),
            )
          : this.run({ method: request.path.slice(1), params: request.body }, new CommandAnswer(name, receiver)),
      close: async () => this.pool.close(),
    };
  }

  /** Has a command done by one of the workers. */
  run({ method, params }: Pick<Order, 'method' | 'params'>, listener: CommandListener): Connection {
    const conversation = isRecord(params) ? params.conversationId : undefined;
    const known = typeof conversation === 'string' ? { conversation } : {};
    return this.pool.run({ method, params, deadline: this.#deadline, ...known }, listener);
  }
}
