import MarkdownIt, { type StateInline, type Token } from 'markdown-it';
import { type DrawIcon, el, iconButton } from './dom.ts';

/** How many characters a wiki link may have. */
const longestLink = 500;

/**
 * Reads Markdown as Obsidian writes it, without HTML. What it gives is drawn node by node, so nothing that a model writes can
 * become an element, an attribute or a request that is not made here.
 */
const parser = new MarkdownIt({ html: false, linkify: true, breaks: true });
const deepest = 100;
parser.options.maxNesting = deepest;
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
parser.inline.ruler.before('link', 'wiki-link', readWikiLink);

/** `[[note]]`, `[[note#heading|words]]` and `![[note]]`, which is shown as a link, too. */
function readWikiLink(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  const from = src.startsWith('![[', pos) ? pos + 3 : src.startsWith('[[', pos) ? pos + 2 : -1;
  if (from === -1) return false;
  const inner = src.slice(from, from + longestLink);
  const end = inner.indexOf(']]');
  const text = inner.slice(0, end).split('\\|').join('|');
  if (end <= 0 || text.includes('\n') || text.includes('[')) return false;
  if (!silent) {
    const bar = text.indexOf('|');
    const token = state.push('wiki_link', 'a', 0);
    token.content = bar === -1 ? text : text.slice(bar + 1);
    token.attrSet('href', bar === -1 ? text : text.slice(0, bar));
  }
  state.pos = from + end + 2;
  return true;
}

/** What the reader finds beside blocks, such as `references`: addresses by their names. */
export type MarkdownScope = Record<string, unknown>;

/** A paragraph, list, table or other block that is in nothing else. */
export interface MarkdownBlock {
  readonly tokens: readonly Token[];
  /** The line on which it begins, counted from 0. */
  readonly line: number;
  /** It is a code fence, and goes on until its marker comes again. */
  readonly isFence: boolean;
  /** The line on which the last item of a list or the last row of a table begins. */
  readonly last?: number;
  /** So many lines in front belong to all rows of a table. */
  readonly head?: number;
  /** Its text, where it nests so deeply that it was not read to its end. */
  readonly plain?: string;
}

export function readBlocks(text: string, scope: MarkdownScope): readonly MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let open: Token[] = [];
  let depth = 0;
  let deep = 0;
  for (const token of parser.parse(text, scope)) {
    open.push(token);
    depth += token.nesting;
    deep = Math.max(deep, depth);
    if (depth > 0) continue;
    const [from, to] = open[0]?.map ?? [0, 0];
    const plain = deep < deepest ? {} : { plain: text.slice(startOfLine(text, from), startOfLine(text, to)) };
    blocks.push({ tokens: open, line: from, isFence: token.type === 'fence', ...lastOf(open), ...plain });
    open = [];
    deep = 0;
  }
  return blocks;
}

/** The last item of a list, or row of a table that has two or more. */
function lastOf(block: readonly Token[]): Pick<MarkdownBlock, 'last' | 'head'> {
  const isTable = block[0]?.type === 'table_open';
  const opener = isTable ? 'tr_open' : 'list_item_open';
  const last = block.findLast(({ type, level }) => type === opener && level === (isTable ? 2 : 1))?.map?.[0];
  if (last === undefined) return {};
  if (!isTable) return { last };
  const body = block.find(({ type }) => type === 'tbody_open')?.map?.[0];
  return body === undefined ? {} : { last, head: body - (block[0]?.map?.[0] ?? 0) };
}

/** Where a line begins, with all the ends of lines that Markdown has. */
export function startOfLine(text: string, line: number): number {
  let at = 0;
  for (let passed = 0; passed < line && at < text.length; passed += 1) {
    while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at += 1;
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
  }
  return at;
}

/** Draws all of a text. */
export function drawMarkdown(text: string, icon: DrawIcon): DocumentFragment {
  const drawn = document.createDocumentFragment();
  for (const block of readBlocks(text, {})) drawBlock(block, { into: drawn, icon });
  return drawn;
}

export interface DrawOptions {
  readonly into: Node;
  readonly icon: DrawIcon;
}

export function drawBlock({ tokens, plain }: MarkdownBlock, options: DrawOptions): void {
  if (plain === undefined) drawTokens(tokens, options);
  else options.into.appendChild(el('p', { class: 'dragoman-as-it-is' }, plain));
}

const tags: ReadonlySet<string> = new Set([
  ...['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td', 'em', 'strong', 's'],
]);

function drawTokens(tokens: readonly Token[], { into, icon }: DrawOptions): void {
  const open: Node[] = [into];
  const put = (node: Node) => open.at(-1)?.appendChild(node);
  for (const token of tokens) {
    if (token.nesting === -1) {
      if (open.length > 1) open.pop();
    } else if (token.nesting === 1) {
      const made = openerOf(token);
      put(made.outer);
      open.push(made.inner);
    } else if (token.type === 'inline') drawTokens(withTask(token.children ?? [], open), { into: here(open), icon });
    else put(leafOf(token, icon));
  }
}

const here = (open: readonly Node[]): Node => open.at(-1) ?? document.createDocumentFragment();

interface Opened {
  readonly outer: Node;
  /** Where what follows goes. */
  readonly inner: Node;
}

function openerOf(token: Token): Opened {
  const { tag, type } = token;
  if (type === 'link_open') return same(linkTo(attributeOf(token, 'href')));
  // The paragraphs of a tight list are there, but not seen.
  if (token.hidden || !tags.has(tag)) return same(el('span'));
  if (tag === 'table') {
    const inner = el('table');
    return {
      outer: el('div', { class: 'dragoman-wide', tabindex: '0', role: 'group', 'aria-label': 'Table' }, inner),
      inner,
    };
  }
  const made = document.createElement(tag);
  const start = token.attrGet('start');
  if (tag === 'ol' && start !== null) made.setAttribute('start', String(Number(start)));
  for (const side of ['center', 'right']) {
    if (token.attrGet('style') === `text-align:${side}`) made.classList.add(`dragoman-${side}`);
  }
  return same(made);
}

const attributeOf = (token: Token, name: string) => String(token.attrGet(name) ?? '');

const same = (node: Node): Opened => ({ outer: node, inner: node });

function leafOf(token: Token, icon: DrawIcon): Node {
  const { type, content } = token;
  switch (type) {
    case 'softbreak':
    case 'hardbreak':
      return el('br');
    case 'hr':
      return el('hr');
    case 'code_inline':
      return el('code', {}, content);
    case 'fence':
    case 'code_block':
      return drawCode(content, { language: token.info.trim().split(' ', 1)[0] ?? '', icon });
    case 'wiki_link': {
      const link = noteLink(attributeOf(token, 'href'));
      link.append(content);
      return link;
    }
    case 'image': {
      // Nothing is loaded by being shown: an address can carry away what a model has read.
      const link = linkTo(attributeOf(token, 'src'));
      link.append(content === '' ? 'image' : content);
      return link;
    }
    default:
      return document.createTextNode(content);
  }
}

/** A link that tells where it leads. To anything but pages, mail and notes there is none: only the words stay. */
function linkTo(href: string): HTMLElement {
  const colon = href.indexOf(':');
  const scheme = colon === -1 ? '' : href.slice(0, colon + 1).toLowerCase();
  if (scheme === 'http:' || scheme === 'https:' || scheme === 'mailto:') {
    return el('a', { class: 'external-link', href, title: href, target: '_blank', rel: 'noopener noreferrer' });
  }
  if (scheme !== '' || href === '' || href.startsWith('//')) return el('span');
  return noteLink(decoded(href));
}

function noteLink(link: string): HTMLElement {
  return el('a', { class: 'internal-link', href: '#', 'data-href': link, title: link });
}

/** The note that was clicked on, in whatever was drawn here. */
export function noteOf(event: Event): string | undefined {
  const { target } = event;
  const link = target instanceof Node ? (target instanceof Element ? target : target.parentElement) : null;
  return link?.closest<HTMLElement>('a.internal-link')?.dataset.href;
}

function decoded(href: string): string {
  try {
    return decodeURI(href);
  } catch {
    return href;
  }
}

/** Code with a button that copies it. */
function drawCode(
  text: string,
  { language, icon }: { readonly language: string; readonly icon: DrawIcon },
): HTMLElement {
  const code = el('code', {}, text);
  const copy = iconButton(
    { icon: 'copy', label: 'Copy code', onclick: () => void copyText(code.textContent ?? '', copy) },
    icon,
  );
  const label = language === '' ? [] : [el('span', { class: 'dragoman-language' }, language)];
  const pre = el('pre', { tabindex: '0' }, code);
  return el('div', { class: 'dragoman-code' }, el('div', { class: 'dragoman-code-bar' }, ...label, copy), pre);
}

/** Copies, and says so on the button. */
export async function copyText(text: string, button: HTMLElement): Promise<void> {
  const label = button.getAttribute('aria-label') ?? '';
  const view = button.ownerDocument.defaultView;
  if (view === null || button.classList.contains('is-copied')) return;
  try {
    await view.navigator.clipboard.writeText(text);
    button.setAttribute('aria-label', 'Copied');
  } catch {
    button.setAttribute('aria-label', 'Could not copy');
  }
  button.classList.add('is-copied');
  view.setTimeout(() => {
    button.setAttribute('aria-label', label);
    button.classList.remove('is-copied');
  }, 1_500);
}

/** `[ ]` and `[x]` at the beginning of an item of a list are boxes. */
function withTask(children: readonly Token[], open: readonly Node[]): readonly Token[] {
  const item = open.findLast((node) => node.nodeName === 'LI');
  const [first, ...rest] = children;
  if (item === undefined || first?.type !== 'text' || item.textContent !== '') return children;
  const mark = first.content.slice(0, 4).toLowerCase();
  if (mark !== '[ ] ' && mark !== '[x] ') return children;
  const isDone = mark === '[x] ';
  const box = el('input', {
    type: 'checkbox',
    class: 'task-list-item-checkbox',
    'aria-label': isDone ? 'done' : 'to do',
    disabled: true,
    checked: isDone,
  });
  here(open).appendChild(box);
  const text: Token = Object.assign(Object.create(Object.getPrototypeOf(first)), first, {
    content: first.content.slice(4),
  });
  return [text, ...rest];
}
