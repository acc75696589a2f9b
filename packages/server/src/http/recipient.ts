/**
 * Where the frames of one streamed reply go: an HTTP response, a message each in a WebSocket, or a response that runs in
 * the background. It tells its reader what the reply has to know of whoever reads on the other side.
 */
export interface Recipient {
  /** Nobody takes anything any more; what is written is lost. */
  readonly gone: boolean;
  /** The reply has begun to leave, or was promised: an error can only be told inside of it. */
  readonly begun: boolean;
  /** Tells who writes; once. */
  listen(reader: RecipientListener): void;
  /** Takes frames, in order; bytes only of a reply that may be relayed. False: it is full, and nothing more should come before `onDrain`. */
  write(frames: readonly (string | Uint8Array)[]): boolean;
  /** The reply is over, and all of it was written. */
  end(): void;
}

export interface RecipientListener {
  /** There is room again after a `write` that returned false. */
  onDrain(): void;
  /** It is gone, or it was ended. */
  onClose(): void;
  /** No event has come for so long that the client may give up. */
  onWait?(): void;
}
