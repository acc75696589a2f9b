import type { ChatEvent, Usage } from '../../chat/event.ts';
import { DragomanError } from '../../errors.ts';
import type { Sink } from '../../stream/stage.ts';
import type { ReplyContext, StreamWriter } from '../wire.ts';
import { writeError } from './errors.ts';
import { ItemWriter } from './item-writer.ts';
import type { WireEvent, WireResponse, WireStatus } from './types.ts';
import { isBackground, ResponseFrame } from './write-response.ts';
import { writeUsage } from './write-usage.ts';

export interface EventSequenceOptions {
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
export class EventSequence implements StreamWriter {
  readonly #sink: Sink<WireEvent>;
  readonly #options: EventSequenceOptions;
  readonly #frame: ResponseFrame;
  readonly #items: ItemWriter;
  readonly #created: number;
  #state: 'new' | 'queued' | 'in_progress' = 'new';
  #ended = false;
  #usage: Usage | undefined;

  constructor(sink: Sink<WireEvent>, context: ReplyContext, options: EventSequenceOptions) {
    this.#sink = sink;
    this.#options = options;
    this.#created = context.created;
    if (context.relayed === true) this.#state = 'in_progress';
    this.#frame = new ResponseFrame(context);
    this.#items = new ItemWriter((event) => this.#emit(event), context, this.#frame.forms);
    if (isBackground(context.request)) this.#queue();
  }

  push(event: ChatEvent): void {
    if (this.#ended) return;
    switch (event.type) {
      case 'message-start':
        if (this.#state === 'queued') this.#begin();
        break;
      case 'warning':
      case 'conversation':
        break;
      case 'usage':
        this.#usage = event.usage;
        break;
      case 'message-end':
        this.#finish(event.finishReason);
        break;
      case 'error':
        this.#fail(event.error);
        break;
      case 'text-start':
      case 'text-delta':
      case 'text-end':
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
      case 'tool-call-start':
      case 'tool-call-delta':
      case 'tool-call-end':
      case 'tool-call-cut':
        this.#items.push(event);
        break;
      default:
        event satisfies never;
    }
  }

  /** A stream that ends without its terminal event is a failure too, so the client never waits in vain. */
  end(cut?: DragomanError): void {
    if (!this.#ended) this.#fail(cut ?? new DragomanError('internal', 'The reply ended without saying how.'));
  }

  /** Codex gives up where no event has come for five minutes. OpenAI sends this one, too. */
  wait(): void {
    if (!this.#ended) this.#emit({ type: 'keepalive' });
  }

  #finish(reason: (ChatEvent & { type: 'message-end' })['finishReason']): void {
    switch (reason) {
      case 'stop':
      case 'tool-calls':
        this.#items.finish('completed');
        this.#end('completed', {});
        break;
      case 'length':
        this.#items.finish('incomplete');
        this.#end('incomplete', { incomplete_details: { reason: 'max_output_tokens' } });
        break;
      case 'content-filter':
        this.#items.finish('incomplete');
        this.#end('incomplete', { incomplete_details: { reason: 'content_filter' } });
        break;
      default:
        reason satisfies never;
    }
  }

  #fail(error: DragomanError): void {
    this.#items.finish('incomplete');
    const { code, message } = writeError(error).error;
    this.#end(error.code === 'response-cancelled' ? 'cancelled' : 'failed', { error: { code, message } });
  }

  #end(status: WireStatus, why: Partial<Pick<WireResponse, 'error' | 'incomplete_details'>>): void {
    this.#begin();
    this.#ended = true;
    const now = this.#options.now?.() ?? Math.floor(Date.now() / 1000);
    const response = this.#frame.write({
      status,
      error: null,
      incomplete_details: null,
      ...why,
      output: this.#items.output,
      usage: this.#usage === undefined ? null : writeUsage(this.#usage),
      completed_at: status === 'completed' ? Math.max(now, this.#created) : null,
    });
    this.#tell(status === 'cancelled' ? 'response.failed' : `response.${status}`, response);
  }

  #emit(event: WireEvent): void {
    this.#begin();
    this.#sink(event);
  }

  #queue(): void {
    this.#state = 'queued';
    const response = this.#unfinished('queued');
    this.#tell('response.created', response);
    this.#sink({ type: 'response.queued', response });
  }

  #begin(): void {
    if (this.#state === 'in_progress') return;
    const wasQueued = this.#state === 'queued';
    this.#state = 'in_progress';
    const response = this.#unfinished('in_progress');
    this.#tell(wasQueued ? 'response.in_progress' : 'response.created', response);
    if (!wasQueued) this.#sink({ type: 'response.in_progress', response });
  }

  #unfinished(status: WireStatus): WireResponse {
    return this.#frame.write({
      status,
      error: null,
      incomplete_details: null,
      output: [],
      usage: null,
      completed_at: null,
    });
  }

  #tell(type: string, response: WireResponse): void {
    this.#options.onResponse?.(response);
    this.#sink({ type, response });
  }
}
