/** A request whose reply may be frames that an upstream of the same wire wrote. */
export interface RelayRequest {
  /** The client wire's id. */
  readonly wire: string;
  /** The request as the client sent it. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The very bytes of that, but for the model that is asked for; undefined where they cannot go on as they are. */
  bytesFor?(model: string): Uint8Array | undefined;
}

/** Takes an upstream's frames as they are. */
export interface RelayTarget extends RelayRequest {
  /**
   * The upstream answers with a stream, whose frames are to be relayed. Returns whether they will be: then events only tell how it
   * goes, and those that tell nothing new need not come.
   */
  start(): boolean;
  /** A piece of that stream, cut anywhere, before the events that are read from it. */
  bytes(piece: Uint8Array): void;
  /** That stream is over and was not broken off, before the events that are read from its end. */
  over(): void;
}
