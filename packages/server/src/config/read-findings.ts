import type { z } from 'zod';
import { keysAt, type SchemaNode } from './json-schema.ts';
import { didYouMean } from './nearest-name.ts';
import type { PathStep } from './problem.ts';
import { valueAt } from './raw-value.ts';

type ZodIssue = z.core.$ZodIssue;

/** A mistake with its path still in steps, so that it can be found in the file. */
export interface Finding {
  readonly path: readonly PathStep[];
  readonly reason: string;
}

/** What the schema complained about, in words. One finding for each mistake. */
export function readFindings(issues: readonly ZodIssue[], value: unknown, schema: SchemaNode): readonly Finding[] {
  return issues.flatMap((issue) => readFinding(issue, [], { value, schema }));
}

interface Around {
  readonly value: unknown;
  readonly schema: SchemaNode;
}

function readFinding(issue: ZodIssue, before: readonly PathStep[], around: Around): readonly Finding[] {
  const path = [...before, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))];
  const found = valueAt(around.value, path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        path: [...path, key],
        reason: unknownKey(key, keysAt(around.schema, path), path),
      }));
    case 'invalid_value':
      return [{ path, reason: notOneOf(found, issue.values.map(String)) }];
    case 'invalid_union':
      if ('options' in issue && issue.options !== undefined)
        return [{ path, reason: notOneOf(found, issue.options.map(String)) }];
      return readUnion(issue.errors, path, around);
    case 'invalid_type':
      return [
        { path, reason: wrongType(found, { expected: issue.expected, path, keys: keysAt(around.schema, path) }) },
      ];
    case 'invalid_key':
      return [{ path, reason: path.includes('headers') ? 'is not the name of a header' : wrongName }];
    case 'invalid_format':
      return [{ path, reason: issue.format === 'url' ? wrongUrl(found) : issue.message }];
    case 'too_small':
      return [{ path, reason: typeof found === 'number' ? `must be ${issue.minimum} or more` : 'must not be empty' }];
    case 'too_big':
      return [{ path, reason: `must be ${issue.maximum} or less` }];
    default:
      return [{ path, reason: issue.message }];
  }
}

/** The branch that the author meant is the one that got past the value's kind; otherwise all are named. */
function readUnion(branches: readonly ZodIssue[][], path: readonly PathStep[], around: Around): readonly Finding[] {
  const found = valueAt(around.value, path);
  const isObject = typeof found === 'object' && found !== null;
  const meant = isObject && branches.find((branch) => branch.every((issue) => !isRootKind(issue)));
  if (meant) return meant.flatMap((issue) => readFinding(issue, path, around));
  const words = branches.flat().flatMap((issue) => (issue.code === 'invalid_value' ? issue.values.map(String) : []));
  const kinds = branches
    .flat()
    .flatMap((issue) => (issue.code === 'invalid_type' ? [kindOf(issue.expected, path)] : []));
  const choices = [...words.map((word) => JSON.stringify(word)), ...kinds].join(', ');
  const guess = typeof found === 'string' ? guessOf(found, words, keysAt(around.schema, path)) : '';
  if (found === undefined) return [{ path, reason: `is missing; expected one of ${choices}` }];
  return [{ path, reason: `${describe(found)} does not fit; expected one of ${choices}${guess}` }];
}

/** One of the words, or the object's only key for what was written without it. */
function guessOf(found: string, words: readonly string[], keys: readonly string[]): string {
  const guess = didYouMean(found, words);
  const [key, ...others] = keys;
  if (guess !== '' || key === undefined || others.length > 0) return guess;
  return `; did you mean { ${JSON.stringify(key)}: ${JSON.stringify(found)} }?`;
}

/** Of several forms that may be there, the one that was chosen may lack a key of another one. */
function unknownKey(key: string, keys: readonly string[], path: readonly PathStep[]): string {
  if (keys.includes(key)) return 'has no meaning in this form';
  const cure = path.length === 0 && Object.hasOwn(rootWords, key) ? rootWords[key] : undefined;
  if (cure !== undefined) return `unknown key; ${cure}`;
  const plain = key.toLowerCase().replaceAll(/[^a-z]/g, '');
  const meant = Object.hasOwn(otherWords, plain) ? otherWords[plain]?.find((word) => keys.includes(word)) : undefined;
  if (meant !== undefined) return `unknown key; did you mean ${JSON.stringify(meant)}?`;
  const guess = didYouMean(key, keys);
  return `unknown key${guess === '' ? knownKeys(keys, '; known:') : guess}`;
}

/** The names that may be there, such as the keys of an object, where they are few enough to be read. */
export function knownKeys(keys: readonly string[], before: string): string {
  const names = keys.filter((key) => key !== '$schema');
  if (names.length === 0 || names.length > mostNamed) return '';
  return `${before} ${names.map((key) => JSON.stringify(key)).join(', ')}`;
}

/** More names than these are looked up in docs/configuration.md. */
const mostNamed = 12;

const wrongName = 'this name cannot be used; it must not be empty or hold a slash';

/** What other programs call our keys, in letters alone. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  url: ['baseUrl'],
  endpoint: ['baseUrl'],
  apibase: ['baseUrl'],
  type: ['wire'],
  api: ['wire'],
  provider: ['wire'],
  token: ['apiKey', 'key'],
  apikeys: ['keys'],
  providers: ['upstreams'],
  backends: ['upstreams'],
  aliases: ['models'],
  dialect: ['toolCalling'],
  tools: ['toolCalling'],
  contextlength: ['contextWindow'],
  contextsize: ['contextWindow'],
  maxcontext: ['contextWindow'],
  numctx: ['contextWindow'],
  vision: ['images'],
};

/** What stands deeper than people first look for it. */
const rootWords: Readonly<Record<string, string>> = {
  port: 'write "listen": { "port": … }',
  host: 'write "listen": { "host": … }',
  apiKey:
    'keys of clients are "keys": [{ "name": "me", "key": "env:OAI_API_KEY" }], that of a server is in its upstream',
  baseUrl: 'write "upstreams": { "local": { "baseUrl": … } }',
};

/** What people call our wires. */
const wireWords: Readonly<Record<string, string>> = {
  openai: 'openai-chat',
  'openai-compatible': 'openai-chat',
  chat: 'openai-chat',
  'chat-completions': 'openai-chat',
  'llama.cpp': 'openai-chat',
  vllm: 'openai-chat',
  lmstudio: 'openai-chat',
  responses: 'openai-responses',
  completions: 'openai-completions',
  anthropic: 'anthropic-messages',
  claude: 'anthropic-messages',
  messages: 'anthropic-messages',
  ollama: 'ollama-chat',
};

function isRootKind(issue: ZodIssue): boolean {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
}

/** Why `found` is none of the words it may be, with the nearest. */
export function notOneOf(found: unknown, values: readonly string[]): string {
  const usual = typeof found === 'string' ? wireWords[found.toLowerCase()] : undefined;
  const known = usual !== undefined && values.includes(usual) ? `; did you mean ${JSON.stringify(usual)}?` : undefined;
  const guess = known ?? (typeof found === 'string' ? didYouMean(found, values) : '');
  const list = values.map((value) => JSON.stringify(value)).join(', ');
  if (found === undefined) return `is missing; one of ${list}`;
  return `${describe(found)} is unknown; known: ${list === '' ? 'none' : list}${guess}`;
}

interface WrongType {
  readonly expected: string;
  readonly path: readonly PathStep[];
  /** Those of the object that is expected. */
  readonly keys: readonly string[];
}

function wrongType(found: unknown, at: WrongType): string {
  const kind = kindOf(at.expected, at.path) + (at.expected === 'object' ? knownKeys(at.keys, ' with some of') : '');
  if (found === undefined) return `is missing; expected ${kind}`;
  return `expected ${kind}, found ${holdsSecrets(at.path) ? kindOfSecret(found) : describe(found)}${cureOf(found, at)}`;
}

/** How what was written is written here; empty where nobody can say. */
function cureOf(found: unknown, { expected, path }: WrongType): string {
  const last = path.at(-1);
  if (path[0] === 'keys') return path.length > 2 ? '' : '; write "keys": [{ "name": "me", "key": "env:OAI_API_KEY" }]';
  if (path[0] === 'models' && path.length === 2 && typeof found === 'object') {
    return '; rules of a model are in its upstream, here are other names for it: "gpt-4o": "local/qwen2.5-7b"';
  }
  if (path[0] === 'upstreams' && path.length < 3)
    return '; write "upstreams": { "local": { "baseUrl": "http://127.0.0.1:8080/v1" } }';
  if (last === 'models') {
    if (path.length === 1) return '; write "models": { "gpt-4o": "local/qwen2.5-7b" }';
    const [name] = Array.isArray(found) ? found : [found];
    return `; write "models": { ${JSON.stringify(typeof name === 'string' ? name : 'qwen2.5-7b')}: {} }`;
  }
  if (last === 'anyModel') return '; write "anyModel": true for one without settings';
  if (expected === 'array' && typeof found === 'string') return `; write [${describe(found)}]`;
  const isBare = typeof found === 'string' && (expected === 'boolean' ? /^(true|false)$/ : /^\d+$/).test(found);
  return isBare && ['number', 'int', 'boolean'].includes(expected) ? `; write ${found}, without quotes` : '';
}

function wrongUrl(found: unknown): string {
  const port = typeof found === 'string' ? /^https?:\/\/[^/]*:(\d+)(\/|$)/.exec(found)?.[1] : undefined;
  if (port !== undefined && Number(port) > 65_535) return `the port ${port} is too large; the largest is 65535`;
  const words = 'must be an http:// or https:// address';
  const isBare = typeof found === 'string' && /^[\w.-]+(:\d+)?(\/[\w./-]*)?$/.test(found);
  return isBare ? `${words}; write ${JSON.stringify(`http://${found}`)}` : words;
}

function kindOf(expected: string, path: readonly PathStep[]): string {
  if (path.includes('timeouts') && (expected === 'number' || expected === 'int'))
    return 'a whole number of milliseconds';
  return Object.hasOwn(kindWords, expected) ? (kindWords[expected] ?? expected) : expected;
}

/** What values are called here, and in the documents. */
const kindWords: Readonly<Record<string, string>> = {
  object: 'an object',
  record: 'an object',
  array: 'a list',
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

/** Where keys stand, and so where anything else that is there may be one. */
function holdsSecrets(path: readonly PathStep[]): boolean {
  return path[0] === 'keys' || ['apiKey', 'headers', 'token'].some((name) => path.includes(name));
}

function kindOfSecret(found: unknown): string {
  return typeof found === 'object' ? describe(found) : `a ${typeof found}`;
}

/** Short, and never the whole of a long value, which may be a key in the wrong place. */
export function describe(found: unknown): string {
  if (Array.isArray(found)) return 'a list';
  if (found === null) return 'null';
  if (typeof found === 'object') return 'an object';
  if (typeof found === 'string') return found.length <= 24 ? JSON.stringify(found) : 'a string';
  return String(found);
}
