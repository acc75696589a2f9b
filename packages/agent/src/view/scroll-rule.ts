/** What a scrolling element says of itself, in pixels. */
export interface ScrollMeasure {
  readonly scrollTop: number;
  readonly clientHeight: number;
  readonly scrollHeight: number;
}

/** Whoever is as near to the bottom as this reads along. Pixels. */
const nearBottom = 50;

/** Whether the end of the content is in sight, or nearly. */
export function isAtBottom({ scrollTop, clientHeight, scrollHeight }: ScrollMeasure): boolean {
  return scrollHeight - scrollTop - clientHeight <= nearBottom;
}

/**
 * Whether a view goes along with what is written. It has to be asked before the content grows: afterwards, whoever read along
 * is no more at the bottom.
 */
export class ScrollRule {
  #hasNews = false;

  /** Whether there is something new that is out of sight: the button to jump there is to be shown. */
  get showsJump(): boolean {
    return this.#hasNews;
  }

  /** Tells whether to scroll to the bottom once the content has grown. `measure`: as it is before that. */
  beforeGrowth(measure: ScrollMeasure): boolean {
    const follows = isAtBottom(measure);
    if (!follows) this.#hasNews = true;
    else this.#hasNews = false;
    return follows;
  }

  /** Its person has scrolled, or has jumped to the newest. */
  scrolled(measure: ScrollMeasure): void {
    if (isAtBottom(measure)) this.#hasNews = false;
  }
}
