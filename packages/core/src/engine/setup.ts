import type { ChatEvent } from '../chat/event.ts';
import type { Sampling } from '../chat/request.ts';
import type { Dialect, ParseLimits } from '../dialects/dialect.ts';
import type { DragomanError } from '../errors.ts';
import type { PromptNotes } from '../prompting/prompt-notes.ts';
import { type PromptRule, promptWords } from '../prompting/rules.ts';
import type { CallIdStore } from '../stores/call-id-store.ts';
import type { ConversationStore } from '../stores/conversation-store.ts';
import type { FactStore } from '../stores/fact-store.ts';
import type { ListedModel, Quirks, UpstreamWire } from '../wires/wire.ts';
import { type CallPolicy, defaultCallPolicy } from './call-policy.ts';
import type { FinalAnswerRule } from './final-answer.ts';
import type { GuardRule } from './guard-loop.ts';
import type { CountTokens } from './limit-length.ts';
import type { NudgeRule } from './nudge.ts';
import type { Transport } from './transport.ts';
import type { TurnQueue, TurnRules } from './turn-queue.ts';
import type { ExchangeWatch } from './watch-exchange.ts';

export type { PromptNotes } from '../prompting/prompt-notes.ts';
export {
  type PromptRule,
  type ResultFormat,
  type ResultRule,
  resultWords,
  type SystemText,
  type SystemTold,
} from '../prompting/rules.ts';
export { type CallPolicy, callPolicyWords, defaultCallPolicy } from './call-policy.ts';
export { type FinalAnswerRule, finalAnswerWords } from './final-answer.ts';
export type { GuardRule } from './guard-loop.ts';
export { type NudgeRule, nudgedAnswers } from './nudge.ts';

/** How finely a reply is cut for the client. The pieces always add up to the same text. */
export type Granularity = 'as-written' | 'whole' | 'characters' | 'words' | { readonly size: number };

/** The words that fields of a `ModelRule` may be, where it is one of several. */
export const ruleWords = {
  ...promptWords,
  callDeltas: ['eager', 'complete'],
  legacyText: ['keep', 'drop'],
  reasoning: ['keep', 'hide'],
  outputFormat: ['auto', 'native', 'taught'],
  passthrough: ['auto', 'always', 'never'],
} as const;

type Word<Field extends keyof typeof ruleWords> = (typeof ruleWords)[Field][number];

/** What is known of a model. Every field has a value: configuration fills what it leaves out from `defaultModelRule`. */
export interface ModelRule extends PromptRule {
  /**
   * `auto`: what fits, as `calling-mode.ts` finds it out; `native`: the server takes tools; `text`: it gets none, the model is
   * taught the dialect that fits, and calls are read in all of them; a dialect: that one. On a wire that carries only text
   * `auto` is `text`, and `native` means that the model gets no tools. `{ dialect: 'auto' }` is an older way to say `text`.
   */
  readonly toolCalling: 'auto' | 'native' | 'text' | { readonly dialect: string };
  /** Tokens; 0 when unknown. */
  readonly contextWindow: number;
  /** The upstream's own name for the model, where it differs. */
  readonly upstreamName?: string;
  /** The channel that the model's chat template has already opened. */
  readonly opened?: 'reasoning';
  /** Ids of further dialects whose calls are read, too: of models that sometimes write another form than they are taught. */
  readonly alsoReads: readonly string[];
  /** While the model sees them, names of tools end with a word of the conversation; see `CallNonce`. */
  readonly callNonce: boolean;
  /** Calls whose markup leaks into the text of a model that calls natively become calls. */
  readonly rescue: boolean;
  /** What counts as a call, and what becomes of what does not. */
  readonly policy: CallPolicy;
  readonly limits: Partial<ParseLimits>;
  /** `eager`: argument text leaves as it is written; `complete`: a call leaves when it is whole, so a cut one never shows. */
  readonly callDeltas: Word<'callDeltas'>;
  /** `STATE:` lines, `FINAL:` marks and invented turns, which older agent prompts taught: text, or left out. */
  readonly legacyText: Word<'legacyText'>;
  /** `hide`: reasoning never reaches a client; `keep`: unless the client wants none. */
  readonly reasoning: Word<'reasoning'>;
  /** The efforts that the model knows; others become the nearest. Empty: none is sent. Absent: they go as they are. */
  readonly efforts?: readonly string[];
  /** The form of an answer is asked for by the upstream's own field, in words, or as `place-format.ts` decides. */
  readonly outputFormat: Word<'outputFormat'>;
  /** How the model samples where the request does not say. */
  readonly sampling: Sampling;
  readonly textGranularity: Granularity;
  readonly callGranularity: Granularity;
  /**
   * Whether streams pass byte for byte where client and upstream speak the same wire and nothing else changes them: from
   * the wire's vendor (`auto`), from whoever answers (`always`), or never. Other servers often need mending.
   */
  readonly passthrough: Word<'passthrough'>;
  /**
   * The longest prompt in UTF-16 units that a model which reads only text is given; where the upstream keeps the
   * conversation, the longest message. Beyond it results are shortened, the oldest ones first. 0: no limit.
   */
  readonly maxPromptLength: number;
  readonly guards: GuardRule;
  readonly nudge: NudgeRule;
  readonly finalAnswer: FinalAnswerRule;
}

/**
 * A model rule as configuration gives it: what it does not say, an upstream's own list may. `images` is absent then, and
 * `contextWindow` 0.
 */
export type GivenRule = Omit<ModelRule, 'images'> & {
  readonly images?: boolean;
  /**
   * Tokens that a server is asked for, where it can be and has made less room for a model, or does not say; at most what the
   * model can have. Counts only with a `contextWindow` of 0.
   */
  readonly leastWindow?: number;
};

/** What holds for a model of which nothing is known. */
export const defaultModelRule: ModelRule = {
  toolCalling: 'auto',
  systemText: 'system',
  systemLabels: 'agent',
  inject: 'session',
  reminder: false,
  contextWindow: 0,
  alsoReads: [],
  callNonce: false,
  rescue: true,
  policy: defaultCallPolicy,
  limits: {},
  callDeltas: 'eager',
  legacyText: 'keep',
  outputFormat: 'auto',
  requiredCalls: 'dialect',
  reasoning: 'keep',
  sampling: {},
  textGranularity: 'as-written',
  callGranularity: 'as-written',
  passthrough: 'auto',
  guards: { repeats: {} },
  nudge: { max: 0, answers: 'auto' },
  finalAnswer: { marks: 'auto', withTools: 'run-tools' },
  results: {
    format: 'native',
    mode: 'lenient',
    orphans: 'auto',
    maxLength: 0,
    maxRoundLength: 0,
    errorPrefix: true,
    ascii: false,
  },
  images: false,
  exampleCall: false,
  maxPromptLength: 0,
};

/** Milliseconds; 0 switches one off. */
export interface Deadlines {
  /** Until the upstream's headers. */
  readonly connect: number;
  /** Until the first event that a client would see. */
  readonly firstToken: number;
  /** Between two reads. */
  readonly idle: number;
  readonly total: number;
}

/** A configured place that requests are sent to. */
export interface Upstream {
  readonly name: string;
  /** An upstream wire's id. */
  readonly wire: string;
  readonly transport: Transport;
  readonly quirks: Quirks;
  /** What is known of a model there beyond `quirks`, which win. */
  readonly modelQuirks?: (model: string) => Quirks;
  /** It is there for whoever names it, and in no list. */
  readonly unlisted?: boolean;
  /** Its models go by their own names alone, where nothing before it has that name; and the first is the default model. */
  readonly shortNames?: boolean;
  /** Where it is, without what a key protects; what is learnt of its models counts there alone. */
  readonly address?: string;
  /** The wire's own vendor answers here: its calls, ids and usage are what the API says. */
  readonly vendor?: boolean;
  readonly deadlines: Deadlines;
  /** By the name that follows `upstream/`. */
  readonly models: ReadonlyMap<string, GivenRule>;
  /** The rule for models that have none of their own; absent: only models with a rule exist. */
  readonly anyModel?: GivenRule;
  /** For one that keeps conversations: requests of one identity go one after another. Absent: at once, as branches. */
  readonly turns?: TurnRules;
  /** For one that keeps conversations: how long messages wait for one that is busy. Default: 120 s, a hundred of them. */
  readonly waits?: TurnRules;
  /** What the upstream itself was last heard to list, by its own names. Only looks: asking is somebody else's work. */
  readonly listed?: () => ReadonlyMap<string, ListedModel>;
}

/** Everything the engine needs besides a request. Made once from configuration and never changed. */
export interface EngineSetup {
  readonly upstreams: ReadonlyMap<string, Upstream>;
  /** Upstream wires beside the built-in ones, by id; one with a built-in id takes its place. */
  readonly wires?: ReadonlyMap<string, UpstreamWire>;
  /** Dialects beside the built-in ones, by id; one with a built-in id takes its place. */
  readonly dialects?: ReadonlyMap<string, Dialect>;
  /** Alias to `upstream/model`. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly defaultModel?: string;
  /** The most tools a request may declare. */
  readonly maxTools: number;
  /** The longest reply in bytes as they come from the upstream. */
  readonly maxReplyBytes: number;
  /** False: tools are stripped from every request (`TOOL_CALLING_ENABLED`). */
  readonly toolCalling: boolean;
  /** False: no loop of calls is told of or ended, whatever model rules say. Default: true. */
  readonly guards?: boolean;
  /** Counts tokens when the upstream did not. */
  readonly countTokens: (text: string) => Promise<number>;
  /** Loads what counts tokens at once, for upstreams that cannot be told how long a reply may be. Default: none is cut. */
  readonly loadCountTokens?: () => Promise<CountTokens>;
  /** Milliseconds since any fixed point. */
  readonly now: () => number;
  /** Calls `tick` every so many milliseconds until the returned function is called. Default: `setInterval`. */
  readonly every?: (milliseconds: number, tick: () => void) => () => void;
  /** Keeps what is learnt of models. Default: nothing is, and what a server refuses is an error. */
  readonly facts?: FactStore;
  /** Keeps the foreign ids of calls that ours cannot carry; for one caller. Default: they are forgotten. */
  readonly callIds?: CallIdStore;
  /** Keeps the points of upstreams' conversations; for one caller. Default: none is ever continued. */
  readonly conversations?: ConversationStore;
  /** Where requests of one caller wait for each other. Default: none ever waits. */
  readonly turns?: TurnQueue;
  /** `length` random lower-case hexadecimal digits. */
  readonly randomHex: (length: number) => string;
  /**
   * At least 8 hexadecimal digits that hang on a text and on a secret of the gateway: the same for the same text, and nobody
   * else can tell them. Default: others each time.
   */
  readonly conversationDigest?: (text: string) => string;
}

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

/** Takes a reply's events. `flush` follows everything that came of one upstream read: the moment to write it out. */
export interface AnswerSink {
  /** Once, before the request is sent: what was done to it, for the log. */
  prepared?(notes: PromptNotes, relayed: boolean): void;
  event(event: ChatEvent): void;
  flush(): void;
  /** Present where the upstream's own frames would do, if nothing has to change in them. */
  readonly relay?: RelayTarget;
  /** Sees the exchange with the upstream. Default: nobody does, and nothing is done for it. */
  readonly watch?: ExchangeWatch | undefined;
}

/** A reply under way. */
export interface Answer {
  pause(): void;
  resume(): void;
  /** The client has gone: the upstream's work stops and the sink hears nothing more. */
  abort(): void;
  /** We cannot go on: the upstream's work stops and the sink gets what was read and then this error, unless it is over. */
  breakOff(error: DragomanError): void;
}
