import type { Dialect } from '../dialects/dialect.ts';
import type { CallIdStore } from '../stores/call-id-store.ts';
import type { ConversationStore } from '../stores/conversation-store.ts';
import type { FactStore } from '../stores/fact-store.ts';
import type { TurnQueue, TurnRules } from '../stores/turn-queue.ts';
import type { Transport } from '../stream/transport.ts';
import type { ListedModel, Quirks, UpstreamWire } from '../wires/wire.ts';
import type { Deadlines, GivenRule } from './rules.ts';

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
  /** It may be silent for as long as a whole answer takes, so that it may be asked for one. Default: it is asked for streams. */
  readonly answersWhole?: boolean;
  /** By the name that follows `upstream/`. */
  readonly models: ReadonlyMap<string, GivenRule>;
  /** The rule for models that have none of their own; absent: only models with a rule exist. */
  readonly anyModel?: GivenRule;
  /**
   * Of any models, only those that it lists, under these names or under ones that vendors have for the same, and none that was
   * another's (`ended`): nobody has configured that it may have requests.
   */
  readonly listedOnly?: boolean;
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
  /** Names that models had whose server has ended, each with what that was, such as `LM Studio at http://127.0.0.1:1234`. */
  readonly ended?: ReadonlyMap<string, string>;
  readonly defaultModel?: string | undefined;
  /** The most tools a request may declare. */
  readonly maxTools: number;
  /** The longest reply in bytes as they come from the upstream. */
  readonly maxReplyBytes: number;
  /** False: tools are stripped from every request (`TOOL_CALLING_ENABLED`). */
  readonly toolCalling: boolean;
  /** False: no loop of calls is told of or ended, whatever model rules say. Default: true. */
  readonly guards?: boolean;
  /** Counts the tokens of texts together when the upstream did not; of very long ones an even sample. */
  readonly countTokens: (texts: readonly string[]) => Promise<number>;
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
