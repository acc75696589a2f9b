import { withoutStateLines } from '@dragoman/agent';
import type { DrawIcon } from './dom.ts';
import { drawBlock, type MarkdownBlock, type MarkdownScope, readBlocks, startOfLine } from './markdown.ts';

/** A block that is no longer than this is drawn anew each time that something comes. UTF-16 units. */
const shortBlock = 4_000;
/** A longer one whenever it has grown by this share, so that all the work for it is linear. */
const growth = 1 / 16;

/**
 * Markdown that is still being written. Blocks that are over stay as they are; only the last one is drawn anew, and of a long one
 * what comes stands as plain text behind it until it is.
 */
export class GrowingMarkdown {
  readonly #element: HTMLElement;
  readonly #icon: DrawIcon;
  readonly #scope: MarkdownScope = {};
  /** From the beginning of the last block. */
  #tail = '';
  /** How much of it is drawn as Markdown. */
  #drawn = 0;
  #open: Node[] = [];
  #last: MarkdownBlock | undefined;
  #plain: Text | undefined;

  constructor(element: HTMLElement, icon: DrawIcon) {
    this.#element = element;
    this.#icon = icon;
  }

  add(text: string): void {
    this.#tail += text;
    if (this.#isDue(text)) this.#draw();
    else this.#append(text);
  }

  /** Nothing more comes. */
  end(): void {
    this.#draw();
  }

  #isDue(text: string): boolean {
    // What stands in a fence is as it is, until its marker comes.
    if (this.#last?.isFence === true) return text.includes('`') || text.includes('~');
    return this.#drawn < shortBlock || this.#tail.length - this.#drawn >= this.#drawn * growth;
  }

  #draw(): void {
    this.#tail = withoutStateLines(this.#tail);
    const blocks = readBlocks(this.#tail, this.#scope);
    for (const node of this.#open) node.parentNode?.removeChild(node);
    this.#open = [];
    this.#plain = undefined;
    for (const block of blocks) {
      const into = document.createDocumentFragment();
      drawBlock(block, { into, icon: this.#icon });
      if (block === blocks.at(-1)) this.#open = [...into.childNodes];
      this.#element.append(into);
    }
    this.#last = blocks.at(-1);
    this.#tail = this.#tail.slice(startOfLine(this.#tail, this.#last?.line ?? 0));
    this.#drawn = this.#tail.length;
  }

  #append(text: string): void {
    if (this.#plain === undefined) {
      this.#plain = document.createTextNode('');
      const holder = holderOf(this.#open.at(-1) ?? this.#element);
      holder.appendChild(this.#plain);
      if (holder === this.#element) this.#open.push(this.#plain);
    }
    this.#plain.appendData(text);
  }
}

const blocks = new Set(['UL', 'OL', 'LI', 'P', 'BLOCKQUOTE', 'PRE', 'DIV']);

/** The last element within a block that holds words. Not a cell: a page that has one cell changed measures all of its table. */
function holderOf(block: Node): Node {
  let holder = block;
  for (;;) {
    const last: Node | null = holder instanceof Element ? holder.lastElementChild : null;
    if (last === null) return holder;
    if (!blocks.has(last.nodeName) && !(last.nodeName === 'CODE' && holder.nodeName === 'PRE')) return holder;
    holder = last;
  }
}
