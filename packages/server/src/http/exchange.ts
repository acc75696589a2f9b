import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClientWire, EngineSetup, GatewayError, ResponseStore } from '@dragoman/core';
import type { Config } from '../config/schema.ts';
import type { Log } from '../log/create-log.ts';
import type { Redact } from '../log/redact.ts';
import type { RequestNote } from '../log/request-note.ts';
import type { Authenticate } from './authenticate.ts';
import type { Silence } from './silence.ts';

/** What all requests share. */
export interface Gateway {
  readonly config: Config;
  readonly setup: EngineSetup;
  /** Chat Completions as the configuration wants them written. */
  readonly chat: ClientWire;
  /** What the Responses API keeps. */
  readonly responses: ResponseStore;
  readonly log: Log;
  readonly redact: Redact;
  readonly silence: Silence;
  readonly authenticate: Authenticate;
  readonly counts: Counts;
  /** Every request that is not over. */
  readonly exchanges: Set<Exchange>;
}

/** Since the start. */
export interface Counts {
  readonly startedAt: number;
  active: number;
  requests: number;
  errors: number;
  draining: boolean;
}

/** One request and its reply, while they last. */
export interface Exchange {
  readonly gateway: Gateway;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly note: RequestNote;
  /** In whose terms errors are told: as its address looks, until the route is known. */
  wire: ClientWire;
  /** Milliseconds since the request came. */
  elapsed(): number;
  /** Ends a reply under way with an error in the terms of its wire. Absent while there is none. */
  breakOff?: (error: GatewayError) => void;
}
