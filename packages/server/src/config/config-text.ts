import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  type ParseErrorCode,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { formatPath, type PathStep, type Problem } from './problem.ts';

/** A configuration file's value, with the places of its parts. */
export interface ConfigText {
  readonly value: unknown;
  /** Mistakes in the JSON itself. */
  readonly problems: readonly Problem[];
  /** The place of a part, or of the nearest part around it. */
  locate(path: readonly PathStep[]): { readonly line: number; readonly column: number };
}

/** Reads JSON with comments and trailing commas. Never throws: what is wrong is in `problems`. */
export function parseConfigText(text: string): ConfigText {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const errors: ParseError[] = [];
  if (source.trim() === '') return only({ reason: 'the file is empty', line: 1, column: 1 });
  const place = (offset: number) => placeOf(source, offset);
  const tooDeep = firstTooDeep(source);
  if (tooDeep !== undefined) return only({ reason: `nested deeper than ${deepest} levels`, ...place(tooDeep) });
  const root = parseTree(source, errors, { allowTrailingComma: true, disallowComments: false });
  const end = source.trimEnd().length;
  // Whatever comes of a text that breaks off comes of that.
  const brokenOff = errors.find(({ offset }) => offset >= end);
  if (brokenOff !== undefined) return only({ reason: `not valid JSON: ${wordsOf(brokenOff.error)}`, ...place(end) });
  const problems: Problem[] = errors.map((error) => ({
    path: '',
    reason: `not valid JSON: ${wordsOf(error.error)}`,
    ...place(error.offset),
  }));
  if (root === undefined) return { value: undefined, problems, locate: () => place(0) };
  repeatedKeys(root, [], (path, offset) => {
    problems.push({
      path: formatPath(path),
      reason: 'is there twice; remove one, or give it another name',
      ...place(offset),
    });
  });
  return {
    value: getNodeValue(root),
    problems,
    locate: (path) => place(nodeNear(root, path).offset),
  };
}

/** A text whose one mistake hides everything else. */
function only(problem: { readonly reason: string; readonly line: number; readonly column: number }): ConfigText {
  const { line, column } = problem;
  return { value: undefined, problems: [{ path: '', ...problem }], locate: () => ({ line, column }) };
}

/** No configuration needs more, and readers of JSON call themselves once a level. */
const deepest = 100;

function firstTooDeep(source: string): number | undefined {
  const scanner = createScanner(source, true);
  let depth = 0;
  for (;;) {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    if (offset >= source.length) return undefined;
    const token = scanner.getTokenLength() === 1 ? source[offset] : '';
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    if (depth > deepest) return offset;
  }
}

/** A property's node rather than its value's, so that the place of a key is where the key stands. */
function nodeNear(root: Node, path: readonly PathStep[]): Node {
  for (let length = path.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node !== undefined) return node.parent?.type === 'property' ? node.parent : node;
  }
  return root;
}

function repeatedKeys(node: Node, path: readonly PathStep[], found: (path: PathStep[], offset: number) => void): void {
  if (node.type === 'array') {
    for (const [index, child] of (node.children ?? []).entries()) repeatedKeys(child, [...path, index], found);
  }
  if (node.type !== 'object') return;
  const seen = new Set<string>();
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    if (key === undefined) continue;
    const name = String(key.value);
    if (seen.has(name)) found([...path, name], property.offset);
    seen.add(name);
    if (value !== undefined) repeatedKeys(value, [...path, name], found);
  }
}

/** Line and column of an offset, both from one. */
export function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/** A mistake in JSON in words: `property name expected`. */
export function wordsOf(mistake: ParseErrorCode): string {
  return printParseErrorCode(mistake)
    .replace(/(?!^)([A-Z])/g, ' $1')
    .toLowerCase();
}
