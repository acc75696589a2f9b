import { withoutStateLines } from '@dragoman/agent';
import type { DrawIcon } from './dom.ts';
import {
  drawBlock,
  drawMarkdown,
  type MarkdownBlock,
  type MarkdownScope,
  readBlocks,
  startOfLine,
} from './markdown.ts';

/** A block that is no longer than this is drawn anew each time that something comes. UTF-16 units. */
const shortBlock = 4_000;
/** A longer one whenever it has grown by this share, so that all the work for it is linear. */
const growth = 1 / 16;

/**
 * Markdown that is still being written. Blocks that are over stay as they are, and so do items of a long list and rows of a long
 * table; only the last one is drawn anew, and of a long one what comes is as plain text after it until it is.
 */
export class GrowingMarkdown {
  readonly #element: HTMLElement;
  readonly #icon: DrawIcon;
  /** From the beginning of the last block; of a long list or table, what is still open of it. */
  #tail = '';
  /** How much of it is drawn as Markdown. */
  #drawn = 0;
  #open: Node[] = [];
  #last: MarkdownBlock | undefined;
  #plain: Text | undefined;
  #hasReferences = false;
  /** What holds the items of a long list, or the rows of a long table: those before the tail are over. */
  #holder: Element | undefined;

  constructor(element: HTMLElement, icon: DrawIcon) {
    this.#element = element;
    this.#icon = icon;
  }

  add(text: string): void {
    this.#tail += text;
    if (this.#isDue(text)) this.#draw();
    else this.#append(text);
  }

  /** Nothing more comes; `whole` is all that came. */
  end(whole: string): void {
    this.#draw();
    // Addresses that come after the words which name them are only known now.
    if (this.#hasReferences) this.#element.replaceChildren(drawMarkdown(withoutStateLines(whole), this.#icon));
  }

  #isDue(text: string): boolean {
    // What is in a fence is as it is, until its marker comes.
    if (this.#last?.isFence === true) return text.includes('`') || text.includes('~');
    return this.#drawn < shortBlock || this.#tail.length - this.#drawn >= this.#drawn * growth;
  }

  #draw(): void {
    this.#tail = withoutStateLines(this.#tail);
    // Nothing of it is kept: an address may be half written.
    const scope: MarkdownScope = {};
    const blocks = readBlocks(this.#tail, scope);
    this.#hasReferences ||= scope.references !== undefined;
    for (const node of this.#open) node.parentNode?.removeChild(node);
    this.#open = [];
    this.#plain = undefined;
    for (const block of blocks) {
      const drawn = document.createDocumentFragment();
      drawBlock(block, { into: drawn, icon: this.#icon });
      this.#put(drawn, block);
    }
    this.#last = blocks.at(-1);
    this.#tail = this.#last === undefined ? this.#tail : this.#openOf(this.#last);
    this.#drawn = this.#tail.length;
  }

  #put(drawn: DocumentFragment, block: MarkdownBlock): void {
    const items = itemsIn(drawn.firstElementChild);
    const goesOn = this.#holder !== undefined && block.last !== undefined && items?.nodeName === this.#holder.nodeName;
    if (!goesOn) this.#holder = undefined;
    this.#open = [...(goesOn ? (items?.childNodes ?? []) : drawn.childNodes)];
    (this.#holder ?? this.#element).append(...this.#open);
  }

  /** What of the last block may still become something else. Of a long list or table, all items but the last are over. */
  #openOf({ line, last, head = 0, plain }: MarkdownBlock): string {
    const from = (start: number) => this.#tail.slice(startOfLine(this.#tail, start));
    const whole = from(line);
    const [first] = this.#open;
    const holder = this.#holder ?? (first instanceof Element ? itemsIn(first) : undefined);
    const isLong = this.#holder !== undefined || whole.length > shortBlock;
    if (last === undefined || plain !== undefined || holder === undefined || !isLong) return whole;
    this.#holder = holder;
    this.#open = [...holder.childNodes].slice(-1);
    return whole.slice(0, startOfLine(whole, head)) + from(last);
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

/** A list, or the body of a table as it is drawn. */
function itemsIn(block: Element | null): Element | undefined {
  if (block === null) return undefined;
  return ['UL', 'OL'].includes(block.nodeName) ? block : (block.querySelector(':scope > table > tbody') ?? undefined);
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
