/** What the model has written for a call so far, and the text that its markup holds. */
export class WrittenCall {
  /** What the model says inside the markup of the call, in front of it and behind it. */
  lead = '';
  trail = '';
  /** Offset of the reply where the lead ends, if nothing but the lead was said up to there. */
  #leadEnd: number | undefined;
  /** Offset of the reply where the call begins. */
  #at = 0;
  /** So many of its characters have left as the lead. */
  #left = 0;
  #padding = '';
  #pieces: string[] = [];
  #length = 0;

  /** A call begins at this offset of the reply. `padding` stands in front of it, and is text if it is none. */
  begin(at: number, padding: string): void {
    this.#at = at;
    this.#left = 0;
    this.#leadEnd = undefined;
    this.#padding = padding;
    this.lead = '';
    this.trail = '';
    this.#pieces = [];
    this.#length = 0;
  }

  add(text: string): void {
    this.#pieces.push(text);
    this.#length += text.length;
  }

  /** The markup holds text. `end`: offset of the reply up to where it says nothing else. */
  aside(text: string, place: 'lead' | 'trail', end?: number): void {
    this[place] += text;
    if (text !== '') this.#leadEnd = end ?? this.#leadEnd;
  }

  /** The lead leaves. Where the call breaks off, what it stood in is not shown again. */
  takeLead(): string {
    const { lead } = this;
    if (this.#leadEnd !== undefined) this.#left = this.#leadEnd - this.#at;
    this.lead = '';
    return lead;
  }

  /** In UTF-16 units, without the padding. */
  get length(): number {
    return this.#length;
  }

  /** The model's own characters for the call, without the padding and without what has left as the lead. */
  get text(): string {
    return this.#pieces.join('').slice(this.#left);
  }

  /** What was written from this offset of the reply on, and the offset where it ends. */
  since(offset: number): { readonly text: string; readonly end: number } {
    const end = this.#at + this.#length;
    let [at, index] = [end, this.#pieces.length];
    while (at > offset && index > 0) {
      index -= 1;
      at -= this.#pieces[index]?.length ?? 0;
    }
    return {
      text: this.#pieces
        .slice(index)
        .join('')
        .slice(Math.max(0, offset - at)),
      end,
    };
  }

  /** `text`, or all that was written, as it leaves if it is no call. */
  asText(text = this.text): string {
    return this.#padding + text;
  }

  /** The call has ended, or left as text: nothing is kept of it. */
  forget(): void {
    this.#pieces = [];
    this.#left = 0;
  }
}
