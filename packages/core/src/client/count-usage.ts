import type { ChatEvent, Usage } from '../chat/event.ts';
import { unitsOf } from '../chat/message.ts';
import type { ChatRequest } from '../chat/request.ts';
import { charactersOfTools } from '../chat/tools-key.ts';
import type { EngineSetup } from '../plan/setup.ts';
import type { Sink, Stage, StageFactory } from '../stream/stage.ts';
import type { ReplyHooks } from '../upstream/reply.ts';
import { countPrompt } from './count-prompt.ts';

/** What is counted, and with what; the hooks say when the terminal event waits and when it has gone out. */
export interface UsageCountOptions extends Pick<ReplyHooks, 'waiting' | 'settled' | 'endsEarly'> {
  /** The request as the upstream got it: what was injected counts too. */
  readonly request: ChatRequest;
  readonly countTokens: EngineSetup['countTokens'];
  /** Whose replies may tell usage: what one has told, the next will. */
  readonly of: { readonly upstream: object; readonly model: string };
}

/** The models of an upstream whose last reply told its usage. */
const tellers = new WeakMap<object, Set<string>>();

/** Names of models of one upstream; clients may make them up. */
const mostTellers = 1000;

/** Pieces of a reply that are joined at once. */
const piecesJoined = 250;

/** Characters to a token where an upstream that has told usage before does not: within a third of what was read. */
const charactersPerToken = 3.5;

/**
 * Counts tokens for a client that wants usage from an upstream that gives none: at a good end without usage the
 * terminal event waits for the counts, and usage goes out before it. If counting fails, the reply ends without usage. Of
 * a reply that ended before its upstream did, what the upstream told at the start holds for the prompt alone.
 *
 * The prompt is counted while the reply comes, unless the upstream is known to tell usage, so that the request is not kept for
 * as long as the reply runs.
 *
 * One of two stages that let something out after `push` and `end` have returned; `waiting` and `settled` say when.
 */
export function createUsageCount(options: UsageCountOptions): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => new UsageCount(options, sink);
}

class UsageCount implements Stage<ChatEvent> {
  readonly #options: Omit<UsageCountOptions, 'request'>;
  readonly #sink: Sink<ChatEvent>;
  /** All that the model has written, and the pieces that are not joined yet. */
  #written = '';
  #recent: string[] = [];
  /** Until the streamed reply begins. */
  #request: ChatRequest | undefined;
  #inputTokens: (() => Promise<number>) | undefined;
  #told: Usage | undefined;
  #isToldAtStart = false;

  constructor({ request, ...options }: UsageCountOptions, sink: Sink<ChatEvent>) {
    this.#options = options;
    this.#sink = sink;
    this.#request = request;
  }

  push(event: ChatEvent): void {
    switch (event.type) {
      case 'message-end':
        this.#note(this.#told !== undefined);
        if (this.#told === undefined || (this.#isToldAtStart && this.#options.endsEarly())) {
          this.#options.waiting();
          void this.#countBefore(event);
          return;
        }
        break;
      case 'message-start':
        this.#begin();
        break;
      case 'usage':
        this.#isToldAtStart = this.#told === undefined && this.#written === '' && this.#recent.length === 0;
        this.#told = event.usage;
        break;
      case 'tool-call-start':
        this.#recent.push(event.name);
        break;
      case 'text-delta':
      case 'reasoning-delta':
      case 'tool-call-delta':
        this.#recent.push(event.text);
        if (this.#recent.length >= piecesJoined) this.#join();
        break;
      default:
    }
    this.#sink(event);
  }

  end(): void {}

  /** From here on a stream runs as long as it likes: the request is counted, or only its length is known. */
  #begin(): void {
    const request = this.#request;
    if (request?.stream !== true) return;
    this.#request = undefined;
    const { of, countTokens } = this.#options;
    if (tellers.get(of.upstream)?.has(of.model) === true) {
      // Whoever checks calls keeps the tools anyway; to write them as JSON takes long, and is seldom asked for.
      const { tools } = request;
      const units = unitsOf(request.messages);
      this.#inputTokens = async () => Math.ceil((units + charactersOfTools(tools)) / charactersPerToken);
      return;
    }
    const count = countPrompt(request, countTokens);
    // Whoever asks hears of a failure; a reply that tells usage needs no count.
    count.catch(() => {});
    this.#inputTokens = () => count;
  }

  #note(isTold: boolean): void {
    const { upstream, model } = this.#options.of;
    const models = tellers.get(upstream) ?? new Set();
    tellers.set(upstream, models);
    if (!isTold) models.delete(model);
    else if (models.size < mostTellers) models.add(model);
  }

  async #countBefore(terminal: ChatEvent): Promise<void> {
    const usage = await this.#counted().catch(() => undefined);
    try {
      if (usage !== undefined) this.#sink({ type: 'usage', usage });
      this.#sink(terminal);
      this.#options.settled();
    } catch (thrown) {
      this.#options.settled(thrown);
    }
  }

  async #counted(): Promise<Usage> {
    const { countTokens } = this.#options;
    this.#join();
    const count = () => countTokens([this.#written]);
    if (this.#told !== undefined) return { ...this.#told, outputTokens: await count(), source: 'counted' };
    const prompt = () =>
      this.#request === undefined ? this.#inputTokens?.() : countPrompt(this.#request, countTokens);
    const [inputTokens = 0, outputTokens] = await Promise.all([prompt(), count()]);
    return { inputTokens, outputTokens, source: 'counted' };
  }

  #join(): void {
    this.#written += this.#recent.join('');
    this.#recent = [];
  }
}
