import { type Mend, mends } from '../../parser/call-warnings.ts';
import { MarkerTrie } from '../../parser/markers/marker-trie.ts';

/** What opens and closes a string. */
export interface Quote {
  readonly literal: string;
  /** A backslash escapes what is behind it. */
  readonly escapes: boolean;
}

/** How a language writes calls and literals. */
export interface LiteralSyntax {
  readonly quotes: MarkerTrie<Quote>;
  /** In front of a name, if anything; may be missing. */
  readonly prefix: string;
  /** What is wrong where it is missing. Default: nothing. */
  readonly prefixMissing?: Mend;
  /** What a name has to end with, if anything. */
  readonly suffix: string;
  /** What opens and closes the arguments: the language's own brackets, then what else models write. */
  readonly brackets: readonly (readonly [open: string, close: string])[];
  /** The signs that may stand between a parameter and its value. */
  readonly assign: string;
  /** Arguments without a name take the schema's properties in their order. */
  readonly positional: boolean;
  /** A word that is no number and no constant is a string. */
  readonly bareStrings: boolean;
}

const quotes = (literals: readonly string[], escapes: boolean) =>
  literals.map((literal) => [literal, { literal, escapes }] as const);

/** Python: `name(key="value", n=1)`. JSON's constants count beside Python's. */
export const python: LiteralSyntax = {
  quotes: new MarkerTrie(quotes(['"""', "'''", '"', "'"], true)),
  prefix: '',
  suffix: '',
  brackets: [['(', ')']],
  assign: '=',
  positional: true,
  bareStrings: false,
};

/**
 * Gemma: `call:name{key:QvalueQ,n:1}`, where Q is a token. Quotation marks count beside it. Under a long prompt its models
 * fall into the brackets of Python, with either sign.
 */
export function gemma(quote: string): LiteralSyntax {
  return {
    quotes: new MarkerTrie([...quotes([quote], false), ...quotes(['"', "'"], true)]),
    prefix: 'call:',
    prefixMissing: mends.header,
    suffix: '',
    brackets: [
      ['{', '}'],
      ['(', ')'],
    ],
    assign: ':=',
    positional: false,
    bareStrings: true,
  };
}
