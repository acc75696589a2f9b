import type { WarningCode } from '../chat/warning.ts';
import type { SchemaView } from './schema.ts';

/** The longest key, white space after a comma, or string to be coerced, in UTF-16 units; longer is broken. */
export const maxHeld = 1 << 20;

/** `open`: the value is not complete; `broken`: a character came that cannot be at its place. */
export type ReaderState = 'open' | 'done' | 'broken';

/**
 * Whether a quotation mark ends the string that it is in. `no`: it is part of the string, whose writer has not escaped it;
 * `unclear`: both readings are whole, and nobody can tell which one was meant.
 */
export type QuoteEnd = 'yes' | 'no' | 'unclear' | 'more';

/** What is known of the text after a value. */
export interface AfterValue {
  /** No more text comes. */
  readonly ended: () => boolean;
  /** Closers, after which the value is over, may come before brackets that are missing. Is one at `index`? */
  readonly closes: (index: number) => QuoteEnd;
  /**
   * Is the value, which is whole, over at `index`? `repaired`: a string in it holds quotation marks, so that only the end of the
   * reply, or what surely belongs to the call, tells that it is.
   */
  readonly ends: (index: number, closing: { readonly brackets: string; readonly repaired: boolean }) => QuoteEnd;
  /** May a string hold a quotation mark at `index` that nobody escaped? It is told then. */
  readonly mayHold: (index: number) => boolean;
}

/** What a reader of JSON is told, and where its output goes. */
export interface ReaderOptions {
  readonly schema: SchemaView;
  /** Takes JSON text as it becomes certain; at most one piece per read. */
  readonly emit: (json: string) => void;
  readonly warning: (code: WarningCode, message: string) => void;
  /** Hears each key of the value itself where that is an object; one that comes twice only once. */
  readonly member?: (key: string) => void;
  /** The value has to be an object, which may also be missing, `null`, or in doubled braces. Default: any value. */
  readonly onlyObject?: boolean;
  /** What comes after the value: with it, quotation marks are read that nobody escaped. Default: each one ends its string. */
  readonly after?: AfterValue | undefined;
}

/** A value as JSON text, and whether it had to be brought to its schema, could not be, or held a key twice. */
export interface Coerced {
  readonly json: string;
  readonly warning?: 'value-coerced' | 'value-kept' | 'parameter-repeated';
}

/** As for a reader, with the coercion that is handed in. */
export interface MachineOptions extends ReaderOptions {
  /** Brings the text of a string to a schema that admits no string. */
  readonly coerce: (text: string, schema: SchemaView) => Coerced;
}
