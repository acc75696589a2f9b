/** A request whose reply may be what an upstream of the same wire wrote. */
export interface RelayRequest {
  /** The client wire's id. */
  readonly wire: string;
  /** The request as the client sent it. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The very bytes of that, but for the model that is asked for; undefined where they cannot go on as they are. */
  bytesFor?(model: string): Uint8Array | undefined;
}

/** Takes what an upstream writes as it is: a stream as it comes, or a whole answer at its end, of which only `bytes` and `over` tell. */
export interface RelayTarget extends RelayRequest {
  /**
   * The upstream answers with a stream, whose frames are to be relayed. Returns whether they will be: then events only tell how it
   * goes, and those that tell nothing new need not come.
   */
  start(): boolean;
  /** Whether frames are relayed. */
  readonly started: boolean;
  /** A piece of it, cut anywhere, before the events that are read from it. */
  bytes(piece: Uint8Array): void;
  /** It is over and was not broken off, before the events that are read from its end. */
  over(): void;
}
