import { type LocalServer, localServers, type ServerKind } from './local-servers.ts';

/** A server that answered. */
export interface FoundServer {
  readonly kind: ServerKind;
  /** For people, such as `LM Studio`. */
  readonly name: string;
  /** Its address without a path, such as `http://127.0.0.1:1234`. */
  readonly url: string;
  /** The upstream wire that is best for it. */
  readonly api: string;
  /** Where that API begins, such as `http://127.0.0.1:1234/v1`. */
  readonly baseUrl: string;
  /** Where its list of models says most, from the root; absent: where the API has it. */
  readonly listPath?: string;
  /** It is there, and tells its models only to those who have its key. */
  readonly wantsKey?: true;
}

export interface FindOptions {
  /** Default: the host's own. One that is bound to the rules of web pages finds only servers that allow it. */
  readonly fetch?: typeof fetch;
  /** Addresses without a path to ask besides, such as `ollamaAddress(env.OLLAMA_HOST)`. */
  readonly also?: readonly string[];
  /** Addresses that are left alone: one's own. */
  readonly except?: readonly string[];
  /** What was found before: it is asked whether it is still there, and stays if it is merely slow. */
  readonly before?: readonly FoundServer[];
  /** Milliseconds that each answer may take. Default: 1000. */
  readonly patience?: number;
  readonly signal?: AbortSignal;
}

/**
 * Finds the model servers of this machine: asks the usual ports on loopback, all side by side, what they are and which models
 * they have, and nothing else. In the order of `localServers`. Rejects only with the signal's reason.
 *
 * @example
 * for (const server of await findServers()) {
 *   const { direct, models } = await openServer(server, AbortSignal.timeout(15_000));
 * }
 */
export async function findServers(options: FindOptions = {}): Promise<readonly FoundServer[]> {
  const ports = [...new Set(localServers.flatMap(({ ports: own }) => own))];
  const places = ports.map((port) => [`http://127.0.0.1:${port}`, `http://[::1]:${port}`]);
  const usual = new Set(places.flat());
  const also = new Set((options.also ?? []).map(plain).filter((url) => !usual.has(url)));
  const left = new Set((options.except ?? []).map(plain));
  const asked = [...places, ...[...also].map((url) => [url])]
    .filter((urls) => !urls.some((url) => left.has(url)))
    .map(async (urls) => {
      const [first, second] = await Promise.all(urls.map((url) => identifyServer(url, options)));
      // A server that listens on both is one server.
      return first ?? second;
    });
  const found = (await Promise.all(asked)).filter((server) => server !== undefined);
  options.signal?.throwIfAborted();
  return found.sort((a, b) => rank(a) - rank(b));
}

/** One of no known kind was started by hand: it comes before the one that runs all day. */
function rank({ kind }: FoundServer): number {
  const at = (wanted: ServerKind) => localServers.findIndex((server) => server.kind === wanted);
  return kind === 'other' ? at('ollama') - 0.5 : at(kind);
}

function plain(url: string): string {
  return new URL(url).origin.replace('//localhost', '//127.0.0.1');
}

/** What is at one address without a path; undefined where no model server answers. */
export async function identifyServer(
  url: string,
  options: Pick<FindOptions, 'fetch' | 'before' | 'patience' | 'signal'> = {},
): Promise<FoundServer | undefined> {
  const ask = (path: string) => askFor(url + path, options);
  const before = options.before?.find((server) => server.url === url);
  if (before !== undefined && before.wantsKey !== true) {
    const again = await ask(before.api === 'ollama-chat' ? '/api/version' : '/v1/models');
    if (again.is === 'slow' || again.is === 'json') return before;
    if (again.is === 'nobody') return undefined;
  }
  const version = await ask('/api/version');
  if (version.is === 'nobody' || version.is === 'slow') return undefined;
  // Its list is not asked for: it would ask its own servers first, and they perhaps us.
  if (version.fields.dragoman !== undefined) return foundAs(serverOf('dragoman'), url);
  const list = await ask('/v1/models');
  if (list.is === 'locked') return { ...foundAs(lockedAt(url), url), wantsKey: true };
  const { entries } = list;
  const owner = entries?.map((entry) => fieldsOf(entry).owned_by).find((each) => typeof each === 'string');
  const named = localServers.find((server) => server.owner !== undefined && server.owner === owner);
  if (named !== undefined) return foundAs(named, url, await answers(named, ask));
  if (typeof version.fields.version === 'string') return foundAs(serverOf('ollama'), url);
  if (entries === undefined) return undefined;
  for (const server of usualAt(url)) {
    const isIt = await answers(server, ask);
    if (isIt || server.question === undefined) return foundAs(server, url, isIt);
  }
  return foundAs(other, url);
}

const other: LocalServer = { kind: 'other', name: 'A server', ports: [], api: 'openai-chat' };

function serverOf(kind: ServerKind): LocalServer {
  return localServers.find((server) => server.kind === kind) ?? other;
}

/** Those with this port that do not write who they are into their lists. */
function usualAt(url: string): readonly LocalServer[] {
  const port = Number(new URL(url).port);
  return localServers.filter(
    ({ ports, owner, api }) => ports.includes(port) && owner === undefined && api !== 'ollama-chat',
  );
}

/** What wants a key before it says a word is called by its port, where that is only one server's. */
function lockedAt(url: string): LocalServer {
  const port = Number(new URL(url).port);
  const [first, second] = localServers.filter(({ ports }) => ports.includes(port));
  return first !== undefined && second === undefined ? first : other;
}

async function answers({ question }: LocalServer, ask: (path: string) => Promise<Answer>): Promise<boolean> {
  if (question === undefined) return false;
  const { fields, entries = [] } = await ask(question.path);
  return [fields, ...entries.map(fieldsOf)].some((each) => each[question.field] !== undefined);
}

function foundAs({ kind, name, api, question, listsThere }: LocalServer, url: string, answered = false): FoundServer {
  return {
    kind,
    name,
    url,
    api,
    baseUrl: api === 'ollama-chat' ? url : `${url}/v1`,
    ...(answered && listsThere && question !== undefined ? { listPath: question.path } : {}),
  };
}

/** What came of a question. `other`: somebody answered, and not with an object of JSON. */
interface Answer {
  readonly is: 'json' | 'locked' | 'other' | 'slow' | 'nobody';
  readonly fields: Readonly<Record<string, unknown>>;
  /** The entries of a list in OpenAI's form, which Ollama writes null for none; undefined for what is no list. */
  readonly entries?: readonly unknown[] | undefined;
}

async function askFor(url: string, { fetch: send = fetch, patience = 1000, signal }: FindOptions): Promise<Answer> {
  const late = AbortSignal.timeout(patience);
  try {
    // Nobody but this address is asked, whatever it answers.
    const init = { redirect: 'error', signal: signal === undefined ? late : AbortSignal.any([late, signal]) } as const;
    const response = await send(url, init);
    const body: unknown = await response.json().catch(() => undefined);
    if (!isObject(body)) return { is: 'other', fields: {} };
    if (response.status === 401) return { is: 'locked', fields: {} };
    if (!response.ok) return { is: 'other', fields: {} };
    const { object, data } = body;
    return { is: 'json', fields: body, entries: Array.isArray(data) ? data : object === 'list' ? [] : undefined };
  } catch {
    return { is: late.aborted ? 'slow' : 'nobody', fields: {} };
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
