import type {
  ChatEvent,
  ChatRequest,
  ClientWire,
  DragomanError,
  ErrorCode,
  RelayRequest,
  RelayTarget,
  ReplyContext,
  Sink,
  Stage,
} from '@dragoman/core';
import { isRecord } from '../is-record.ts';
import type { Redact } from '../log/redact.ts';
import { bytesForModel } from './bytes-for-model.ts';
import { WholeFrames } from './whole-frames.ts';

/** What only we notice of an upstream, so that no frame of its tells it to the client. */
const ownFindings: readonly ErrorCode[] = [
  'upstream-cut',
  'upstream-unreadable',
  'reply-too-large',
  'first-token-timeout',
  'idle-timeout',
  'total-timeout',
  'draining',
  'internal',
];

/** A request as it came, until what is sent has been made of it. */
abstract class AskedAsIs implements RelayRequest {
  readonly wire: string;
  #request: Pick<RelayRequest, 'body' | 'bytesFor'>;

  /** Where somebody watches, its body is needed, and not its bytes. */
  constructor({ wire, body, bytesFor }: RelayRequest, { watched }: { readonly watched: boolean }) {
    this.wire = wire;
    this.#request = watched || bytesFor === undefined ? { body } : { body, bytesFor };
  }

  get body(): RelayTarget['body'] {
    return this.#request.body;
  }

  bytesFor(model: string): Uint8Array | undefined {
    return this.#request.bytesFor?.(model);
  }

  /** What is sent is there. */
  letGo(): void {
    this.#request = { body: {} };
  }
}

/** The upstream's own whole answer in the place of that which a writer would write. */
export class WholeRelay extends AskedAsIs implements RelayTarget {
  readonly #pieces: Uint8Array[] = [];
  #isOver = false;

  readonly started = false;

  /** Of an answer that comes as a stream, nothing is relayed. */
  start(): boolean {
    return false;
  }

  bytes(piece: Uint8Array): void {
    this.#pieces.push(piece);
  }

  over(): void {
    this.#isOver = true;
  }

  /** The answer, if it is relayed. */
  get answer(): Uint8Array | undefined {
    return this.#isOver ? Buffer.concat(this.#pieces) : undefined;
  }
}

/**
 * The upstream's own frames in the place of those that a writer would write: its bytes in, whole frames out. Of the
 * events only the end matters: an error that no frame told is written in the wire's terms.
 */
export class Relay extends AskedAsIs implements RelayTarget, Stage<ChatEvent> {
  readonly #client: ClientWire;
  readonly #context: ReplyContext;
  readonly #sink: Sink<string | Uint8Array>;
  #frames: WholeFrames | undefined;
  #isOver = false;
  #isGivenUp = false;

  constructor(
    options: {
      readonly wire: ClientWire;
      readonly context: ReplyContext;
      readonly request: RelayRequest;
      readonly watched: boolean;
    },
    sink: Sink<string | Uint8Array>,
  ) {
    super(options.request, options);
    this.#client = options.wire;
    this.#context = options.context;
    this.#sink = sink;
  }

  /** The upstream has answered with a stream: what comes from now on is relayed. */
  start(): boolean {
    if (!this.#isGivenUp) this.#frames = new WholeFrames(this.#client.framing);
    return this.started;
  }

  /** Nothing is relayed, unless it is already. */
  giveUp(): void {
    this.#isGivenUp = true;
  }

  get started(): boolean {
    return this.#frames !== undefined;
  }

  bytes(piece: Uint8Array): void {
    for (const whole of this.#frames?.push(piece) ?? []) this.#sink(whole);
  }

  over(): void {
    this.#isOver = true;
  }

  /** What comes after the frame that ended the reply, and is no whole frame, belongs to nothing. */
  push(event: ChatEvent): void {
    if (event.type === 'error') this.#fail(event.error);
    else if (event.type === 'message-end' && this.#isOver)
      for (const rest of this.#frames?.rest() ?? []) this.#sink(rest);
  }

  end(): void {}

  #fail(error: DragomanError): void {
    if (!ownFindings.includes(error.code)) return;
    const writer = this.#client.createStreamWriter({ ...this.#context, relayed: true })(this.#sink);
    writer.push({ type: 'error', error });
  }
}

/** A request, if its reply may be what an upstream of the same wire wrote; `bytes`: what the body was parsed from. */
export function relayable(
  body: unknown,
  {
    wire,
    request,
    bytes,
  }: { readonly wire: ClientWire; readonly request: ChatRequest; readonly bytes?: Buffer | undefined },
): RelayRequest | undefined {
  if (!isRecord(body) || request.warnings.some(({ code }) => code === 'tool-dropped')) {
    return undefined;
  }
  if (wire.mayRelay?.(body) === false) return undefined;
  if (bytes === undefined) return { wire: wire.id, body };
  return { wire: wire.id, body, bytesFor: (model) => bytesForModel(bytes, model) };
}

/** Relayed frames without configured secrets, which an upstream's complaint may quote; the same where there are none. */
export function withoutSecrets(
  frames: readonly (string | Uint8Array)[],
  redact: Redact,
): readonly (string | Uint8Array)[] {
  const text = textOf(frames);
  const harmless = redact(text);
  return harmless === text ? frames : [harmless];
}

/** Some frames as what one write takes. */
export function joinFrames(frames: readonly (string | Uint8Array)[]): string | Uint8Array {
  const [first = '', ...more] = frames;
  if (more.length === 0) return first;
  if (frames.every((frame) => typeof frame === 'string')) return frames.join('');
  return Buffer.concat(frames.map((frame) => (typeof frame === 'string' ? Buffer.from(frame) : frame)));
}

function textOf(frames: readonly (string | Uint8Array)[]): string {
  return Buffer.from(joinFrames(frames)).toString('utf8');
}
