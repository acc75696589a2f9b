import { pathOfHost, type QuirkRule } from '@dragoman/core';
import { checkConversations } from './check-conversations.ts';
import { checkWorkers } from './check-workers.ts';
import { dialectNames, quirkTables } from './known-names.ts';
import { didYouMean, nearestName } from './nearest-name.ts';
import { entriesOf, fieldOf } from './raw-value.ts';
import { describe, type Finding, knownKeys, notOneOf } from './read-findings.ts';
import { readSecretFile, SecretFiles } from './secret-files.ts';

export interface ReferenceContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly mayLackSecrets?: boolean;
}

/**
 * Checks what a schema cannot: that aliases lead to a model, that names do not clash, that dialects exist, that quirks are those of the wire
 * and that every `env:NAME` is set and every `file:PATH` there. Works on the raw value, so these mistakes are told in the same pass as the schema's.
 */
export function checkReferences(raw: unknown, context: ReferenceContext): readonly Finding[] {
  const upstreams = entriesOf(fieldOf(raw, 'upstreams'));
  const demo = fieldOf(raw, 'demo') !== false;
  // The demo has a model for each dialect.
  const builtIn = demo ? dialectsOf(raw).map((id) => `demo/${id}`) : [];
  const names = [...builtIn];
  const open: string[] = [];
  const findings: Finding[] = [
    ...checkAddresses(upstreams),
    ...checkQuirks(upstreams),
    ...checkConversations(upstreams),
    ...checkWorkers(upstreams),
    ...checkDialects(raw),
  ];
  for (const [name, upstream] of upstreams) {
    for (const [model] of entriesOf(fieldOf(upstream, 'models'))) names.push(`${name}/${model}`);
    if (fieldOf(upstream, 'anyModel') !== undefined) open.push(`${name}/`);
    if (demo && name === 'demo') {
      findings.push({
        path: ['upstreams', name],
        reason: 'this name is the built-in demo; set "demo": false to use it',
      });
    }
    findings.push(...checkSecrets(name, upstream, context));
  }
  const aliases = entriesOf(fieldOf(raw, 'models'));
  // What will be found nobody knows yet.
  const finds = fieldOf(raw, 'findUpstreams') ?? upstreams.length === 0;
  const mayBeFound = (name: string) =>
    finds !== false && !/^demo(\/|$)/.test(name) && !aliases.some(([alias]) => alias === name);
  const reachable = (name: string) =>
    names.includes(name) || open.some((prefix) => name.startsWith(prefix)) || mayBeFound(name);
  const direct = new Set(aliases.filter(([, to]) => typeof to === 'string' && reachable(to)).map(([alias]) => alias));
  if (demo) direct.add('demo');
  for (const [alias, target] of aliases) {
    // One alias may stand for another, which then leads to a model.
    if (typeof target !== 'string' || reachable(target) || (target !== alias && direct.has(target))) continue;
    const chained = aliases.some(([name]) => name === target);
    const reason = chained
      ? tooFar(alias, { target, aliases, direct })
      : unknownModel(target, { names: [...names, ...direct], open, upstreams: upstreams.map(([name]) => name) });
    findings.push({ path: ['models', alias], reason });
  }
  const chosen = fieldOf(raw, 'defaultModel');
  const every = [...names, ...aliases.map(([alias]) => alias), ...(demo ? ['demo'] : [])];
  if (typeof chosen === 'string' && !every.includes(chosen) && !reachable(chosen)) {
    findings.push({
      path: ['defaultModel'],
      reason: unknownModel(chosen, { names: every, open, upstreams: upstreams.map(([name]) => name) }),
    });
  }
  const database = checkSecret(fieldOf(fieldOf(raw, 'store'), 'postgres'), ['store', 'postgres'], context);
  const nonce = checkSecret(fieldOf(raw, 'nonceSecret'), ['nonceSecret'], context);
  return [...findings, ...checkKeys(raw, context), ...nonce, ...database];
}

/** Why an alias that leads to another alias leads nowhere. */
function tooFar(
  alias: string,
  {
    target,
    aliases,
    direct,
  }: {
    readonly target: string;
    readonly aliases: readonly (readonly [string, unknown])[];
    readonly direct: ReadonlySet<string>;
  },
): string {
  if (target === alias) return 'leads to itself; name a model as "upstream/model"';
  const next = aliases.find(([name]) => name === target)?.[1];
  const known = typeof next === 'string' && (direct.has(next) || aliases.some(([name]) => name === next));
  if (!known) return `leads to the alias ${JSON.stringify(target)}, which leads to no model`;
  const advice = typeof next === 'string' && direct.has(next) ? `; write ${JSON.stringify(next)} here` : '';
  return `leads to the alias ${JSON.stringify(target)}, which leads to another alias; one alias on the way is the most${advice}`;
}

interface ServedNames {
  /** Models and aliases. */
  readonly names: readonly string[];
  /** Upstreams that take any model, each with a slash. */
  readonly open: readonly string[];
  readonly upstreams: readonly string[];
}

function unknownModel(name: string, { names, open, upstreams }: ServedNames): string {
  const slash = name.indexOf('/');
  const upstream = name.slice(0, Math.max(0, slash));
  const isElsewhere = slash > 0 && !upstreams.includes(upstream);
  const near = isElsewhere ? nearestName(upstream, upstreams)?.concat(name.slice(slash)) : undefined;
  const guess =
    names.find((each) => each.endsWith(`/${name}`)) ??
    near ??
    nearestName(name, names) ??
    (slash < 0 ? open[0]?.concat(name) : undefined);
  const said = `${JSON.stringify(name)} is not a configured model`;
  if (guess !== undefined) return `${said}; did you mean ${JSON.stringify(guess)}?`;
  return isElsewhere
    ? `${said}: there is no upstream ${JSON.stringify(upstream)}${knownKeys(upstreams, '; known:')}`
    : `${said}${knownKeys(
        names.filter((each) => each.startsWith(`${upstream}/`)),
        '; known:',
      )}`;
}

function checkKeys(raw: unknown, context: ReferenceContext): readonly Finding[] {
  const keys = fieldOf(raw, 'keys');
  if (!Array.isArray(keys)) return [];
  const seen = new Set<unknown>();
  return keys.flatMap((each: unknown, index) => {
    const name = fieldOf(each, 'name');
    const twice = typeof name === 'string' && seen.has(name);
    seen.add(name);
    return [
      ...(twice ? [{ path: ['keys', index, 'name'], reason: `the name ${JSON.stringify(name)} is used twice` }] : []),
      ...checkSecret(fieldOf(each, 'key'), ['keys', index, 'key'], context),
    ];
  });
}

function checkSecrets(name: string, upstream: unknown, context: ReferenceContext): readonly Finding[] {
  const at = ['upstreams', name];
  return [
    ...checkSecret(fieldOf(upstream, 'apiKey'), [...at, 'apiKey'], context),
    ...checkSecret(fieldOf(fieldOf(upstream, 'workers'), 'token'), [...at, 'workers', 'token'], context),
    ...entriesOf(fieldOf(upstream, 'headers')).flatMap(([header, value]) =>
      checkSecret(value, [...at, 'headers', header], context),
    ),
  ];
}

/** How other programs name a variable, which here would be taken for the secret itself. */
const foreignForms = [/^\$\{(?:env:)?(\w+)\}$/, /^\$(\w+)$/, /^%(\w+)%$/, /^\{env:(\w+)\}$/, /^process\.env\.(\w+)$/];

/** Why a secret cannot be what is written; undefined where it can. Never repeats more than the name of a variable. */
function foreignForm(value: string, path: Finding['path']): string | undefined {
  const scheme = path.includes('headers') ? /^(?:Bearer|Basic)\s+/i.exec(value)?.[0] : undefined;
  const plain = value.slice(scheme?.length ?? 0);
  const name = foreignForms.map((form) => form.exec(plain)?.[1]).find((found) => found !== undefined);
  const named = name ?? (scheme === undefined ? undefined : /^env:(\w+)$/.exec(plain)?.[1]);
  if (named !== undefined) {
    if (scheme === undefined) return `a variable is written as "env:${named}"`;
    return `a header is a variable as a whole or none; leave it out and write "apiKey": "env:${named}"`;
  }
  if (path.at(-1) === 'apiKey' && /^Bearer\s/i.test(value)) return 'is sent as a bearer anyway; leave out "Bearer"';
  return undefined;
}

function checkSecret(value: unknown, path: Finding['path'], context: ReferenceContext): readonly Finding[] {
  if (typeof value !== 'string') return [];
  const foreign = foreignForm(value, path);
  if (foreign !== undefined) return [{ path, reason: foreign }];
  if (value.startsWith('file:')) {
    const file = value.slice('file:'.length);
    const reading = readSecretFile(file);
    return 'secret' in reading ? [] : [{ path, reason: `the file ${JSON.stringify(file)} ${reading.problem}` }];
  }
  if (!value.startsWith('env:') || context.mayLackSecrets === true) return [];
  const name = value.slice('env:'.length);
  if ((context.env[name] ?? '') !== '') return [];
  return [
    { path, reason: `the environment variable ${name || '(no name)'} is not set; set it, or write the value here` },
  ];
}

/**
 * A secret's value: what an environment variable or a file holds, or the text itself. Call it after `checkReferences` found
 * nothing.
 */
export function resolveSecret(value: string, env: ReferenceContext['env'], files = new SecretFiles()): string {
  if (value.startsWith('file:')) return files.read(value.slice('file:'.length));
  return value.startsWith('env:') ? (env[value.slice('env:'.length)] ?? '') : value;
}

/** What requests add to an address, by what is written at its end. */
const requestPath = /\/(chat\/completions|completions|responses|messages|models|api\/chat|api\/generate|api\/tags)\/?$/;

/** Checks that each address is where a server's API begins, as far as anybody can say without asking it. */
function checkAddresses(upstreams: readonly (readonly [string, unknown])[]): Finding[] {
  return upstreams.flatMap(([name, upstream]): Finding[] => {
    const baseUrl = fieldOf(upstream, 'baseUrl');
    if (typeof baseUrl !== 'string') return [];
    const reason = wrongAddress(baseUrl, fieldOf(upstream, 'wire'));
    return reason === undefined ? [] : [{ path: ['upstreams', name, 'baseUrl'], reason }];
  });
}

function wrongAddress(baseUrl: string, wire: unknown): string | undefined {
  const variable = /\$\{?(\w+)|\{env:(\w+)\}|^env:(\w+)/.exec(baseUrl);
  if (variable !== null)
    return 'cannot come from a variable; write the address itself, such as "http://127.0.0.1:8080/v1"';
  if (!URL.canParse(baseUrl)) return undefined;
  const url = new URL(baseUrl);
  if (!['http:', 'https:'].includes(url.protocol)) return undefined;
  const request = requestPath.exec(url.pathname);
  if (request !== null) {
    const cure = `${url.origin}${url.pathname.slice(0, request.index)}`;
    return `ends with the path of a request, which the gateway adds; write ${JSON.stringify(cure)}`;
  }
  if (wire === 'ollama-chat' && /^\/(v1|api)\/?$/.test(url.pathname)) {
    return `the wire ollama-chat begins at the root of the server; write ${JSON.stringify(url.origin)}, or take the wire openai-chat`;
  }
  const path = pathOfHost(url, wire);
  if (url.pathname !== '/' || path === undefined) return undefined;
  return `its API begins at ${path}; write ${JSON.stringify(`${url.origin}${path}`)}`;
}

/**
 * Checks that every dialect which a model rule names is built in or is under `dialects`, or is `auto`
 * where calls of any are to be read. Works on the raw value.
 */
function checkDialects(raw: unknown): readonly Finding[] {
  const known = dialectsOf(raw);
  return entriesOf(fieldOf(raw, 'upstreams')).flatMap(([name, upstream]) => {
    const rules = entriesOf(fieldOf(upstream, 'models')).map(([model, rule]) => [['models', model], rule] as const);
    const all = [...rules, [['anyModel'], fieldOf(upstream, 'anyModel')] as const];
    return all.flatMap(([at, rule]) =>
      namedIn(rule).flatMap(({ path, id }) =>
        known.includes(id) ? [] : [{ path: ['upstreams', name, ...at, ...path], reason: unknownDialect(id, known) }],
      ),
    );
  });
}

/** The built-in dialects and those of the configuration. */
function dialectsOf(raw: unknown): readonly string[] {
  return [...dialectNames, ...entriesOf(fieldOf(raw, 'dialects')).map(([id]) => id)];
}

/** There are too many to name them all. */
function unknownDialect(id: string, known: readonly string[]): string {
  return `${JSON.stringify(id)} is unknown; "dragoman dialects" lists them all${didYouMean(id, known)}`;
}

/** The dialects that a model rule names, each with its place. */
function namedIn(rule: unknown): readonly { readonly path: Finding['path']; readonly id: string }[] {
  const alsoReads = fieldOf(rule, 'alsoReads');
  const listed: readonly unknown[] = Array.isArray(alsoReads) ? alsoReads : [];
  return [
    { path: ['toolCalling', 'dialect'], id: fieldOf(fieldOf(rule, 'toolCalling'), 'dialect') },
    ...listed.map((id, index) => ({ path: ['alsoReads', index], id })),
  ].flatMap(({ path, id }) => (typeof id === 'string' ? [{ path, id }] : []));
}

/**
 * Checks each upstream's quirks against the table of its wire: the name and the value. Works on the raw value; what the
 * schema complains about already (an unknown wire, a quirk that is a list) is passed over.
 */
function checkQuirks(upstreams: readonly (readonly [string, unknown])[]): Finding[] {
  return upstreams.flatMap(([upstream, entry]) => {
    const wire = fieldOf(entry, 'wire');
    const table = typeof wire === 'string' && Object.hasOwn(quirkTables, wire) ? quirkTables[wire] : undefined;
    const quirks = fieldOf(entry, 'quirks');
    if (typeof wire !== 'string' || table === undefined || typeof quirks !== 'object' || quirks === null) return [];
    return Object.entries(quirks).flatMap(([name, value]) => {
      const path = ['upstreams', upstream, 'quirks', name];
      const rule = Object.hasOwn(table, name) ? table[name] : undefined;
      if (rule === undefined) return [{ path, reason: unknownQuirk(name, wire) }];
      const reason = typeof value === 'object' ? undefined : wrongValue(rule, value);
      return reason === undefined ? [] : [{ path, reason }];
    });
  });
}

function unknownQuirk(name: string, wire: string): string {
  const known = Object.keys(quirkTables[wire] ?? {});
  const others = Object.keys(quirkTables).filter((other) => Object.hasOwn(quirkTables[other] ?? {}, name));
  const guess = didYouMean(name, known);
  if (others.length > 0) return `the wire ${wire} has no such quirk; it is one of ${others.join(' and ')}`;
  const list = known.length === 0 ? 'it has none' : `known: ${known.join(', ')}`;
  return `the wire ${wire} has no such quirk; ${guess === '' ? list : guess.slice('; '.length)}`;
}

function wrongValue(rule: QuirkRule, value: unknown): string | undefined {
  if (typeof rule === 'string') {
    return typeof value === 'boolean' ? undefined : `expected true or false, found ${describe(value)}`;
  }
  if (rule.value === 'count') {
    const fits = typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
    return fits ? undefined : `expected a whole number from 1, found ${describe(value)}`;
  }
  return typeof value === 'string' && rule.value.includes(value) ? undefined : notOneOf(value, rule.value);
}
