import type { ChatEvent } from '../chat/event.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { Warning } from '../chat/warning.ts';
import { DragomanError, reworded } from '../errors.ts';
import { type BoundedJson, parseBounded } from '../json/exact-json.ts';
import { deepestJson } from '../json/json-depth.ts';
import { decodeNdjson } from '../stream/ndjson-decoder.ts';
import { decodeSse } from '../stream/sse-decoder.ts';
import { type StageFactory, through } from '../stream/stage.ts';
import type { Frame, Quirks, UpstreamWire } from '../wires/wire.ts';
import { answeredError } from './answered-error.ts';
import { jsonOrText, WholeBody } from './whole-body.ts';

/** The most of an error answer that is read, in bytes. */
const errorBodyLimit = 65_536;

/** How an upstream's answer is to be read, as its status and content type tell. */
type AnswerForm = 'stream' | 'message' | 'error' | 'unreadable';

const streamTypes: readonly string[] = [
  'text/event-stream',
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonlines',
  'application/stream+json',
  // Sent by servers that do not think about it; what follows is read as the stream that was asked for.
  'text/plain',
  'application/octet-stream',
  '',
];

/** Decides by the headers alone. `contentType` is lower-case without parameters. */
function answerForm(status: number, contentType: string): AnswerForm {
  if (status < 200 || status >= 300) return 'error';
  if (contentType === 'application/json') return 'message';
  return streamTypes.includes(contentType) ? 'stream' : 'unreadable';
}

/** Whether an upstream answers as it was asked to, and says so: with the stream that its wire describes, or a whole message. */
export function isAsAsked({ status, contentType }: AnswerHead, { framing }: UpstreamWire, stream: boolean): boolean {
  const form = answerForm(status, contentType);
  if (!stream) return form === 'message';
  return form === 'stream' && contentType.includes(framing === 'sse' ? 'event-stream' : 'json');
}

/** What the headers of an upstream's answer said. */
export interface AnswerHead {
  readonly status: number;
  readonly contentType: string;
  /** Seconds. */
  readonly retryAfter: number | undefined;
}

interface ReadingOptions {
  readonly wire: UpstreamWire;
  readonly quirks: Quirks;
  readonly request: ChatRequest;
  readonly fail: (error: DragomanError) => void;
}

/**
 * The bytes of an upstream's answer into chat events: a stream frame by frame, a whole message or an error answer at its
 * end. Throws DragomanError `upstream-unreadable` for a whole message that cannot be read. `fail` is told when a frame is
 * too long to go on.
 */
export function createAnswerReader(head: AnswerHead, options: ReadingOptions): StageFactory<Uint8Array, ChatEvent> {
  const { wire, quirks, request, fail } = options;
  switch (answerForm(head.status, head.contentType)) {
    case 'stream': {
      const frames: StageFactory<Uint8Array, Frame> =
        wire.framing === 'sse' ? decodeSse({ fail }) : decodeNdjson({ fail });
      return through(frames, wire.createStreamReader(request, quirks));
    }
    case 'message':
      return readWholeMessage(options);
    case 'error':
      return readErrorAnswer(head, wire);
    case 'unreadable':
      return failWith(wire.readUnreadable?.(head.status, head.contentType) ?? unreadableAnswer(head));
  }
}

function readWholeMessage({ wire, request, quirks }: ReadingOptions): StageFactory<Uint8Array, ChatEvent> {
  return (sink) => {
    const body = new WholeBody();
    return {
      push: (chunk) => body.push(chunk),
      end: (cut) => {
        if (cut !== undefined) return;
        const { text, damaged } = body.read();
        const [start, ...rest] = wire.readMessage(readJson(text), request, quirks);
        if (start !== undefined) sink(start);
        if (damaged) sink({ type: 'warning', warning: damagedBody });
        for (const event of rest) sink(event);
      },
    };
  };
}

const damagedBody: Warning = {
  code: 'bytes-replaced',
  message: 'Bytes of the reply were not UTF-8; U+FFFD stands for them.',
};

/** The error that an upstream answered with; half an error body tells more than none. */
function readErrorAnswer(head: AnswerHead, wire: UpstreamWire): StageFactory<Uint8Array, ChatEvent> {
  return (sink) => {
    const body = new WholeBody();
    let done = false;
    const finish = (): void => {
      if (done) return;
      done = true;
      sink({ type: 'error', error: withHead(answeredError(wire, head.status, jsonOrText(body.text())), head) });
    };
    return {
      push: (chunk) => {
        body.push(chunk.subarray(0, errorBodyLimit - body.length));
        if (body.length >= errorBodyLimit) finish();
      },
      end: finish,
    };
  };
}

function failWith(error: DragomanError): StageFactory<Uint8Array, ChatEvent> {
  return (sink) => {
    let done = false;
    const finish = (): void => {
      if (!done) sink({ type: 'error', error });
      done = true;
    };
    return { push: finish, end: finish };
  };
}

/** Mostly a login page or the page of a firewall. */
function unreadableAnswer(head: AnswerHead): DragomanError {
  return new DragomanError(
    'upstream-unreadable',
    `The upstream answered ${head.status} with ${head.contentType} instead of a reply. Check its base URL and its key: a login page or a firewall may stand in front of it.`,
    { upstreamStatus: head.status },
  );
}

/** The wire's error with what only the headers knew. */
function withHead(error: DragomanError, head: AnswerHead): DragomanError {
  return reworded(error, error.message, {
    upstreamStatus: error.upstreamStatus ?? head.status,
    retryAfter: error.retryAfter ?? head.retryAfter,
  });
}

function readJson(text: string): unknown {
  const found = parsed(text);
  if ('value' in found) return found.value;
  throw new DragomanError('upstream-unreadable', 'The upstream answered with JSON that nests too deeply.');
}

function parsed(text: string): BoundedJson {
  try {
    return parseBounded(text, { depth: deepestJson, values: Number.POSITIVE_INFINITY });
  } catch {
    throw new DragomanError('upstream-unreadable', 'The upstream answered with JSON that cannot be read.');
  }
}
