import { isAtBottom, ScrollRule } from '@dragoman/agent';
import { type DrawIcon, el, iconOf } from './dom.ts';

/**
 * The place where messages stand, one below the other. It goes along with what is written only for whoever is at its end, and
 * otherwise offers to jump there.
 */
export class MessageLog {
  readonly element: HTMLElement;
  /** What messages go into. */
  readonly content = el('div', { class: 'dragoman-messages' });
  readonly #scroller: HTMLElement;
  readonly #jump: HTMLButtonElement;
  readonly #rule = new ScrollRule();
  readonly #resized: ResizeObserver;
  /** How it stood when it was last looked at. */
  #isAtEnd = true;
  #top = 0;

  constructor(icon: DrawIcon) {
    this.#scroller = el(
      'div',
      {
        class: 'dragoman-log',
        role: 'log',
        'aria-label': 'Messages',
        // The panel says what a screen reader has to know; every piece of an answer would be too much.
        'aria-live': 'off',
        tabindex: '0',
        onscroll: () => this.#scrolled(),
      },
      this.content,
    );
    this.#jump = el(
      'button',
      { type: 'button', class: 'dragoman-button dragoman-jump', hidden: true, onclick: () => this.jump() },
      iconOf('arrow-down', icon),
      'Newest',
    );
    this.element = el('div', { class: 'dragoman-log-frame' }, this.#scroller, this.#jump);
    // A composer that grows must not hide the end from whoever reads it.
    this.#resized = new ResizeObserver(() => {
      if (this.#isAtEnd) this.#toEnd();
    });
    this.#resized.observe(this.#scroller);
  }

  /** Does what makes the content longer. */
  grow(work: () => void): void {
    const follows = this.#rule.beforeGrowth(this.#scroller);
    work();
    if (follows) this.#toEnd();
    this.#showJump();
  }

  /** Does what makes the content longer above all that is seen. */
  growAbove(work: () => void): void {
    const { scrollTop, scrollHeight } = this.#scroller;
    work();
    this.#scroller.scrollTop = scrollTop + this.#scroller.scrollHeight - scrollHeight;
  }

  /** To the newest, wherever its person is. */
  jump(): void {
    const hadFocus = this.#jump === this.#jump.ownerDocument.activeElement;
    this.#toEnd();
    this.#scrolled();
    if (hadFocus) this.#scroller.focus();
  }

  /** It is in the page again, where it had lost its place. */
  restore(): void {
    if (this.#isAtEnd) this.#toEnd();
    else this.#scroller.scrollTop = this.#top;
  }

  setBusy(isBusy: boolean): void {
    this.#scroller.setAttribute('aria-busy', String(isBusy));
  }

  close(): void {
    this.#resized.disconnect();
  }

  #toEnd(): void {
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#isAtEnd = true;
  }

  #scrolled(): void {
    if (!this.#scroller.isConnected) return;
    this.#isAtEnd = isAtBottom(this.#scroller);
    this.#top = this.#scroller.scrollTop;
    this.#rule.scrolled(this.#scroller);
    this.#showJump();
  }

  #showJump(): void {
    if (this.#jump.hidden === this.#rule.showsJump) this.#jump.hidden = !this.#rule.showsJump;
  }
}
