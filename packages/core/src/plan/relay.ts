/** A request whose reply may be frames that an upstream of the same wire wrote. */
export interface RelayRequest {
  /** The client wire's id. */
  readonly wire: string;
  /** The request as the client sent it. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Takes an upstream's frames as they are. */
export interface RelayTarget extends RelayRequest {
  /** The upstream answers with a stream and its frames will be relayed: from now on events only tell how it goes. */
  start(): void;
  /** A piece of that stream, cut anywhere, before the events that are read from it. */
  bytes(piece: Uint8Array): void;
  /** That stream is over and was not broken off, before the events that are read from its end. */
  over(): void;
}
