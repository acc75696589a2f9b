import type { ChatEvent, FinishReason, Usage } from '../chat/event.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { Warning } from '../chat/warning.ts';
import { anyDialect } from '../dialects/together/read-any.ts';
import type { DragomanError, Refusal } from '../errors.ts';
import { keyOfModel } from '../plan/model-entries.ts';
import type { Plan } from '../plan/plan.ts';
import { upstreamOf, upstreamWireOf } from '../plan/plug-ins.ts';
import type { RelayTarget } from '../plan/relay.ts';
import type { EngineSetup, Upstream } from '../plan/setup.ts';
import type { FactStore, ModelFacts, ModelKey } from '../stores/fact-store.ts';
import type { Answer, AnswerSink } from './answer-sink.ts';
import { RepeatedAnswer } from './later-answer.ts';

/** Hears what a reply shows of its model. */
export interface Learning {
  /** What is sent, as the model sees it. */
  sent(request: ChatRequest): void;
  /** The server has told a call natively. */
  called(): void;
  /** The model has written a call in a dialect that it was not taught. */
  wrote(dialect: string): void;
}

/** One sending of the request. */
export interface Sending {
  readonly sink: AnswerSink;
  /** Absent where nothing is to be learnt. */
  readonly learning: Learning | undefined;
}

export interface AdaptedOptions {
  readonly request: ChatRequest;
  readonly setup: EngineSetup;
  readonly facts: FactStore;
  readonly plan: Plan;
  /** Plans the request anew, by what has been learnt. */
  readonly planAgain: () => Plan;
  readonly begin: (plan: Plan, sending: Sending) => Answer;
  readonly sink: AnswerSink;
}

/**
 * An answer from which is learnt what its model and its server can do.
 *
 * - What the server refuses, and is known to take otherwise, is sent again otherwise, at once; nothing of the answer has been
 *   shown, and the client hears of it only by a warning.
 * - What an answer shows that cannot be taken back, the next requests go by: calls in text, and tools that were ignored.
 */
export class AdaptedAnswer extends RepeatedAnswer {
  readonly #options: Pick<AdaptedOptions, 'setup' | 'facts' | 'sink'>;
  /** What it takes to ask again; let go, with the request in it, once something has been shown. */
  #asking: Pick<AdaptedOptions, 'request' | 'planAgain' | 'begin'> | undefined;
  readonly #place: Upstream;
  #plan: Plan;
  #hasBegun = false;
  /** Warnings that wait for the beginning of the reply. */
  #notes: Warning[] = [];
  #sent: ChatRequest | undefined;
  #usage: Usage | undefined;
  #hasCalled = false;
  /** The gateway has told the server what the model may write. */
  #isHeld = false;
  /** What was known before a refusal that may have meant that; until an answer comes without it. */
  #onTrial: { readonly before: ModelFacts | undefined } | undefined;
  #wrote: string | undefined;

  constructor(options: AdaptedOptions) {
    super();
    const { setup, facts, sink, request, planAgain, begin } = options;
    this.#options = { setup, facts, sink };
    this.#asking = { request, planAgain, begin };
    this.#plan = options.plan;
    this.#place = upstreamOf(options.plan.upstream, options.setup);
    this.begin(() => options.begin(this.#plan, { sink: this.#sink(options.sink.relay), learning: this.#learning() }));
  }

  #sink(relay?: RelayTarget): AnswerSink {
    const { sink } = this.#options;
    return {
      prepared: (notes, relayed) => {
        this.#isHeld = notes.constraint !== undefined;
        sink.prepared?.(notes, relayed);
      },
      event: (event) => this.#hear(event),
      flush: () => sink.flush(),
      watch: sink.watch,
      ...(relay === undefined ? {} : { relay }),
    };
  }

  #learning(): Learning | undefined {
    const request = this.#asking?.request;
    if (request === undefined || !mayTeach(this.#plan, { request, setup: this.#options.setup })) return undefined;
    return {
      sent: (request) => {
        this.#sent = request;
      },
      called: () => {
        this.#hasCalled = true;
      },
      wrote: (dialect) => {
        this.#wrote ??= dialect;
      },
    };
  }

  #hear(event: ChatEvent): void {
    const { sink } = this.#options;
    switch (event.type) {
      case 'message-start':
        if (!this.#hasBegun) sink.event(event);
        this.#hasBegun = true;
        for (const warning of this.#notes) sink.event({ type: 'warning', warning });
        this.#notes = [];
        return;
      case 'usage':
        this.#usage = event.usage;
        break;
      case 'warning':
      case 'conversation':
        break;
      case 'error':
        if (this.#isSentAgain(event.error)) return;
        // Something else was meant.
        if (this.#onTrial !== undefined) this.#options.facts.put(this.#key(), this.#onTrial.before ?? {});
        break;
      case 'message-end':
        this.#onTrial = undefined;
        this.#conclude(event.finishReason);
        break;
      default:
        this.#asking = undefined;
        this.#onTrial = undefined;
    }
    sink.event(event);
  }

  #isSentAgain({ refuses: said, code, upstreamStatus: status }: DragomanError): boolean {
    // Servers say in words of their own that they cannot be told what a model may write.
    const isUnclear = said === undefined && code === 'upstream-refused' && (status === 400 || status === 422);
    const refuses = isUnclear && this.#isHeld ? 'grammar' : said;
    // Frames that are passed on have been shown.
    const asking = this.#options.sink.relay?.started === true ? undefined : this.#asking;
    const refused = asking === undefined || refuses === undefined ? undefined : this.#withoutIt(refuses);
    if (asking === undefined || refused === undefined) return false;
    if (isUnclear) this.#onTrial = { before: this.#known() };
    this.#learn(refused);
    const { planAgain, begin } = asking;
    const sink = this.#sink();
    this.repeat(sink, () => {
      this.#plan = planAgain();
      this.#notes.push(sentAgain(refused, this.#plan));
      return begin(this.#plan, { sink, learning: this.#learning() });
    });
    return true;
  }

  /** What has to be known to ask without what was refused; undefined where that has been known, or is not ours to decide. */
  #withoutIt(refuses: Refusal): ModelFacts | undefined {
    const { rule, toolCalling, facts, wire } = this.#plan;
    if (refuses === 'tools') {
      return rule.toolCalling === 'auto' && toolCalling === 'native' ? { tools: 'refused' } : undefined;
    }
    if (refuses === 'grammar') return this.#isHeld && facts?.grammar === undefined ? { grammar: 'refused' } : undefined;
    const { quirks } = this.#place;
    const isSaid = [facts?.quirks, quirks].some((each) => each?.maxTokensField !== undefined);
    const isTaken = upstreamWireOf(wire, this.#options.setup).quirks?.maxTokensField !== undefined;
    return isSaid || !isTaken ? undefined : { quirks: { maxTokensField: 'max_completion_tokens' } };
  }

  /** What the reply has shown counts for the next requests. */
  #conclude(finishReason: FinishReason): void {
    if (this.#sent === undefined) return;
    const isNative = this.#plan.toolCalling === 'native';
    // Another request may have found out meanwhile.
    if (this.#known()?.[isNative ? 'tools' : 'dialect'] !== undefined) return;
    const quoted = `"${this.#plan.model}"`;
    if (this.#hasCalled) {
      if (isNative) this.#learn({ tools: 'called' });
      return;
    }
    if (this.#wrote !== undefined) {
      const dialect = this.#wrote;
      this.#learn(isNative ? { tools: 'written', dialect } : { dialect });
      this.#report(`${quoted} wrote a call in ${dialect}, which it was not taught; its next requests teach it.`);
      return;
    }
    if (!isNative || finishReason === 'content-filter' || this.#usage === undefined) return;
    const ignored = findIgnoredTools(this.#sent, this.#usage);
    if (ignored === undefined) return;
    this.#learn({ tools: 'ignored' });
    const { read, sent } = ignored;
    this.#report(
      `The upstream read ${read} tokens of messages and tools that have ${sent} words, so it has ignored the tools. The next requests of ${quoted} teach them as text.`,
    );
  }

  #report(message: string): void {
    this.#options.sink.event({ type: 'warning', warning: { code: 'model-learnt', message } });
  }

  #learn(learnt: ModelFacts): void {
    const known = this.#known();
    const all = { ...known, ...learnt };
    if (JSON.stringify(all) !== JSON.stringify(known)) this.#options.facts.put(this.#key(), all);
  }

  #known(): ModelFacts | undefined {
    return this.#options.facts.get(this.#key());
  }

  #key(): ModelKey {
    return keyOfModel(this.#plan.model, this.#place);
  }
}

/** Whether the answer to this request may show how its model calls tools, and nobody knows yet. An API's own vendor is known to. */
function mayTeach(
  { upstream, toolCalling, rule, facts }: Plan,
  { request, setup }: Pick<AdaptedOptions, 'request' | 'setup'>,
): boolean {
  if (request.tools.length === 0 || request.toolChoice === 'none') return false;
  const isVendor = upstreamOf(upstream, setup).vendor === true;
  if (toolCalling === 'native') return rule.toolCalling === 'auto' && facts?.tools === undefined && !isVendor;
  return toolCalling === anyDialect && facts?.dialect === undefined;
}

function sentAgain({ tools, grammar }: ModelFacts, { model, dialect }: Plan): Warning {
  let [refused, otherwise] = ['"max_tokens"', 'with "max_completion_tokens"'];
  if (grammar !== undefined) [refused, otherwise] = ['to be told what the model may write', 'without'];
  else if (tools !== undefined) [refused, otherwise] = ['tools', `with the tools taught in ${dialect}`];
  const message = `The upstream refused ${refused}, so the request was sent again ${otherwise}, and so are the next ones of "${model}".`;
  return { code: 'model-learnt', message };
}

/** Tools with fewer words than that are lost between what a template adds of its own and what it leaves out. */
const fewestWords = 16;

/** What tells that tools were ignored, in words and tokens. */
interface IgnoredTools {
  /** Tokens, as the server says. */
  readonly read: number;
  /** Words of the messages and of what the tools are described by. */
  readonly sent: number;
}

/**
 * Whether a server has read the messages and nothing of the tools beside them: it says that it read fewer tokens than
 * messages and tools have words, though as many as the messages alone have. No tokenizer makes one token of two words, and
 * every template that knows tools writes their names and descriptions. So it is certain where it shows; with long messages
 * and short tools it does not show. Of a server that leaves out of a prompt what does not fit, nothing can be told.
 */
function findIgnoredTools(request: ChatRequest, usage: Usage): IgnoredTools | undefined {
  if (usage.source !== 'upstream' || usage.truncates === true) return undefined;
  let said = 0;
  for (const { role, content } of request.messages) {
    // A template that knows no tools may leave out their results.
    if (role === 'tool') continue;
    for (const part of content) if (part.type === 'text') said += countWords(part.text);
  }
  let described = 0;
  for (const { name, description = '' } of request.tools) described += countWords(name) + countWords(description);
  const read = usage.inputTokens;
  const sent = said + described;
  return described >= fewestWords && read >= said && read < sent ? { read, sent } : undefined;
}

/** How many runs of other characters than white space a text has. */
function countWords(text: string): number {
  let words = 0;
  let isInside = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isBlank = code === 32 || (code >= 9 && code <= 13);
    if (!isBlank && !isInside) words += 1;
    isInside = !isBlank;
  }
  return words;
}
