import { isSpace } from '../../../json/json-characters.ts';
import type { FenceRun } from './fenced-code.ts';

const more = 62;
const fenceLength = 3;

/** What is open. */
type Kind = 'none' | 'span' | 'pre' | 'code' | 'comment' | 'mention';

/** How long it lasts where nothing closes it. */
type Lasts = 'line' | 'paragraph' | 'reply';

const openedBy: ReadonlyMap<HtmlTag, Exclude<Kind, 'none' | 'span' | 'mention'>> = new Map([
  ['<pre', 'pre'],
  ['<code', 'code'],
  ['<!--', 'comment'],
]);
const closedBy: ReadonlyMap<HtmlTag, Kind> = new Map([
  ['</pre', 'pre'],
  ['</code', 'code'],
  ['-->', 'comment'],
]);

/**
 * What is between two marks in a Markdown text: code spans, `<pre>` and `<code>`, HTML comments; and calls that a
 * sentence mentions. One is in another as text.
 *
 * A mark without its counterpart must not hide a call for long. As in CommonMark, `<pre>` and comments that begin a line
 * last until they are closed, all others at most to the end of their paragraph. Where the model calls in its own text, so
 * long only if a line break comes directly after the mark, or as long as a call is open that it hides, else to the end
 * of the line; and back-ticks that look like no opening ones hide only what comes directly after them. A call that is
 * mentioned hides the rest of its line, and as long as it is open.
 */
export class CodeSpans {
  readonly #strict: boolean;
  #kind: Kind = 'none';
  #lasts: Lasts = 'line';
  /** The back-ticks that opened a span. With several of them one writes white space before code that begins with another one. */
  #length = 0;
  #startsLine = false;
  /** A marker in it is code. */
  #holds = false;
  /** A marker is in it. */
  #quotes = false;
  /** What markers in it open, less what they close. */
  #depth = 0;
  /** In the tag that opens it. */
  #inTag = false;
  /** Nothing is between what opened it and here. */
  #isDirect = false;

  /** `strict`: whatever may be code is. */
  constructor(strict: boolean) {
    this.#strict = strict;
  }

  get kind(): Kind {
    return this.#kind;
  }

  /** It goes on across all other Markdown. */
  get isBlock(): boolean {
    return this.#kind !== 'none' && this.#lasts === 'reply';
  }

  /** A marker is in it: what looks like other Markdown there belongs to what is shown. */
  get quotes(): boolean {
    return this.#kind !== 'none' && this.#quotes;
  }

  /** No character but `markdownMarks` changes anything in it. */
  get isSteady(): boolean {
    if (this.#kind === 'none') return true;
    return this.#kind !== 'comment' && !this.#isDirect && !this.#inTag;
  }

  /** These back-ticks close what is open. */
  closesWith({ length }: FenceRun): boolean {
    return this.#kind === 'span' && length === this.#length;
  }

  /** Back-ticks are here, and after them another character. */
  readRun(run: FenceRun, after: number): void {
    if (this.#kind === 'none') this.#openSpan(run, after);
    else if (this.closesWith(run)) this.close();
    else this.#isDirect = false;
  }

  /** This tag is here; `isWhole`: to its end, else up to its attributes. Returns whether it opens something. */
  openTag(tag: HtmlTag, { startsLine, isWhole }: { readonly startsLine: boolean; readonly isWhole: boolean }): boolean {
    const kind = openedBy.get(tag);
    if (kind === undefined || this.#kind !== 'none') return false;
    this.#kind = kind;
    this.#length = 0;
    this.#holds = true;
    this.#startsLine = startsLine;
    this.#inTag = !isWhole;
    this.#isDirect = isWhole;
    if (startsLine && kind !== 'code') this.#lasts = 'reply';
    else this.#lasts = this.#strict || startsLine || kind === 'comment' ? 'paragraph' : 'line';
    return true;
  }

  /** A call is mentioned here. */
  openMention(): void {
    this.#kind = 'mention';
    this.#lasts = 'line';
    this.#length = 0;
    this.#holds = true;
    this.#quotes = true;
    this.#depth = 1;
    this.#inTag = false;
  }

  closeTag(tag: HtmlTag): void {
    if (this.#kind !== 'none' && closedBy.get(tag) === this.#kind) this.close();
  }

  close(): void {
    this.#kind = 'none';
    this.#quotes = false;
    this.#depth = 0;
  }

  /** The text goes on with this character, which is no back-tick. */
  read(code: number): void {
    if (this.#kind === 'none') return;
    if (!this.#inTag) this.#isDirect &&= this.#length > 1 && isSpace(code);
    else if (code === more) {
      this.#inTag = false;
      this.#isDirect = true;
    }
  }

  endLine(wasBlank: boolean): void {
    if (this.#kind === 'none' || this.#lasts === 'reply') return;
    if (wasBlank || (this.#lasts === 'line' && !this.#goesOn())) this.close();
    else if (!this.#quotes) {
      this.#holds = true;
      this.#lasts = 'paragraph';
    }
    this.#isDirect = false;
  }

  /** A marker is here: is it part of code? */
  holdsMarker(): boolean {
    if (this.#kind === 'none') return false;
    this.#holds ||= this.#isDirect;
    this.#quotes ||= this.#holds;
    return this.#holds;
  }

  /** A marker in it opens something that another one closes (1), or closes it (-1). */
  nest(by: 1 | -1): void {
    if (this.#kind !== 'none') this.#depth = Math.max(0, this.#depth + by);
  }

  #openSpan({ length, startsLine, afterWord }: FenceRun, after: number): void {
    this.#kind = 'span';
    this.#length = length;
    this.#startsLine = startsLine;
    this.#lasts = this.#strict ? 'paragraph' : 'line';
    this.#holds = this.#strict || (!afterWord && !isSpace(after));
    this.#isDirect = true;
    this.#inTag = false;
  }

  /** Does what lasts for its line go on after it? With a call that is still open, or where the line break belongs to it. */
  #goesOn(): boolean {
    if (this.#quotes) return this.#depth > 0;
    if (this.#kind !== 'span') return this.#isDirect;
    const isFence = this.#length >= fenceLength;
    return (this.#isDirect && (isFence || this.#startsLine)) || (isFence && this.#holds);
  }
}

const less = 60;
const dash = 45;
const ends: readonly number[] = [...' \n\r\t>'].map((end) => end.charCodeAt(0));

/** What opens or closes something in HTML whose text is shown and not meant. */
type HtmlTag = '<pre' | '</pre' | '<code' | '</code' | '<!--' | '-->';

/** What has been seen of tags that begin alike: what each character that goes on with one of them leads to. */
type Beginning = Map<number, { readonly to: Beginning; readonly tag?: HtmlTag }>;

/** Nothing has been seen. */
const idle: Beginning = new Map();

for (const tag of ['<pre', '</pre', '<code', '</code'] as const) {
  const name = follow(tag);
  for (const end of ends) name.set(end, { to: idle, tag });
}
// The dashes that open a comment may close it, too, and so may the last two of many: `<!-->`, `--->`.
const dashes = follow('--');
dashes.set(dash, { to: dashes });
dashes.set(more, { to: idle, tag: '-->' });
follow('<!-').set(dash, { to: dashes, tag: '<!--' });

/** The place after this beginning of a tag, in either letter case; made where there is none. */
function follow(seen: string): Beginning {
  let place = idle;
  for (const letter of seen) {
    const step = place.get(letter.charCodeAt(0)) ?? { to: new Map() };
    for (const each of [letter, letter.toUpperCase()]) place.set(each.charCodeAt(0), step);
    place = step.to;
  }
  return place;
}

/** Finds the tags of code and comments in a text, one character at a time, in either letter case. */
export class HtmlTags {
  /** What may still become a tag. */
  #seen = idle;

  /** Nothing is here that may become a tag. */
  get isIdle(): boolean {
    return this.#seen === idle;
  }

  /** The tag that this character shows: the last one of a comment's mark, or the one after a name. */
  read(code: number): HtmlTag | undefined {
    if (this.#seen === idle && code !== less && code !== dash) return undefined;
    const step = this.#seen.get(code) ?? idle.get(code);
    this.#seen = step?.to ?? idle;
    return step?.tag;
  }

  /** What follows does not go on with what came before. */
  reset(): void {
    this.#seen = idle;
  }
}
