import { checkAddresses } from './check-addresses.ts';
import { checkConversations } from './check-conversations.ts';
import { checkDialects } from './check-dialects.ts';
import { checkQuirks } from './check-quirks.ts';
import { checkWorkers } from './check-workers.ts';
import { nearestName } from './nearest-name.ts';
import type { QuirkTables } from './quirk-schema.ts';
import { entriesOf, fieldOf } from './raw-value.ts';
import type { Finding } from './read-findings.ts';
import { readSecretFile, SecretFiles } from './secret-files.ts';

export interface ReferenceContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Models that are there without being configured, as `upstream/model`. */
  readonly builtIn: readonly string[];
  readonly quirks: QuirkTables;
  /** The built-in ones. */
  readonly dialects: readonly string[];
  readonly mayLackSecrets?: boolean;
}

/**
 * Checks what a schema cannot: that aliases lead to a model, that names do not clash, that dialects exist, that quirks are those of the wire
 * and that every `env:NAME` is set and every `file:PATH` there. Works on the raw value, so these mistakes are told in the same pass as the schema's.
 */
export function checkReferences(raw: unknown, context: ReferenceContext): readonly Finding[] {
  const upstreams = entriesOf(fieldOf(raw, 'upstreams'));
  const demo = fieldOf(raw, 'demo') !== false;
  const builtIn = demo ? context.builtIn : [];
  const names = [...builtIn];
  const open: string[] = [];
  const findings: Finding[] = [
    ...checkAddresses(upstreams),
    ...checkQuirks(upstreams, context.quirks),
    ...checkConversations(upstreams),
    ...checkWorkers(upstreams),
    ...checkDialects(raw, context.dialects),
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
      : unknownModel(target, { names: [...names, ...direct], open });
    findings.push({ path: ['models', alias], reason });
  }
  const chosen = fieldOf(raw, 'defaultModel');
  const every = [...names, ...aliases.map(([alias]) => alias), ...(demo ? ['demo'] : [])];
  if (typeof chosen === 'string' && !every.includes(chosen) && !reachable(chosen)) {
    findings.push({ path: ['defaultModel'], reason: unknownModel(chosen, { names: every, open }) });
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

function unknownModel(
  name: string,
  { names, open }: { readonly names: readonly string[]; readonly open: readonly string[] },
): string {
  const guess =
    names.find((each) => each.endsWith(`/${name}`)) ??
    nearestName(name, names) ??
    (name.includes('/') ? undefined : open[0]?.concat(name));
  const hint = guess === undefined ? '' : `; did you mean ${JSON.stringify(guess)}?`;
  return `${JSON.stringify(name)} is no configured model${hint}`;
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
