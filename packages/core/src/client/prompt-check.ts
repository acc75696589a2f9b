import type { ChatEvent, Usage } from '../chat/event.ts';
import type { ChatRequest } from '../chat/request.ts';
import { DragomanError } from '../errors.ts';
import type { EngineSetup } from '../plan/setup.ts';
import type { Sink, Stage, StageFactory } from '../stream/stage.ts';
import type { ReplyHooks } from '../upstream/reply.ts';
import { textsOf } from './count-prompt.ts';

/** What is compared, and with what; the hooks say when the terminal event waits and when it has gone out. */
export interface PromptCheckOptions extends Pick<ReplyHooks, 'waiting' | 'settled' | 'endsEarly'> {
  /** The request as the upstream got it. */
  readonly request: ChatRequest;
  readonly countTokens: EngineSetup['countTokens'];
}

/**
 * The part of our count that a server has to have read. Our tokenizer knows 200,000 tokens, and few models know words that
 * it does not: servers count as many tokens as we do, or more.
 */
const leastPart = 0.8;

/** Of a shorter prompt nobody can tell: tokens by our count. */
const shortest = 256;

/** A prompt with fewer UTF-16 units for each token that was read is not counted: no tokenizer leaves so few out. */
const unitsPerToken = 3;

/**
 * For a server that is known to leave out of a prompt what does not fit its window, and then to answer with status 200:
 * compares how many tokens it says that it has read with what it was sent. If tokens are missing, the reply ends with an
 * error, whatever of it has been shown: it is no answer to this request, and agents that are told so compact their
 * history. Tools do not count, since their JSON is not what the model reads, and neither does what it thought before.
 *
 * Its terminal event may go out after `push` and `end` have returned; `waiting` and `settled` say when.
 */
export function createPromptCheck(options: PromptCheckOptions): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => new PromptCheck(options, sink);
}

class PromptCheck implements Stage<ChatEvent> {
  readonly #options: Omit<PromptCheckOptions, 'request'>;
  readonly #sink: Sink<ChatEvent>;
  /** Kept only for a server that is known to leave something out. */
  #request: ChatRequest | undefined;
  #told: Usage | undefined;

  constructor({ request, ...options }: PromptCheckOptions, sink: Sink<ChatEvent>) {
    this.#options = options;
    this.#sink = sink;
    this.#request = request;
  }

  push(event: ChatEvent): void {
    if (event.type === 'message-start' && event.truncates !== true) this.#request = undefined;
    if (event.type === 'usage') this.#told = event.usage;
    const request = this.#request;
    if (event.type !== 'message-end' || request === undefined || this.#told?.truncates !== true) {
      this.#sink(event);
      return;
    }
    const read = this.#told.inputTokens;
    const texts = this.#options.endsEarly() ? [] : spokenTexts(request);
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    if (length <= Math.max(shortest, read) * unitsPerToken) {
      this.#sink(event);
      return;
    }
    this.#options.waiting();
    void checkBefore(event, { ...this.#options, texts, read, sink: this.#sink });
  }

  end(): void {}
}

type PendingCheck = Omit<PromptCheckOptions, 'request'> & {
  readonly texts: readonly string[];
  /** Tokens, as the server says. */
  readonly read: number;
  readonly sink: Sink<ChatEvent>;
};

async function checkBefore(terminal: ChatEvent, { texts, read, sink, countTokens, settled }: PendingCheck) {
  const sent = await countTokens(texts).catch(() => 0);
  try {
    const isCut = sent >= shortest && read < sent * leastPart;
    sink(isCut ? { type: 'error', error: truncated(read, sent) } : terminal);
    settled();
  } catch (thrown) {
    settled(thrown);
  }
}

function spokenTexts({ messages }: ChatRequest): readonly string[] {
  const spoken = messages.map((message) =>
    message.role === 'assistant'
      ? { ...message, content: message.content.filter(({ type }) => type !== 'reasoning') }
      : message,
  );
  return textsOf(spoken);
}

function truncated(read: number, sent: number): DragomanError {
  return new DragomanError(
    'context-too-long',
    `The upstream left out what did not fit its context window: it read ${read} of about ${sent} tokens. Shorten the conversation, or give the model a larger window. With "wire": "ollama-chat" the gateway asks Ollama for the window of the model rule.`,
  );
}
