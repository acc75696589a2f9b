import type { DragomanError } from '../errors.ts';

/**
 * What the beginning of an answer is: nothing can be said yet, it counts, or it is a failure of which its receiver would show
 * nothing else.
 */
export type Judgement = 'open' | 'counts' | { readonly failure: DragomanError };

/** Reads the beginning of an answer for whoever may send the request again. */
export interface AnswerJudge {
  data(chunk: Uint8Array): Judgement;
  end(cut?: DragomanError): Judgement;
}

/** How a request may be sent again. */
export interface RepeatHints {
  /** Made for each answer, by its headers. */
  judge(status: number, contentType: string, retryAfter?: number): AnswerJudge;
  /** What is sent then. Default: the same. */
  readonly anew?: () => Pick<UpstreamRequest, 'path' | 'body'>;
  /** It must not be heard twice: only where it was refused it is sent again. */
  readonly onlyRefused: boolean;
}

/** One request to an upstream, ready to be sent. */
export interface UpstreamRequest {
  /** The upstream's name in the configuration. */
  readonly upstream: string;
  /** Default: POST. A GET has no body. */
  readonly method?: 'GET' | 'POST';
  /** Appended to its base URL; may have a query. */
  readonly path: string;
  /** The path counts from the root of the server instead. */
  readonly fromRoot?: boolean;
  /** What is sent as JSON, as `writeJson` writes it: a `JsonText` may be within. Undefined where there are only its bytes. */
  readonly body: unknown;
  /** The body as it is sent, where it is there already. */
  readonly bytes?: Uint8Array;
  /** For a transport that sends requests again. Default: it goes by the headers of an answer alone. */
  readonly repeats?: RepeatHints;
  /** Headers of this one request beside those that the transport sends with every one; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Takes an upstream's answer as it arrives. After `end` or `fail` nothing more comes. */
export interface Receiver {
  /** Headers have arrived. `contentType` is lower-case without parameters, empty when absent. */
  start(status: number, contentType: string, retryAfter?: number): void;
  data(chunk: Uint8Array): void;
  end(): void;
  fail(error: DragomanError): void;
}

/** An answer under way. */
export interface Connection {
  /** Stops reading until `resume`; the upstream feels the back-pressure. */
  pause(): void;
  resume(): void;
  /** Gives up: the upstream's work stops and the receiver hears nothing more. */
  abort(): void;
}

/** Carries bytes and knows nothing of chat. */
export interface Transport {
  send(request: UpstreamRequest, receiver: Receiver): Connection;
}
