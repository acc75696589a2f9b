import {
  createEscapeSearch,
  type Escaped,
  escapeFirst,
  escapeJoiners,
  mostEscapes,
  refuseEscapes,
} from '../chat/escape.ts';
import { KnownTexts, Remembered } from '../chat/known-texts.ts';
import { madeOnce } from '../chat/made-once.ts';
import type { MarkerSearch, SearchedMarker } from '../chat/marker-search.ts';
import type { ToolDefinition } from '../chat/tool.ts';
import { keyOfTools } from '../chat/tools-key.ts';
import { reasoningMarkers, turnMarkers } from '../chat/turn-markers.ts';
import type { Dialect, PastCall, PastResult } from '../dialects/dialect.ts';
import { DragomanError } from '../errors.ts';
import { endOfString, isKey } from '../json/end-of-string.ts';
import { parsedJson } from '../json/parsed-json.ts';

/**
 * The most characters of what was said that are looked through for markers: about a million tokens, which is more than models
 * that call tools in text have room for; and no other request waits long.
 */
const longestSaid = 4_000_000;

/** Of these, the most in the arguments of calls, which most dialects write anew, value by value. */
const longestCalls = 2_000_000;

/** For each dialect, the markers of so many sets of tools are kept: an agent sends the same ones with every request. */
const mostKept = 4;

const tablesOf = madeOnce((_: Dialect) => new Remembered<MarkerTable>(mostKept));

/** By the markers, which most dialects have whatever the tools: so new tools need no new search. */
const searches = new Remembered<MarkerSearch>(mostKept);

/** More of them hold names of tools, and are hardly met again. */
const mostShared = 200;

/** The calls of a round as a model is told them. */
interface WrittenCalls {
  readonly calls: readonly PastCall[];
  readonly text: string;
  /** Places that were escaped in them. */
  readonly count: number;
}

/** Of all requests of the process, each by the markers that were escaped. */
let known = newKnown();

function newKnown() {
  return {
    texts: new KnownTexts<Escaped>((escaped, text) => (escaped.text === text ? 0 : escaped.text.length)),
    calls: new KnownTexts<WrittenCalls>(({ text }, key) => 2 * key.length + text.length, 0),
    results: new KnownTexts<string>(({ length }) => length),
  };
}

/** How many UTF-16 units of what was said are kept in memory as models are told them. */
export function rememberedCharacters(): number {
  return known.texts.units + known.calls.units + known.results.units;
}

/** Forgets them: what they are told as is found again where it is asked for. */
export function forgetTexts(): void {
  known = newKnown();
}

interface MarkerTable {
  readonly search: MarkerSearch;
  readonly longest: number;
}

/** What decides which markers are escaped. */
export interface SpeechMarkers {
  readonly dialect: Dialect;
  readonly tools: readonly ToolDefinition[];
  /** The dialect's markers count in any letter case. */
  readonly anyCase: boolean;
  /** What else is escaped. */
  readonly frames: readonly SearchedMarker[];
}

/**
 * Escapes what was said in one conversation, and counts: where nothing was ever said of tools, only word joiners. Throws
 * DragomanError `context-too-long` beyond four million characters, or two in calls, `bad-request` beyond `mostEscapes` places.
 */
export class EscapedSpeech {
  readonly #table: MarkerTable | undefined;
  #length = 0;
  #lengthOfCalls = 0;
  #count = 0;

  /** `markers`: absent where nothing was ever said of tools. */
  constructor(markers: SpeechMarkers | undefined) {
    this.#table = markers === undefined ? undefined : markerTableOf(markers);
  }

  /** Markers are escaped. */
  get isForeign(): boolean {
    return this.#table !== undefined;
  }

  /** How many places were escaped. */
  get count(): number {
    return this.#count;
  }

  escape(text: string): string {
    if (this.#table !== undefined) this.#length += text.length;
    if (this.#length > longestSaid) refuseLength('What was said has', longestSaid);
    return this.#escaped(text);
  }

  #escaped(text: string): string {
    if (this.#table === undefined) return this.escapeJoiners(text);
    const { search } = this.#table;
    return this.#counted(known.texts.of(text, () => escapeFirst(text, search), search));
  }

  /**
   * A round of past calls, which there is only in foreign text, with the strings of their arguments escaped, and what `write` makes of
   * them: made once for equal calls.
   */
  calls(given: readonly PastCall[], write: (calls: readonly PastCall[]) => string): WrittenCalls {
    const length = given.reduce((sum, call) => sum + call.arguments.length, 0);
    this.#length += length;
    this.#lengthOfCalls += length;
    if (this.#lengthOfCalls > longestCalls) refuseLength('Earlier calls have', longestCalls);
    const before = this.#count;
    const make = (): WrittenCalls => {
      const calls = given.map((call) => ({
        ...call,
        arguments: escapeStrings(call.arguments, (text) => this.#escaped(text)),
      }));
      return { calls, text: write(calls), count: this.#count - before };
    };
    const written = known.calls.of(given.map(keyOfCall).join(''), make, this.#table);
    this.#count = before;
    this.#counted(written);
    return written;
  }

  /** Escaped results of the calls that `calls` returned, as `write` tells them: of one that went well once for the same text. */
  results(given: readonly PastResult[], write: (results: readonly PastResult[]) => string): string {
    const [first] = given;
    if (first === undefined || given.length > 1 || first.status !== 'ok') return write(given);
    return known.results.of(first.text, () => write(given), first.call);
  }

  /** For texts of the client's own, whose markers stay: a word joiner in them would be taken out of the reply. */
  escapeJoiners(text: string): string {
    return this.#counted(escapeJoiners(text));
  }

  #counted({ text, count }: Escaped): string {
    this.#count += count;
    if (this.#count > mostEscapes) refuseEscapes();
    return text;
  }

  /** Whether texts hold a marker once a server has joined them, side by side or by a line break, that none of them holds alone. */
  joinToMarker(texts: readonly string[]): boolean {
    const table = this.#table;
    if (table === undefined) return false;
    return ['', '\n'].some((gap) => {
      const whole = texts.join(gap);
      let end = -gap.length;
      return texts.slice(0, -1).some((text) => {
        end += gap.length + text.length;
        return isCrossed(whole, end, table);
      });
    });
  }
}

/** Whether a marker begins before the place and ends after it. */
function isCrossed(text: string, place: number, { search, longest }: MarkerTable): boolean {
  const from = Math.max(0, place - longest);
  const before = search(text.slice(from, place), longest);
  const around = search(text.slice(from, place + longest), 2 * longest);
  return around.filter((at) => from + at < place).length > before.length;
}

/** Kept for a dialect and its tools. */
export function markerTableOf({ dialect, tools, anyCase, frames }: SpeechMarkers): MarkerTable {
  return tablesOf(dialect).of(JSON.stringify([anyCase, frames]) + keyOfTools(tools), () => {
    // What the dialect reads in a reply is escaped although no template takes it for a turn: a model that quotes it from a file
    // would call a tool, or the mark would be left out of what it says.
    const texts = [...turnMarkers, ...reasoningMarkers, ...dialect.markers(tools)];
    const make = () => createEscapeSearch([...texts.map((text) => ({ text, anyCase })), ...frames]);
    return {
      search: texts.length > mostShared ? make() : searches.of(JSON.stringify([anyCase, texts, frames]), make),
      longest: texts.reduce((most, { length }) => Math.max(most, length), 0),
    };
  });
}

/** All of a call, so that no other one has the same. */
function keyOfCall({ callId, name, arguments: json, ordinal, nativeId }: PastCall): string {
  return [callId, name, json, `${ordinal}`, nativeId].map((part) => `${part?.length} ${part}`).join('');
}

function refuseLength(what: string, most: number): never {
  throw new DragomanError(
    'context-too-long',
    `${what} more than ${most} characters, the most that a text model is told. Shorten the conversation, or begin a new one.`,
    { param: 'messages' },
  );
}

const quote = '"';

/** JSON text with every string value in it escaped; names of members, numbers and layout stay as they are written. */
function escapeStrings(json: string, escaping: (text: string) => string): string {
  const pieces: string[] = [];
  let done = 0;
  for (let at = json.indexOf(quote); at >= 0; at = json.indexOf(quote, at)) {
    const end = endOfString(json, at + 1) + 1;
    const value = isKey(json, end) ? undefined : readString(json.slice(at, end));
    const escaped = value === undefined ? undefined : escaping(value);
    if (escaped !== undefined && escaped !== value) {
      pieces.push(json.slice(done, at), JSON.stringify(escaped));
      done = end;
    }
    at = end;
  }
  return done === 0 ? json : pieces.join('') + json.slice(done);
}

/** What a client sends as arguments may be no JSON. */
function readString(json: string): string | undefined {
  const value = parsedJson(json);
  return typeof value === 'string' ? value : undefined;
}
