import type { ParsePolicy } from '../dialect.ts';
import type { CallWriter } from './call-writer.ts';
import type { MarkerTrie } from './marker-trie.ts';
import type { Resume } from './pair-markers.ts';
import type { Scanner } from './scanner.ts';

/**
 * How far a reader has come. `more`: all that can be decided is consumed. `done`: the call is over. `again`: the call is
 * over and another one stands here. `broken`: what stands here cannot stand here.
 */
export type Progress = 'more' | 'done' | 'again' | 'broken';

/**
 * Reads one call behind its opener, consuming from the scanner and telling the call writer what it finds. When the
 * scanner has ended, `more` means that the call is incomplete.
 */
export interface CallReader {
  read(scanner: Scanner): Progress;
  /** The call is broken: where reading goes on. Without it, behind what was read. */
  resume?: (raw: string) => Resume;
}

/** A call does start here; `end` is the index behind what opens it. */
export interface Opening {
  readonly end: number;
  read(call: CallWriter): CallReader;
}

/** Decides whether a call starts at `index`, where an opener's literal of `length` has been found. Consumes nothing. */
export type Open = (scanner: Scanner, index: number, length: number) => Opening | 'no' | 'more';

/** What a marker in visible text means. */
export type Marker =
  | { readonly kind: 'opener'; readonly open: Open }
  /** Opens a section of calls. It counts only if one of `followers` stands behind it after white space. */
  | { readonly kind: 'section'; readonly followers: MarkerTrie<true> }
  /** Closes a section, or a call or a value that had no opener. */
  | { readonly kind: 'closer'; readonly of: 'section' | 'call' | 'value' }
  | { readonly kind: 'reasoning'; readonly close: string }
  | { readonly kind: 'reasoning-closer' }
  /** Opens a tool's result, which only we may write. */
  | { readonly kind: 'result' }
  /** Ends a turn; dropped at the end of a reply. */
  | { readonly kind: 'turn-end' }
  /** Means nothing and is never shown. */
  | { readonly kind: 'silent' };

/** A dialect's table of markers and its switches. */
export interface Grammar {
  readonly markers: MarkerTrie<Marker>;
  readonly names: ParsePolicy['names'];
}

/** The reasoning markers that prompt-taught models share, as entries of a marker table. */
export const thinkMarkers: readonly (readonly [string, Marker])[] = [
  ['<think>', { kind: 'reasoning', close: '</think>' }],
  ['<thinking>', { kind: 'reasoning', close: '</thinking>' }],
  ['</think>', { kind: 'reasoning-closer' }],
  ['</thinking>', { kind: 'reasoning-closer' }],
];
