/** The words that each field of a `ParsePolicy` may be, where it is one of several. */
export const policyWords = {
  fences: ['text', 'fire'],
  reasoning: ['never', 'candidate', 'fire'],
  undeclared: ['forward', 'text', 'drop'],
  names: ['exact', 'normalised', 'nearest'],
  surplus: ['text', 'drop'],
  entities: ['raw', 'decode'],
  results: ['end', 'text'],
  answers: ['read', 'text'],
} as const;

type Word<Field extends keyof typeof policyWords> = (typeof policyWords)[Field][number];

/** What a parser may decide by, apart from the text itself. `defaultParsePolicy` says what holds where nothing is said. */
export interface ParsePolicy {
  /**
   * Call syntax that is shown (code fences and spans, indented code, quotations, `<pre>`, `<code>`, HTML comments): stays text
   * or fires.
   */
  readonly fences: Word<'fences'>;
  /**
   * Call syntax in reasoning: the first one of a span is reported (`candidate`, `fire`) or not. No dialect's parser runs it; what
   * reads whole replies does with `fire`, where one ends well without any other call.
   */
  readonly reasoning: Word<'reasoning'>;
  /** Calls to tools that were not declared: stay text, are passed on as calls, or are left out and reported. */
  readonly undeclared: Word<'undeclared'>;
  /**
   * How a name may differ from the declared one: not at all; in case, `-`/`_`, or a `functions.` prefix if only one tool
   * fits; or also by one or two letters. Default: the dialect's own.
   */
  readonly names: Word<'names'>;
  /** The only tool whose calls fire; those of others are surplus. Default: any tool. */
  readonly only?: string;
  /** The most calls that may fire in a reply. */
  readonly maxCalls: number;
  /** Calls beyond `maxCalls`, or of others than `only`: stay text, or are left out and reported. */
  readonly surplus: Word<'surplus'>;
  /**
   * Character references in string values that are written as text: stay as they are, or are decoded once if the value
   * holds no raw `<`, `>` or bare `&`, which shows that its writer escaped it.
   */
  readonly entities: Word<'entities'>;
  /** A result that the model makes up after a call: ends the reply there, or stays text. */
  readonly results: Word<'results'>;
  /**
   * `<final_answer>` around an answer, in any letter case, and a call of that name that nobody declared: the marks are
   * left out and the answer is text (`read`), or all of it stays as it was written (`text`). Without it, calls are read,
   * and tags where the dialect's own prompts use them.
   */
  readonly answers?: Word<'answers'>;
}

/** What holds where nothing is said. */
export const defaultParsePolicy: Omit<ParsePolicy, 'names'> = {
  fences: 'text',
  reasoning: 'candidate',
  undeclared: 'text',
  maxCalls: Number.POSITIVE_INFINITY,
  surplus: 'text',
  entities: 'raw',
  results: 'end',
};
