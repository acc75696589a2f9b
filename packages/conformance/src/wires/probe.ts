import type { Departure } from '../departures.ts';

export type WireId = 'openai-chat' | 'openai-completions' | 'openai-responses' | 'anthropic-messages' | 'ollama-chat';

/** A reply as far as all wires mean the same by it. */
export interface Answer {
  /** The reply's own id; absent where the wire has none. */
  readonly id?: string;
  readonly text: string;
  readonly calls: readonly AnsweredCall[];
  /** Whether token counts came. */
  readonly counted: boolean;
}

export interface AnsweredCall {
  /** Empty where the wire gives calls no ids. */
  readonly id: string;
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
}

/** What is in a conversation, in order. */
export type Entry =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly AnsweredCall[] }
  | { readonly role: 'results'; readonly results: readonly { readonly call: AnsweredCall; readonly text: string }[] };

/** A request in no wire's terms. */
export interface Turn {
  readonly model: string;
  readonly entries: readonly Entry[];
  readonly stream: boolean;
  /** Declares `readTool`; `named` also demands it. */
  readonly tool?: 'offered' | 'named';
  /** Asks for token counts in a stream, where that has to be asked for. */
  readonly usage?: boolean;
}

/** What a reply is judged by besides the rules of all. */
export interface Expectation {
  readonly usage?: boolean;
  readonly named?: boolean;
}

/** All that the checks know of one API. */
export interface WireProbe {
  readonly id: WireId;
  /** Below the server's root; some servers leave its `/v1` out. */
  readonly path: string;
  readonly streamType: 'text/event-stream' | 'application/x-ndjson';
  /** Whether token counts of a stream have to be asked for. */
  readonly usageOnDemand: boolean;
  headers(key: string): Readonly<Record<string, string>>;
  write(turn: Turn): Readonly<Record<string, unknown>>;
  /** A body whose conversation is of the wrong type. */
  writeWrongly(model: string): Readonly<Record<string, unknown>>;
  readStream(stream: string): Answer;
  readWhole(body: unknown): Answer;
  checkStream(stream: string, expectation: Expectation): readonly Departure[];
  checkWhole(body: unknown): readonly Departure[];
  checkError(body: unknown): readonly Departure[];
  readonly modelList: {
    readonly path: string;
    /** The ids in it; undefined when it is no list of this API. */
    read(body: unknown): readonly string[] | undefined;
  };
}

/** The one tool that the checks declare. */
export const readTool = {
  name: 'read_file',
  description: 'Reads a file and returns its text.',
  schema: {
    type: 'object',
    properties: { path: { type: 'string', description: 'The path of the file.' } },
    required: ['path'],
    additionalProperties: false,
  },
} as const;
