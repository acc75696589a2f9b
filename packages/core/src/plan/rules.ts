import type { Sampling } from '../chat/request.ts';
import type { ParseLimits } from '../dialects/dialect.ts';
import { defaultParsePolicy, type ParsePolicy, policyWords } from '../dialects/parse-policy.ts';
import type { Prompts } from './prompt-template.ts';

/** Every `SystemLabels`. */
export const systemLabels = ['agent', 'workspace', 'parts'] as const;

/** How the sections of the block are headed: numbered, with the second one as workspace, or as numbered parts. */
export type SystemLabels = (typeof systemLabels)[number];

/** The words that each field of a `PromptRule` may be, where it is one of several. */
export const promptWords = {
  systemText: ['system', 'first-user', 'both'],
  systemLabels,
  inject: ['session', 'always', 'never'],
  constrainCalls: ['auto', 'off', 'json', 'free', 'choice'],
} as const;

/** The same for a `ResultRule`. */
export const resultWords = {
  format: ['native', 'detailed', 'fields', 'simple', 'conversational', 'header'],
  mode: ['lenient', 'strict'],
  orphans: ['auto', 'text', 'call', 'drop'],
} as const;

type Word<
  Words extends { readonly [field: string]: readonly string[] },
  Field extends keyof Words,
> = Words[Field][number];

/** Where system text goes: as the upstream's own system message, before the first user message, or both. */
export type SystemText = Word<typeof promptWords, 'systemText'>;

/** How a tool's result is worded for a model that reads only text. `native` is the dialect's own form. */
export type ResultFormat = Word<typeof resultWords, 'format'>;

/**
 * When a platform that keeps the conversation is told system text and tools: at its beginning and when they have changed,
 * with every message, or never, because it knows them from somewhere else.
 */
export type SystemTold = Word<typeof promptWords, 'inject'>;

/** What prompting has to know of a model. */
export interface PromptRule {
  readonly systemText: SystemText;
  /** A short text that is where the upstream has a place for system text and `systemText` puts none there. */
  readonly redundantSystem?: string;
  /** How the sections of system text in a user message are headed. */
  readonly systemLabels: SystemLabels;
  readonly inject: SystemTold;
  /** Whether the last message of the user ends with the form of a call. Not where templates say everything. */
  readonly reminder: boolean;
  /**
   * Which calls the server is told to let the model write. `auto`: where a request needs a call, one that fits, as far as the
   * server is known to take that, and where the answer has to be JSON, such a call or JSON that fits; `choice`: also where it
   * needs none, such a call or an answer, which the first words decide; `free`: also where it needs none, whatever begins as a
   * call is one that fits; `json`: where it needs one, as plain JSON, by the upstream's field for JSON, whatever is known of its
   * server; `off`: none.
   */
  readonly constrainCalls: Word<typeof promptWords, 'constrainCalls'>;
  readonly results: ResultRule;
  /** Whether the upstream reads images. Otherwise they are replaced by a note, with a warning. */
  readonly images: boolean;
  /** Whether a made-up exchange before the conversation shows the model the form of a call. */
  readonly exampleCall: boolean;
  /**
   * Templates by which everything is said in one text. Absent: messages go as messages. Not for native
   * calls.
   */
  readonly prompts?: Prompts;
}

/** How tool results are matched with their calls and worded. */
export interface ResultRule {
  readonly format: ResultFormat;
  /** `lenient`: what is missing or astray is repaired; `strict`: 400 `invalid-tool-results`. */
  readonly mode: Word<typeof resultWords, 'mode'>;
  /** The longest result in UTF-16 units; a note stands for what is left out of its middle. 0: no limit. */
  readonly maxLength: number;
  /** The same for all results of one round together: the longest ones are shortened. 0: no limit. */
  readonly maxRoundLength: number;
  /**
   * Results without a call, where the mode is lenient. `text`: kept as text of the user; `drop`: left out; `call`: a call
   * is made up for each; `auto`: `text` if no result found its call, else `drop`.
   */
  readonly orphans: Word<typeof resultWords, 'orphans'>;
  /** Whether a result that starts with `Error:` and has no explicit status counts as an error. */
  readonly errorPrefix: boolean;
  /** Status marks as plain words instead of symbols. */
  readonly ascii: boolean;
}

const { answers: __, ...parserWords } = policyWords;

/** The words that each field of a `CallPolicy` may be, where it is one of several. */
export const callPolicyWords = { ...parserWords, textAfterCalls: ['keep', 'drop'] } as const;

/**
 * What a model rule decides of calls: what counts as one, and what becomes of what does not. Whoever reads text decides by
 * most of it (`ParsePolicy` says how); two fields are also decided after that, for native replies as well.
 */
export interface CallPolicy extends Omit<ParsePolicy, 'names' | 'only' | 'maxCalls' | 'answers'> {
  /**
   * Whole calls in reasoning, where a reply ends well without any other call: never run, and not told; not run, but told
   * if the reply holds no answer either; or run.
   */
  readonly reasoning: ParsePolicy['reasoning'];
  /** As the parser's, but passed on by default: clients answer a call of an unknown tool with the names of those they have. */
  readonly undeclared: ParsePolicy['undeclared'];
  /** As the parser's, but left out by default: whoever asked for fewer calls has no use for the markup of more. */
  readonly surplus: ParsePolicy['surplus'];
  /** Default: the dialect's own. */
  readonly names?: ParsePolicy['names'];
  /** Default: as many as the client allows. */
  readonly maxCalls?: number;
  /** Text that a model writes after a call: delivered, or left out with a warning. */
  readonly textAfterCalls: (typeof callPolicyWords.textAfterCalls)[number];
}

const { maxCalls: _, ...byParser } = defaultParsePolicy;

/** What holds where a model rule says nothing. */
export const defaultCallPolicy: CallPolicy = {
  ...byParser,
  undeclared: 'forward',
  surplus: 'drop',
  textAfterCalls: 'keep',
};

/** The words that each field of a `FinalAnswerRule` may be. */
export const finalAnswerWords = {
  marks: ['auto', 'read', 'text'],
  withTools: ['run-tools', 'stop', 'drop-tools'],
} as const;

/** How marks of a final answer are read, which older agent prompts teach, and what they mean for calls beside it. */
export interface FinalAnswerRule {
  /** `auto`: read where the dialect's own prompts use them, or where the prompt names them. */
  readonly marks: (typeof finalAnswerWords.marks)[number];
  /**
   * Calls in a reply that holds a final answer: run as ever, delivered in a reply that ends with `stop`, or held back.
   */
  readonly withTools: (typeof finalAnswerWords.withTools)[number];
}

/** When a loop of tool calls is told of, or ended. What is left out has the default that `guardLimits` knows. */
export interface GuardRule {
  /** The most rounds of calls for one request of a person. 0: any number. */
  readonly rounds?: number;
  /** Whether a model that makes the same calls with the same results again and again is told, and then stopped. */
  readonly repeats?: boolean;
}

/** What `answers` of a `NudgeRule` may be. */
export const nudgedAnswers = ['auto', 'never', 'once'] as const;

/** Whether a model is asked again for what it requires: a call, or an answer of a form. */
export interface NudgeRule {
  /** So often for one reply that lacks a call. 0: never. */
  readonly max: number;
  /**
   * Whether it is asked once more for an answer that is not the JSON that was asked for: `never`, `once`, or `auto`: once,
   * where the form was asked for in words, by a field as well or not, and the client takes the answer as a whole, so that
   * waiting costs nothing.
   */
  readonly answers: (typeof nudgedAnswers)[number];
}

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

/** What is known of a model. Every field has a value: configuration fills what it leaves out from `defaultModelRule`. */
export interface ModelRule extends PromptRule {
  /**
   * `auto`: what fits, as `plan.ts` finds it out; `native`: the server takes tools; `text`: it gets none, the model is
   * taught the dialect that fits, and calls are read in all of them; a dialect: that one. On a wire that carries only text
   * `auto` is `text`, and `native` means that the model gets no tools.
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
  readonly callDeltas: Word<typeof ruleWords, 'callDeltas'>;
  /** `STATE:` lines, `FINAL:` marks and invented turns, which older agent prompts taught: text, or left out. */
  readonly legacyText: Word<typeof ruleWords, 'legacyText'>;
  /** `hide`: reasoning never reaches a client; `keep`: unless the client wants none. */
  readonly reasoning: Word<typeof ruleWords, 'reasoning'>;
  /** The efforts that the model knows; others become the nearest. Empty: none is sent. Absent: they go as they are. */
  readonly efforts?: readonly string[];
  /** The form of an answer is asked for by the upstream's own field, in words, or as `place-format.ts` decides. */
  readonly outputFormat: Word<typeof ruleWords, 'outputFormat'>;
  /** How the model samples where the request does not say. */
  readonly sampling: Sampling;
  readonly textGranularity: Granularity;
  readonly callGranularity: Granularity;
  /**
   * Whether streams pass byte for byte where client and upstream speak the same wire and nothing else changes them: from
   * the wire's vendor (`auto`), from whoever answers (`always`), or never. Other servers often need repairing.
   */
  readonly passthrough: Word<typeof ruleWords, 'passthrough'>;
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
  constrainCalls: 'auto',
  reasoning: 'keep',
  sampling: {},
  textGranularity: 'as-written',
  callGranularity: 'as-written',
  passthrough: 'auto',
  guards: {},
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
