const less = 60;
const dash = 45;
const more = 62;
const ends: readonly number[] = [...' \n\r\t>'].map((end) => end.charCodeAt(0));

/** What opens or closes something in HTML whose text is shown and not meant. */
export type HtmlTag = '<pre' | '</pre' | '<code' | '</code' | '<!--' | '-->';

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

/** The place behind this beginning of a tag, in either letter case; made where there is none. */
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

  /** Nothing stands here that may become a tag. */
  get isIdle(): boolean {
    return this.#seen === idle;
  }

  /** The tag that this character shows: the last one of a comment's mark, or the one behind a name. */
  read(code: number): HtmlTag | undefined {
    if (this.#seen === idle && code !== less && code !== dash) return undefined;
    const step = this.#seen.get(code) ?? idle.get(code);
    this.#seen = step?.to ?? idle;
    return step?.tag;
  }

  /** What stands behind here does not go on with what stands before. */
  reset(): void {
    this.#seen = idle;
  }
}
