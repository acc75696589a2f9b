import type { ChatEvent, FinishReason } from '../../chat/event.ts';
import type { DragomanError } from '../../errors.ts';
import { encodeSse } from '../../stream/sse-encoder.ts';
import type { Sink } from '../../stream/stage.ts';
import type { ReplyContext, StreamWriter } from '../wire.ts';
import { writeError } from './errors.ts';
import { ItemWriter } from './item-writer.ts';
import type { WireEvent, WireResponse, WireStatus } from './types.ts';
import { createResponseWriter, isBackground, writeUsage } from './write-response.ts';

export interface StreamWriterOptions extends EventSequenceOptions {
  /**
   * Ends the stream with `data: [DONE]`, as the text of OpenResponses wants it. Off: no client needs it, and VS Code 0.42
   * takes a finished answer for a failed one because of it.
   */
  readonly done?: boolean;
  /** `ndjson`: each event is a line of JSON and nothing more, as WebSockets carry them. Default: `sse`. */
  readonly framing?: 'sse' | 'ndjson';
}

/**
 * Chat events as an event stream. Each output is one whole event, with its name in `type` and, as SSE, on the `event:`
 * line, and with a sequence number that rises by one from zero.
 */
export function createStreamWriter(
  context: ReplyContext,
  options: StreamWriterOptions = {},
): (sink: Sink<string>) => StreamWriter {
  return (sink) => {
    let number = -1;
    return new EventSequence(
      ({ type, ...fields }) => {
        number += 1;
        const json = JSON.stringify({ type, sequence_number: number, ...fields });
        if (options.framing === 'ndjson') {
          sink(`${json}\n`);
          return;
        }
        const frame = encodeSse(json, type);
        const isLast = options.done === true && terminalTypes.includes(type);
        sink(isLast ? `${frame}data: [DONE]\n\n` : frame);
      },
      context,
      options,
    );
  };
}

const terminalTypes: readonly string[] = ['response.completed', 'response.incomplete', 'response.failed'];

interface EventSequenceOptions {
  /** Seconds since 1970, for `completed_at`. Default: the clock. */
  readonly now?: () => number;
  /** Told of a response whenever its status changes, before the event that says so: it can be continued at once. */
  readonly onResponse?: (response: WireResponse) => void;
}

/**
 * Chat events as the events of this wire, in their full order: `response.created`, `response.in_progress`, each item
 * from `added` to `done`, and one terminal event with the whole response. Streams and whole answers both come from here.
 *
 * The first two events wait for the first that shows, so that an early failure can still become an HTTP status. In the
 * background there is no status to wait for: `response.created` and `response.queued` come at once, and
 * `response.in_progress` when the upstream answers. A failure is `response.failed` and never a bare `error` event, which
 * most clients overlook; so is the end of a response that was cancelled, as there is no event of that name.
 */
class EventSequence extends ItemWriter {
  readonly #options: EventSequenceOptions;
  readonly #write: ReturnType<typeof createResponseWriter>;
  #state: 'new' | 'queued' | 'in_progress' = 'new';

  constructor(sink: Sink<WireEvent>, context: ReplyContext, options: EventSequenceOptions) {
    super(sink, context);
    this.#options = options;
    this.#write = createResponseWriter(context);
    if (context.relayed === true) this.#state = 'in_progress';
    if (isBackground(context.request)) this.#queue();
  }

  protected override start(): void {
    if (this.#state === 'queued') this.#begin();
  }

  /** Codex gives up where no event has come for five minutes. OpenAI sends this one, too. */
  wait(): void {
    if (!this.hasEnded) this.emit({ type: 'keepalive' });
  }

  protected override finish({ finishReason: reason }: { readonly finishReason: FinishReason }): void {
    switch (reason) {
      case 'stop':
      case 'tool-calls':
        this.closeItem('completed');
        this.#endResponse('completed', {});
        break;
      case 'length':
        this.closeItem('incomplete');
        this.#endResponse('incomplete', { incomplete_details: { reason: 'max_output_tokens' } });
        break;
      case 'content-filter':
        this.closeItem('incomplete');
        this.#endResponse('incomplete', { incomplete_details: { reason: 'content_filter' } });
        break;
      default:
        reason satisfies never;
    }
  }

  protected override fail(error: DragomanError): void {
    this.closeItem('incomplete');
    const { code, message } = writeError(error).error;
    this.#endResponse(error.code === 'response-cancelled' ? 'cancelled' : 'failed', { error: { code, message } });
  }

  #endResponse(status: WireStatus, why: Partial<Pick<WireResponse, 'error' | 'incomplete_details'>>): void {
    this.#begin();
    const now = this.#options.now?.() ?? Math.floor(Date.now() / 1000);
    const response = this.#write({
      status,
      error: null,
      incomplete_details: null,
      ...why,
      output: this.output,
      usage: this.usage === undefined ? null : writeUsage(this.usage),
      completed_at: status === 'completed' ? Math.max(now, this.context.created) : null,
    });
    this.#report(status === 'cancelled' ? 'response.failed' : `response.${status}`, response);
  }

  protected override emit(event: WireEvent): void {
    this.#begin();
    this.sink(event);
  }

  #queue(): void {
    this.#state = 'queued';
    const response = this.#unfinished('queued');
    this.#report('response.created', response);
    this.sink({ type: 'response.queued', response });
  }

  #begin(): void {
    if (this.#state === 'in_progress') return;
    const wasQueued = this.#state === 'queued';
    this.#state = 'in_progress';
    const response = this.#unfinished('in_progress');
    this.#report(wasQueued ? 'response.in_progress' : 'response.created', response);
    if (!wasQueued) this.sink({ type: 'response.in_progress', response });
  }

  #unfinished(status: WireStatus): WireResponse {
    return this.#write({
      status,
      error: null,
      incomplete_details: null,
      output: [],
      usage: null,
      completed_at: null,
    });
  }

  #report(type: string, response: WireResponse): void {
    this.#options.onResponse?.(response);
    this.sink({ type, response });
  }
}

/** A whole answer: the response that a stream of the same events would end with. */
export function writeMessage(
  events: readonly ChatEvent[],
  context: ReplyContext,
  options: EventSequenceOptions = {},
): WireResponse {
  let last: WireResponse | undefined;
  const onResponse = (response: WireResponse) => {
    last = response;
    options.onResponse?.(response);
  };
  const sequence = new EventSequence(() => {}, context, { ...options, onResponse });
  for (const event of events) sequence.push(event);
  sequence.end();
  if (last === undefined) throw new Error('a sequence of events always ends with a response');
  return last;
}
