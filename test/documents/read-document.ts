import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A fenced block of a document. */
export interface Block {
  /** The document's path, for messages. */
  readonly document: string;
  /** Of the opening fence, from one. */
  readonly line: number;
  /** The first word after the fence, such as `sh`; empty when there is none. */
  readonly language: string;
  /** What the test does with the block: the second word, such as `run`; empty when there is none. */
  readonly use: string;
  /** The third word: which of several such blocks it is. */
  readonly name: string;
  readonly text: string;
}

export interface Link {
  readonly line: number;
  readonly target: string;
}

export interface Document {
  readonly path: string;
  readonly blocks: readonly Block[];
  /** Links outside of code. */
  readonly links: readonly Link[];
  /** What each heading can be linked to as, without the hash. */
  readonly anchors: ReadonlySet<string>;
}

/** Reads a Markdown document; `path` is relative to `root`. Throws when a fence is never closed. */
export function readDocument(root: string, path: string): Document {
  const lines = readFileSync(join(root, path), 'utf8').split('\n');
  const blocks: Block[] = [];
  const links: Link[] = [];
  const anchors = new Set<string>();
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const fence = /^(`{3,})(.*)$/.exec(line);
    if (fence === null) {
      links.push(...linksOf(line).map((target) => ({ line: at + 1, target })));
      const heading = /^#+ (.*)$/.exec(line)?.[1];
      if (heading !== undefined) anchors.add(anchorOf(heading));
      continue;
    }
    const [, marks = '', info = ''] = fence;
    const end = lines.indexOf(marks, at + 1);
    if (end === -1) throw new Error(`${path}:${at + 1}: this fence is never closed`);
    const [language = '', use = '', name = ''] = info.trim().split(/\s+/);
    blocks.push({ document: path, line: at + 1, language, use, name, text: lines.slice(at + 1, end).join('\n') });
    at = end;
  }
  return { path, blocks, links, anchors };
}

/** A block that is a file: its first line is a comment with the path in the repository. */
export function fileOf({ text }: Block): readonly [path: string, text: string] {
  const [first = '', ...rest] = text.split('\n');
  return [first.replace(/^\/\/ |^<!-- | -->$/g, ''), rest.join('\n')];
}

function linksOf(line: string): string[] {
  const withoutCode = line.replace(/`[^`]*`/g, '');
  return [...withoutCode.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
}

/** As GitHub names a heading: lower case, hyphens for spaces, other punctuation left out. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}
