import {
  type ConversationStore,
  jsonOf,
  type KnownPoint,
  MemoryCallIdStore,
  MemoryFactStore,
  MemoryResponseStore,
  type Upstream,
} from '@dragoman/core';
import { WebSocket } from 'ws';
import { createSetup, type SharedSetup } from '../config/create-setup.ts';
import { loadConfig } from '../config/load-config.ts';
import { ConfigError, formatPath } from '../config/problem.ts';
import type { Config } from '../config/schema.ts';
import { Discovery } from '../discovery/discovery.ts';
import { type RunningGateway, startGateway } from '../http/create-gateway.ts';
import { isRecord } from '../is-record.ts';
import { createLog } from '../log/create-log.ts';
import type { Stores } from '../open-stores.ts';
import { recordedConfigSchema } from '../records/recorded-config-schema.ts';
import { type Asking, createRecordedTransport } from './recorded-transport.ts';
import type { Recording } from './recording.ts';

/** What a replay has shown. */
export interface Replayed {
  readonly status: number;
  /** What the client is told, all of it. */
  readonly reply: string;
  /** What the upstream is asked, JSON text of each body. */
  readonly asked: readonly string[];
}

/** Errors by which a reply ends when its upstream says nothing for too long. */
const deadlines = {
  'connect-timeout': 'connect',
  'first-token-timeout': 'firstToken',
  'idle-timeout': 'idle',
  'total-timeout': 'total',
} as const;

/**
 * Runs a recorded exchange again: a gateway of this program as it is now, configured as it was, with the recording in the
 * place of the upstream. Nothing leaves the machine, and time passes only where a deadline has to. Throws ConfigError for
 * a configuration that this program does not take any more.
 */
export async function replayRecording(recording: Recording): Promise<Replayed> {
  const asking: Asking = { bodies: [] };
  const gateway = await startRecorded(recording, asking);
  try {
    return { ...(await askRecorded(gateway.url, recording)), asked: asking.bodies };
  } finally {
    await gateway.close();
  }
}

async function startRecorded(recording: Recording, asking: Asking): Promise<RunningGateway> {
  const config = configOf(recording);
  const redact = (each: string) => each;
  const log = createLog({ level: 'silent', format: 'json', target: { write: () => {} }, redact });
  const made = createSetup(config, { env: {} });
  // A file may name any address: nobody is called, whatever its configuration says.
  const setup = {
    ...made,
    setup: recordedSetup(recording, { setup: made.setup, asking }),
    discovery: new Discovery([]),
  };
  const stores = rememberingStores(recording.point);
  return startGateway({ config, setup, log, redact, env: {}, stores });
}

/**
 * The configuration of a recording. Throws ConfigError where this program does not take it any more, or where it holds what
 * was never recorded.
 */
export function configOf({ config }: Recording): Config {
  refuseForeign(config);
  const text = JSON.stringify({ ...config, listen: { port: 0 }, log: { level: 'silent' } });
  return loadConfig({ env: {}, file: { name: 'the recording', text } });
}

/** Whoever gave a recording away may have written anything into it, such as the name of a file of this machine. */
function refuseForeign(config: Recording['config']): void {
  const { error } = recordedConfigSchema.safeParse(config);
  if (error === undefined) return;
  const paths = error.issues.flatMap(({ path, ...issue }) => {
    const steps = path.map((step) => (typeof step === 'number' ? step : String(step)));
    return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...steps, key]) : [steps];
  });
  throw new ConfigError(paths.map((path) => ({ path: formatPath(path), reason: 'a recording never holds this' })));
}

/** The setup with the recorded upstream, the digits that were drawn, and a clock that stands until a deadline has to pass. */
function recordedSetup(
  recording: Recording,
  { setup, asking }: { readonly setup: SharedSetup; readonly asking: Asking },
): SharedSetup {
  const { about, upstream: answers } = recording;
  const upstream = setup.upstreams.get(about.plan.upstream);
  const deadline = deadlineOf(about.error?.code);
  let now = 0;
  const ticks = new Set<() => void>();
  const tickAll = (): void => {
    for (const tick of [...ticks]) tick();
  };
  const stalled = (): void => {
    // From this tick on nothing has been read.
    tickAll();
    now += (upstream?.deadlines[deadline ?? 'total'] ?? 0) + 1;
    tickAll();
  };
  const transport = createRecordedTransport(answers, { asking, stalls: deadline !== undefined, stalled });
  const upstreams = new Map<string, Upstream>();
  for (const [name, each] of setup.upstreams) upstreams.set(name, { ...each, transport });
  const randomHex = drawAgain(recording);
  return {
    ...setup,
    upstreams,
    randomHex,
    conversationDigest: () => randomHex(nonceDigits),
    now: () => now,
    every: (_, tick) => {
      ticks.add(tick);
      return () => ticks.delete(tick);
    },
  };
}

function deadlineOf(code: string | undefined): (typeof deadlines)[keyof typeof deadlines] | undefined {
  return Object.entries(deadlines).find(([name]) => name === code)?.[1];
}

/** So many digits of a conversation's digest are recorded. */
const nonceDigits = 8;

/** The digits that were drawn, in their order; where others are asked for, some that nobody has drawn. */
function drawAgain({ drawn, about }: Recording): (length: number) => string {
  // A connection and its turn have names of their own before the reply has any.
  const before = about.method === 'WEBSOCKET' ? ['0'.repeat(24), '0'.repeat(16)] : [];
  const errorDigits = about.error?.id?.slice('err_'.length);
  const left = [...before, ...drawn, ...(errorDigits === undefined ? [] : [errorDigits])];
  let count = 0;
  return (length) => {
    if (left[0]?.length === length) return left.shift() ?? '';
    count += 1;
    return count.toString(16).padStart(length, '0').slice(-length);
  };
}

/** What was sent to the upstream when it was recorded: JSON text of each body. */
export function recordedBodies({ upstream }: Recording): readonly string[] {
  return upstream.map(({ body }) => (typeof body === 'object' && body !== null ? jsonOf(body) : JSON.stringify(body)));
}

/** Room for what one exchange stores, in characters. */
const room = 64 * 1024 * 1024;

/** Stores of one replayed exchange, in which the point is known from which it went on, whatever leads to it. */
function rememberingStores(point: KnownPoint | undefined): Stores {
  const responses = new MemoryResponseStore({ maxSize: room });
  const callIds = new MemoryCallIdStore({ maxSize: room });
  const conversations: ConversationStore = {
    find: async (keys) => new Map(point === undefined ? [] : keys.map((key) => [key, [point]])),
    take: async () => point,
    settle: () => {},
    put: () => undefined,
  };
  return {
    responses,
    held: responses,
    callIdsOf: (owner) => callIds.of(owner),
    conversationsOf: () => conversations,
    fetchCallIds: () => undefined,
    facts: new MemoryFactStore(),
    records: undefined,
    health: () => ({ kind: 'memory', status: 'ok', waiting: 0 }),
    close: async () => {},
  };
}

/** What a client is told. */
interface Told {
  readonly status: number;
  readonly reply: string;
}

/** The events by which a response in a WebSocket ends. */
const lastEvents: readonly unknown[] = ['response.completed', 'response.incomplete', 'response.failed', 'error'];

/** Asks a gateway as the recorded client did, over the same API in the same way, and waits for the end of the reply. */
async function askRecorded(url: string, recording: Recording): Promise<Told> {
  switch (recording.about.method) {
    case 'WEBSOCKET':
      return askSocket(url, recording);
    case 'BACKGROUND':
      return askBackground(url, recording);
    default:
      return told(await post(url, recording));
  }
}

function post(url: string, { about, request }: Recording): Promise<Response> {
  return fetch(url + about.route, {
    method: 'POST',
    headers: { ...request.headers, 'content-type': 'application/json', 'x-request-id': about.requestId },
    body: textOf(request.body),
  });
}

/** A response that ran on by itself is read where everybody can read its events. */
async function askBackground(url: string, recording: Recording): Promise<Told> {
  const queued = await post(url, recording);
  await queued.text();
  if (!queued.ok) return told(queued);
  return told(await fetch(`${url}/v1/responses/resp_${recording.about.replyId}?stream=true`));
}

function askSocket(url: string, { request }: Recording): Promise<Told> {
  const fields = isRecord(request.body) ? request.body : {};
  const messages: string[] = [];
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/responses`);
  return new Promise((resolve, reject) => {
    socket.on('open', () => socket.send(textOf({ ...fields, type: 'response.create' })));
    socket.on('error', reject);
    // Without a last event, whatever the recording says of itself.
    socket.on('close', () => resolve({ status: 200, reply: messages.join('') }));
    socket.on('message', (data) => {
      const text = String(data);
      messages.push(`${text}\n`);
      if (!lastEvents.includes(JSON.parse(text).type)) return;
      resolve({ status: 200, reply: messages.join('') });
      socket.close();
    });
  });
}

async function told(answer: Response): Promise<Told> {
  return { status: answer.status, reply: await answer.text() };
}

function textOf(body: unknown): string {
  return typeof body === 'object' && body !== null ? jsonOf(body) : JSON.stringify(body);
}
