import type { ToolDefinition } from '@dragoman/core';
import { isRecord } from '../../../is-record.ts';
import type { Demand } from './read-prompt.ts';

/** A call that the request asks for. Its arguments are filled when its turn comes, since they may need earlier results. */
export interface PlannedCall {
  readonly tool: ToolDefinition;
  readonly order: Order;
  /** Calls of a later step wait for the results of the earlier ones. */
  readonly step: number;
}

/** What one order names. */
export interface Order {
  /** The files that it works on; of several, the call's own one. */
  readonly paths: readonly string[];
  /** Quoted texts, in their order. */
  readonly quoted: readonly string[];
  /** The first quoted text, else what stands behind the word that leads to it: "for TODO", "in Paris". */
  readonly text: string | undefined;
  /** All of it. */
  readonly whole: string;
}

interface Word {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** The most calls for one request. */
const mostCalls = 12;

interface Line {
  readonly verbs: readonly string[];
  /** A tool whose name holds one of these words does it. */
  readonly tools: readonly string[];
  /** The word behind which its text stands. Without one it is an order about files: it names them, and its tool takes a path. */
  readonly lead?: string;
}

/** The script: the orders that it knows. */
const script: readonly Line[] = [
  { verbs: ['read', 'what'], tools: ['read', 'view'] },
  { verbs: ['write'], tools: ['write', 'create'] },
  { verbs: ['append'], tools: ['append'] },
  { verbs: ['replace'], tools: ['edit', 'editor', 'replace'] },
  { verbs: ['list'], tools: ['list', 'ls'], lead: 'in' },
  { verbs: ['find'], tools: ['glob', 'find'], lead: 'match' },
  { verbs: ['search'], tools: ['grep', 'search'], lead: 'for' },
  { verbs: ['run'], tools: ['bash', 'shell', 'exec', 'run'], lead: 'run' },
];

/** Any other tool is asked for by a word of its name: "the weather in Paris". Short words are in too many names. */
const byName = (word: string): Line => ({ verbs: [], tools: word.length < 5 ? [] : [word], lead: 'in' });

function lineOf({ text, isQuoted }: Word): Line {
  const word = isQuoted ? '' : text.toLowerCase();
  return script.find(({ verbs }) => verbs.includes(word)) ?? byName(word);
}

/** Plans all calls for a request, in order. The same request and tools always give the same plan, in every round. */
export function planCalls(request: string, tools: readonly ToolDefinition[], demand: Demand): readonly PlannedCall[] {
  const known = typeof demand === 'object' ? tools.filter(({ name }) => name === demand.name) : tools;
  const planned: PlannedCall[] = [];
  let step = 0;
  for (const { words, waits } of partsOf(request)) {
    const calls = callsFor(words, known);
    if (waits && planned.length > 0 && calls.length > 0) step += 1;
    for (const call of calls) planned.push({ ...call, step });
  }
  const [any] = known;
  if (planned.length > 0 || demand === 'none' || any === undefined) return planned.slice(0, mostCalls);
  return [{ tool: any, order: orderOf([{ text: request, isQuoted: false }], byName('')), step }];
}

/** What ends an order: a sentence's end, `then`, and `and` or a comma before a verb. */
const verb = `(?=\\s+(?:${script.flatMap(({ verbs }) => verbs).join('|')})\\b)`;
const ends = new RegExp(`[.!?;]+(?:\\s|$)|\\n|,?\\s+(then)\\b|,?\\s+and${verb}|,${verb}`, 'i');

/** The orders of a request. One waits for the results of those before it after `then`, and where it says `it`. */
function partsOf(request: string): { readonly words: readonly Word[]; readonly waits: boolean }[] {
  const quoted: string[] = [];
  const plain = request.replaceAll(/(?<!\S)(["'`])(.+?)\1/g, (_, _mark, text: string) => `\0${quoted.push(text) - 1}`);
  const pieces = plain.split(ends);
  // What `then` ends is followed by it.
  return [...pieces.keys()]
    .filter((at) => at % 2 === 0)
    .map((at) => {
      const words = (pieces[at] ?? '').split(/[\s,"')]+/).map((word) => {
        const inner = word.startsWith('\0') ? quoted[Number.parseInt(word.slice(1), 10)] : undefined;
        return { text: inner ?? word, isQuoted: inner !== undefined };
      });
      return {
        words,
        waits: pieces[at - 1] !== undefined || words.some((word) => says(word, 'it') || says(word, 'its')),
      };
    });
}

const says = ({ text, isQuoted }: Word, word: string): boolean => !isQuoted && text.toLowerCase() === word;

/** The calls of the first word that a tool fits: one for each file where the tool takes one at a time. */
function callsFor(words: readonly Word[], tools: readonly ToolDefinition[]): readonly Omit<PlannedCall, 'step'>[] {
  const known = tools.map((tool) => ({
    tool,
    parts: nameParts(tool.name),
    path: parametersOf(tool.inputSchema).find(({ role }) => role === 'path'),
  }));
  const namesFile = words.some(isPath);
  for (const line of words.map(lineOf)) {
    const isOfFiles = line.lead === undefined;
    const found = known.find(
      ({ parts, path }) => line.tools.some((word) => parts.includes(word)) && (!isOfFiles || path !== undefined),
    );
    if (found === undefined || (isOfFiles && !namesFile)) continue;
    const { tool, path } = found;
    const order = orderOf(words, line);
    if (!isOfFiles || path?.schema.type === 'array' || !line.verbs.includes('read')) return [{ tool, order }];
    return order.paths.map((each) => ({ tool, order: { ...order, paths: [each] } }));
  }
  return [];
}

function orderOf(words: readonly Word[], { lead }: Line): Order {
  const quoted = words.filter(({ isQuoted }) => isQuoted).map(({ text }) => text);
  const at = words.findIndex((word) => lead !== undefined && says(word, lead));
  const to = words.findIndex((word, index) => index > at && says(word, 'in'));
  const behind = at < 0 ? [] : words.slice(at + 1, to < 0 ? undefined : to);
  // Those of a command or a pattern are its own.
  const paths = lead === undefined || lead === 'in' ? words.filter(isPath).map(({ text }) => text) : [];
  const whole = textOf(words);
  return { paths, quoted, text: quoted[0] ?? (behind.length > 0 ? textOf(behind) : undefined), whole };
}

const textOf = (words: readonly Word[]): string =>
  words
    .map(({ text }) => text)
    .join(' ')
    .trim();

/** A slash, or a dot with letters after it. */
const isPath = ({ text }: Word): boolean =>
  ['README', 'LICENSE'].includes(text) || (!text.includes('*') && /\/|\.[a-z]\w{0,4}$/i.test(text));

/** The words of a name such as `readFile` or `read_file`. */
const nameParts = (name: string): readonly string[] =>
  name.split(/[^a-zA-Z]+|(?=[A-Z])/).map((part) => part.toLowerCase());

/** A tool's parameter with what is known of it. */
export interface Parameter {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** What it wants of an order: its file, the text that it replaces, the new one, or any text. */
  readonly role: 'path' | 'old' | 'new' | 'text';
  readonly required: boolean;
}

const pathWords = ['path', 'paths', 'file', 'files', 'filepath', 'folder', 'directory'];

/** The parameters of an object schema, in its order. */
export function parametersOf(schema: unknown): readonly Parameter[] {
  if (!isRecord(schema) || !isRecord(schema.properties)) return [];
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).map(([name, property]) => {
    const own = isRecord(property) ? property : {};
    return { name, schema: own, role: roleOf(nameParts(name), own), required: required.includes(name) };
  });
}

function roleOf(parts: readonly string[], { type }: Parameter['schema']): Parameter['role'] {
  const [first = ''] = parts;
  if (first === 'old' || first === 'new') return first;
  return pathWords.includes(parts.at(-1) ?? '') && type !== 'boolean' ? 'path' : 'text';
}
