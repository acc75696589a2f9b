import type { Check, Decision } from './checks/check.ts';
import { clientChecks } from './checks/clients.ts';
import { failureChecks } from './checks/failures.ts';
import { modelChecks } from './checks/models.ts';
import { replyChecks } from './checks/replies.ts';
import { requests } from './checks/requests.ts';
import { turnChecks } from './checks/turns.ts';
import type { Departure } from './departures.ts';
import { type AskLimits, ask, type Exchange } from './exchange.ts';
import { ConformanceError, findModel } from './find-model.ts';
import type { ConformanceReport, Outcome, ReportRow } from './report.ts';
import { Session } from './session.ts';
import type { WireId } from './wires/probe.ts';
import { probes } from './wires/registry.ts';

export interface ConformanceOptions {
  /** Where the server's APIs begin, with or without `/v1`. */
  readonly baseUrl: string;
  /** Default: the first of the server's list. */
  readonly model?: string;
  readonly key?: string;
  /** Default: every API. */
  readonly only?: readonly WireId[];
  /** Milliseconds for which the server may say nothing within one request. */
  readonly silence: number;
  /** Default: the global one. */
  readonly fetch?: typeof fetch;
  /** Hears of each outcome as soon as it is there. */
  readonly onOutcome?: (wire: WireId, check: string, outcome: Outcome) => void;
}

/** Every check, in the order of the matrix. */
export const checks: readonly Check[] = [
  ...modelChecks,
  ...replyChecks,
  ...turnChecks,
  ...failureChecks,
  ...clientChecks,
];

/** The ids of every API that can be checked. */
export const checkedWires: readonly WireId[] = probes.map(({ id }) => id);

/**
 * Sends real requests to a server and judges what comes back, API by API. Throws ConformanceError when there is nothing to
 * judge: no address, no server, no model, no key where one is asked for.
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const root = rootOf(options.baseUrl);
  const key = options.key ?? '';
  const limits: AskLimits = { fetch: options.fetch ?? fetch, silence: options.silence };
  const wanted = probes.filter(({ id }) => options.only?.includes(id) ?? true);
  const model = await findModel({ root, key, limits, probes: wanted, asked: options.model });
  const sessions = wanted.map((probe) => new Session({ probe, root, model, key, limits }));
  const served = await findAllServed(sessions);
  await stopWithoutKey(served);
  const columns = new Map<WireId, ReadonlyMap<string, Outcome>>();
  for (const session of sessions) {
    columns.set(session.probe.id, await runColumn(session, served.includes(session), options));
  }
  const rows = checks.map(({ name, expects }): ReportRow => {
    const outcomes = [...columns].map(([id, column]) => [id, column.get(name)]);
    return { check: name, expects, outcomes: Object.fromEntries(outcomes) };
  });
  const all = [...columns.values()].flatMap((column) => [...column.values()]);
  const passed = all.some(({ kind }) => kind === 'ok') && !all.some(({ kind }) => kind === 'failed');
  return { baseUrl: options.baseUrl, model, wires: wanted.map(({ id }) => id), rows, passed };
}

/** Asks one after another: small servers answer one request at a time. */
async function findAllServed(sessions: readonly Session[]): Promise<readonly Session[]> {
  const served: Session[] = [];
  for (const session of sessions) if (await findServed(session)) served.push(session);
  return served;
}

/** Throws ConformanceError where no API answers anything for want of the right key. */
async function stopWithoutKey(served: readonly Session[]): Promise<void> {
  const refusals = await Promise.all(
    served.map(async (session) => keyRefusal(await session.reply(requests.textWhole), session.key)),
  );
  const [first] = refusals;
  if (first === undefined || refusals.includes(undefined)) return;
  throw new ConformanceError(`${served[0]?.root} ${first}; send the right one with --key`);
}

/** Runs every check of one API, one after another, too. */
async function runColumn(
  session: Session,
  isServed: boolean,
  { onOutcome }: ConformanceOptions,
): Promise<ReadonlyMap<string, Outcome>> {
  const column = new Map<string, Outcome>();
  const { id } = session.probe;
  for (const check of checks) {
    const outcome = isServed ? await outcomeOf(check, session) : absent(check, id);
    column.set(check.name, outcome);
    onOutcome?.(id, check.name, outcome);
    // Without this reply nothing else can be expected.
    if (check.name === 'text-whole' && isServed) await noticeRefusal(session);
  }
  return column;
}

function absent({ wires }: Check, id: WireId): Outcome {
  return wires === undefined || wires.includes(id) ? { kind: 'not-served' } : { kind: 'none' };
}

async function outcomeOf(check: Check, session: Session): Promise<Outcome> {
  if (check.wires !== undefined && !check.wires.includes(session.probe.id)) return { kind: 'none' };
  if (session.hopeless !== undefined) return { kind: 'skipped', reason: session.hopeless };
  return readDecision(await check.run(session), session.key);
}

async function noticeRefusal(session: Session): Promise<void> {
  const exchange = await session.reply(requests.textWhole);
  if (exchange.kind !== 'reply' || exchange.status === 200) return;
  const refusal = keyRefusal(exchange, session.key);
  session.hopeless =
    refusal === undefined ? `the server refused text-whole with ${exchange.status}` : `the server ${refusal}`;
}

function readDecision(decision: Decision, key: string): Outcome {
  if ('skipped' in decision) return { kind: 'skipped', reason: decision.skipped };
  if ('absent' in decision) return { kind: 'not-served' };
  const told = decision.departures.map((departure) => withoutKey(departure, key));
  const violations = told.filter(({ level }) => level === 'violation');
  const notes = told.filter(({ level }) => level === 'note');
  return violations.length > 0 ? { kind: 'failed', violations, notes } : { kind: 'ok', notes };
}

/** A server may repeat the key in what it says; a report is shown around. */
function withoutKey(departure: Departure, key: string): Departure {
  if (key === '') return departure;
  const hide = (text: string) => text.replaceAll(key, '…');
  return { ...departure, what: hide(departure.what), frame: hide(departure.frame) };
}

function rootOf(baseUrl: string): string {
  const trimmed = baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl;
  return trimmed.endsWith('/v1') ? trimmed.slice(0, -'/v1'.length) : trimmed;
}

/**
 * Whether the server has the API at all, and under which path. A server has it not when it says so by its status, or when
 * it answers as it does for a path that nobody serves.
 */
async function findServed(session: Session): Promise<boolean> {
  const prefix = '/v1';
  for (const leftOut of session.probe.path.startsWith(prefix) ? ['', prefix] : ['']) {
    session.leftOut = leftOut;
    const exchange = await session.reply(requests.textWhole);
    if (isRefusal(exchange, session.model)) continue;
    if (await isAnyPath(session, exchange)) continue;
    return true;
  }
  session.leftOut = '';
  return false;
}

function isRefusal(exchange: Exchange, model: string): boolean {
  if (exchange.kind !== 'reply' || ![404, 405, 501].includes(exchange.status)) return false;
  // What names the model knows the API and lacks the model.
  return !exchange.text.includes(model);
}

/** Whether an answer is what the server says to any path: its start page, or that it does not know it. */
async function isAnyPath(session: Session, exchange: Exchange): Promise<boolean> {
  if (exchange.kind !== 'reply') return false;
  const isGood = exchange.status === 200 && exchange.contentType === 'application/json';
  if (isGood && !exchange.text.includes('"error"')) return false;
  const path = '/dragoman/no-such-path';
  const headers = session.probe.headers(session.key);
  const body = session.bodyOf(requests.textWhole);
  const other = await ask({ url: session.root + path, headers, body }, session.limits);
  if (other.kind !== 'reply' || other.status !== exchange.status) return false;
  // A server behind a key refuses every path in the same words.
  if (keyRefusal(other, session.key) !== undefined) return false;
  const own = exchange.text.replaceAll(session.probe.path.slice(session.leftOut.length), '');
  return own === other.text.replaceAll(path, '');
}

/** How an answer says that the key is missing (`key` is empty) or wrong; undefined when it says neither. */
function keyRefusal(exchange: Exchange, key: string): string | undefined {
  if (exchange.kind !== 'reply') return undefined;
  if (key === '') return exchange.status === 401 ? 'asks for a key' : undefined;
  // Servers that ask for a key with 401 may refuse one with 403, as ours does.
  return exchange.status === 401 || exchange.status === 403 ? 'refuses the key' : undefined;
}
