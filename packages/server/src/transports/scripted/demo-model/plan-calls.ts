import type { ToolDefinition } from '@dragoman/core';
import { isRecord } from '../../../is-record.ts';
import type { Demand } from './read-prompt.ts';

/** A call that the request asks for. Its arguments are filled when its turn comes, since they may need earlier results. */
export interface PlannedCall {
  readonly tool: ToolDefinition;
  readonly words: readonly RequestWord[];
  /** Calls of a later step wait for the results of the earlier ones. */
  readonly step: number;
}

/** A word of a request with its kind; a quotation is one word. */
export interface RequestWord {
  readonly text: string;
  readonly kind: 'plain' | 'quoted' | 'path' | 'pattern' | 'url' | 'number' | 'name';
  /** What ends a sentence or a part of it, where it comes after the word. */
  readonly end: '' | ',' | '.';
}

/** The most calls for one request. */
const mostCalls = 12;

/** Words for the same deed: a tool whose name holds one of them does what a request with another one asks for. */
const deeds = [
  'read show open view cat',
  'append add',
  'write create save append',
  'edit editor replace change str',
  'list ls',
  'search find grep',
  'find match glob',
  'run execute bash shell command terminal exec',
  'fetch web url',
].map((words) => words.split(' '));

/** Other verbs that begin a part of a request. */
const plainVerbs = ['report', 'say', 'summarize', 'explain'];
const isVerb = (word: RequestWord): boolean =>
  word.kind === 'plain' && (plainVerbs.includes(word.text.toLowerCase()) || deedsOf(word.text).length > 0);
const deedsOf = (word: string): (readonly string[])[] => deeds.filter((deed) => deed.includes(word.toLowerCase()));

/** Plans all calls for a request, in order. The same request and tools always give the same plan, in every round. */
export function planCalls(request: string, tools: readonly ToolDefinition[], demand: Demand): readonly PlannedCall[] {
  const known = typeof demand === 'object' ? tools.filter(({ name }) => name === demand.name) : tools;
  const words = wordsOf(request);
  const planned: PlannedCall[] = [];
  let step = 0;
  for (const { part, waits } of partsOf(words)) {
    const tool = bestTool(part, known, enough);
    if (tool === undefined) continue;
    if ((waits || part.some(meansResult)) && planned.length > 0) step += 1;
    planned.push(...objectsOf(tool, part).map((each) => ({ tool, words: each, step })));
  }
  if (planned.length > 0 || demand === 'none') return planned.slice(0, mostCalls);
  const tool = bestTool(words, known, Number.NEGATIVE_INFINITY);
  return tool === undefined ? [] : [{ tool, words, step }];
}

/** "Read a.txt and write it to b.txt" needs what was read. */
const meansResult = ({ kind, text }: RequestWord): boolean =>
  kind === 'plain' && ['it', 'its'].includes(text.toLowerCase());

const quotes: Readonly<Record<string, string>> = { '"': '"', "'": "'", '`': '`', '“': '”' };
const afterWords = '.,;:!?)"\'';

function wordsOf(text: string): RequestWord[] {
  const words: RequestWord[] = [];
  for (let at = 0; at < text.length; ) {
    const close = quotes[text.charAt(at)];
    let to = close === undefined ? -1 : text.indexOf(close, at + 1);
    const isQuoted = to > at + 1;
    const inner = isQuoted ? text.slice(at + 1, to) : '';
    to = isQuoted ? to + 1 : at;
    while (to < text.length && !' \n\t'.includes(text.charAt(to))) to += 1;
    let plain = text.slice(at, to);
    while (afterWords.includes(plain.charAt(plain.length - 1)) && plain !== '') plain = plain.slice(0, -1);
    const after = text.slice(at + plain.length, to);
    const isEnd = ['.', '!', '?', ';'].some((mark) => after.includes(mark)) || text[to] === '\n';
    const end = isEnd ? '.' : after.includes(',') ? ',' : '';
    if (isQuoted) words.push({ text: inner, kind: looksLikePath(inner) ? 'path' : 'quoted', end });
    else if (plain !== '') words.push({ text: plain, kind: kindOf(plain, words.at(-1)), end });
    at = to + 1;
  }
  // "the src folder" names one.
  const isFolder = ({ kind, text }: RequestWord, at: number): boolean =>
    kind === 'plain' && words[at + 1]?.text === 'folder' && !fillers.includes(text);
  return words.map((word, at) => (isFolder(word, at) ? { ...word, kind: 'path' } : word));
}

function kindOf(word: string, before: RequestWord | undefined): RequestWord['kind'] {
  if (word.startsWith('http://') || word.startsWith('https://')) return 'url';
  if (word.includes('*')) return 'pattern';
  if (Number.isFinite(Number(word))) return 'number';
  if (looksLikePath(word)) return 'path';
  const isCapital = word.charAt(0) !== word.charAt(0).toLowerCase();
  return isCapital && before !== undefined && before.end !== '.' && word !== 'I' ? 'name' : 'plain';
}

const bareFiles = ['README', 'LICENSE', 'Makefile', 'Dockerfile'];

/** A slash, or a dot with letters after it; in quotation marks a name may hold spaces. */
function looksLikePath(text: string): boolean {
  if (bareFiles.includes(text)) return true;
  const name = text.slice(text.lastIndexOf('/') + 1);
  const extension = name.slice(name.lastIndexOf('.') + 1);
  const hasExtension = name.includes('.') && extension.length > 0 && extension.length < 6 && !extension.includes(' ');
  if (text.includes('*') || text.includes('\n') || text.includes(' /')) return false;
  return (hasExtension && !Number.isFinite(Number(extension))) || (text.includes('/') && !text.includes(' '));
}

/** The parts of a request, each with one deed: divided at sentence ends, at `then`, and at `and` or a comma before a verb. */
function partsOf(words: readonly RequestWord[]): { readonly part: readonly RequestWord[]; readonly waits: boolean }[] {
  const parts: { part: RequestWord[]; waits: boolean }[] = [{ part: [], waits: false }];
  for (const [at, word] of words.entries()) {
    const before = words[at - 1];
    const next = words[at + 1];
    const says = (text: string): boolean => word.kind === 'plain' && word.text.toLowerCase() === text;
    const joins = says('and') && next !== undefined && isVerb(next);
    const follows = before?.end === ',' && isVerb(word) && next !== undefined;
    if (says('then')) parts.push({ part: [], waits: true });
    else if (joins) parts.push({ part: [], waits: false });
    else if (follows || before?.end === '.') parts.push({ part: [word], waits: false });
    else parts.at(-1)?.part.push(word);
  }
  return parts;
}

/** What a tool must reach: a word of its name, or its deed. */
const enough = 5;

/** The tool that fits some words best and well enough. Of equals the first wins. */
function bestTool(
  words: readonly RequestWord[],
  tools: readonly ToolDefinition[],
  least: number,
): ToolDefinition | undefined {
  const scored = tools.map((tool) => ({ tool, score: scoreOf(tool, words) })).filter(({ score }) => score >= least);
  return scored.reduce<(typeof scored)[number] | undefined>(
    (best, each) => (best === undefined || each.score > best.score ? each : best),
    undefined,
  )?.tool;
}

function scoreOf(tool: ToolDefinition, words: readonly RequestWord[]): number {
  const name = nameParts(tool.name);
  const about = new Set(nameParts((tool.description ?? '').slice(0, 200)));
  const plain = words.filter(({ kind }) => kind === 'plain').map(({ text }) => text.toLowerCase());
  const has = (kind: RequestWord['kind']): boolean => words.some((word) => word.kind === kind);
  let score = 0;
  // The first deed is what is asked for, later ones are mostly objects: "read the search page".
  let isFirst = true;
  for (const word of new Set(plain)) {
    const own = deedsOf(word);
    const weight = isFirst && own.length > 0 ? 2 : 1;
    if (name.includes(word) && !fillers.includes(word)) score += 6 * weight;
    else if (own.some((deed) => deed.some((other) => name.includes(other)))) score += 5 * weight;
    if (own.length > 0) isFirst = false;
    if (word.length > 3 && about.has(word)) score += 1;
  }
  const asksOf = isFirst && (plain.includes('what') || plain.includes('which'));
  if (asksOf && has('path') && deeds[0]?.some((word) => name.includes(word))) score += 5;
  for (const { role, required } of parametersOf(tool.inputSchema)) {
    if (role !== 'path' && role !== 'url') continue;
    if (has(role)) score += required ? 3 : 1;
    else if (required) score -= has('url') || has('path') ? 10 : 1;
  }
  if (has('pattern') && name.includes('glob')) score += 3;
  return score;
}

const fillers = ['a', 'the', 'in', 'of', 'to', 'and', 'get', 'for', 'file', 'files'];

/** The words of a name such as `readFile` or `read_file`, or of a text. */
function nameParts(text: string): string[] {
  let spaced = '';
  for (const character of text) {
    const isLetter = character.toLowerCase() !== character.toUpperCase();
    spaced += !isLetter ? ' ' : character === character.toLowerCase() ? character : ` ${character.toLowerCase()}`;
  }
  return spaced.split(' ').filter((word) => word !== '');
}

/** What kind of thing in a request a parameter wants. */
export type Role = 'url' | 'path' | 'command' | 'query' | 'old' | 'new' | 'content' | 'place' | 'note' | 'other';

/** In the order in which they are tried: `file_content` is content, `search_path` a path. */
const roles: readonly (readonly [Role, string])[] = [
  ['note', 'description reason explanation'],
  ['old', 'old before original'],
  ['new', 'new after replacement'],
  ['content', 'content contents body text'],
  ['url', 'url uri'],
  ['path', 'path file filepath filename dir directory folder paths files'],
  ['command', 'command cmd'],
  ['place', 'city location place'],
  ['query', 'query pattern regex search'],
];

/** A tool's parameter with what is known of it. */
export interface Parameter {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly role: Role;
  readonly required: boolean;
  /** Which of the required parameters of its type it is, from zero. */
  readonly place: number;
}

/** The parameters of an object schema, in its order. */
export function parametersOf(schema: unknown): Parameter[] {
  if (!isRecord(schema) || !isRecord(schema.properties)) return [];
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const parameters: Parameter[] = [];
  for (const [name, property] of Object.entries(schema.properties)) {
    const parts = nameParts(name);
    const [role] = roles.find(([, words]) => words.split(' ').some((word) => parts.includes(word))) ?? ['other'];
    const own = isRecord(property) ? property : {};
    const place = parameters.filter((each) => each.required && each.schema.type === own.type).length;
    parameters.push({ name, schema: own, role, required: required.includes(name), place });
  }
  return parameters;
}

const kindByRole: Partial<Record<Role, RequestWord['kind']>> = { path: 'path', url: 'url', place: 'name' };

/** One call for each object where the tool takes one at a time ("read A and B"), else one call that gets them all. */
function objectsOf(tool: ToolDefinition, words: readonly RequestWord[]): (readonly RequestWord[])[] {
  const required = parametersOf(tool.inputSchema).filter((parameter) => parameter.required);
  const main = required.find(({ role }) => kindByRole[role] !== undefined);
  const kind = main === undefined ? undefined : kindByRole[main.role];
  if (main?.schema.type === 'array' || required.some(({ role }) => role === 'content')) return [words];
  // Neighbouring capitalised words are one name: New York.
  const isObject = (at: number): boolean => kind !== undefined && words[at]?.kind === kind;
  const isLast = (at: number): boolean =>
    isObject(at) && !(kind === 'name' && isObject(at + 1) && words[at]?.end === '');
  const ends = [...words.keys()].filter(isLast);
  if (ends.length < 2) return [words];
  return ends.map((end) => {
    let from = end;
    while (kind === 'name' && isObject(from - 1) && words[from - 1]?.end === '') from -= 1;
    return words.filter((word, at) => word.kind !== kind || (at >= from && at <= end));
  });
}
