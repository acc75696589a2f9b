import { listenUrl } from '../config/listen-url.ts';
import type { Config } from '../config/schema.ts';
import { openExisting } from '../stores/open-existing.ts';
import type { RecordHead } from './exchange-record.ts';
import { readRecord } from './read-record.ts';
import { type RecordQuery, RecordStore } from './record-store.ts';

/** Reads records from wherever they are. */
export interface RecordReader {
  list(query: Omit<RecordQuery, 'scope'>): Promise<readonly RecordHead[]>;
  close(): Promise<void>;
}

/** Why records cannot be read, in a sentence for whoever asked. */
export class RecordsUnreadable extends Error {
  override readonly name = 'RecordsUnreadable';
}

export interface ReaderOptions {
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that relative names start from. */
  readonly cwd: string;
  /** Where a gateway runs that is to be asked. Default: the database of the configuration, if it has one. */
  readonly url?: string | undefined;
  /** The key to ask it with. */
  readonly key?: string | undefined;
}

/**
 * Reads from the database that the configuration names, whether a gateway runs or not; what is kept in memory only the
 * running gateway can tell. Throws RecordsUnreadable.
 */
export async function openReader(options: ReaderOptions): Promise<RecordReader> {
  const { config, url } = options;
  if (url !== undefined || config.store === 'memory') return new GatewayReader(options);
  const client = await openExisting({ ...options, store: config.store });
  if ('missing' in client) {
    throw new RecordsUnreadable(`There is no file ${client.missing}: no gateway has stored anything there yet.`);
  }
  const store = new RecordStore(client);
  return {
    list: (query) => telling(() => store.list({ ...query, scope: 'all' })),
    close: () => client.close(),
  };
}

async function telling<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new RecordsUnreadable(`The records cannot be read: ${reason}`);
  }
}

/** Asks a running gateway. */
class GatewayReader implements RecordReader {
  readonly #address: string;
  readonly #key: string | undefined;

  constructor({ config, url, key }: ReaderOptions) {
    this.#address = url ?? listenUrl(config.listen);
    this.#key = key;
  }

  async list({ name, after, limit, whole, oldestFirst }: Omit<RecordQuery, 'scope'>): Promise<readonly RecordHead[]> {
    const query = new URLSearchParams({
      limit: String(limit),
      order: oldestFirst === true ? 'asc' : 'desc',
      whole: String(whole ?? false),
      ...(name === undefined ? {} : { name }),
      ...(after === undefined ? {} : { after }),
    });
    const answer = await this.#ask(`/records?${query}`);
    const text = await answer.text();
    if (!answer.ok) throw new RecordsUnreadable(`The gateway at ${this.#address} says: ${messageIn(text)}`);
    return readList(text);
  }

  async close(): Promise<void> {}

  async #ask(path: string): Promise<Response> {
    const headers = this.#key === undefined ? {} : { authorization: `Bearer ${this.#key}` };
    try {
      return await fetch(new URL(path, this.#address), { headers });
    } catch {
      throw new RecordsUnreadable(
        `No gateway answers at ${this.#address}, and only a running gateway can tell what it keeps in memory. Start it, or name another one with --url.`,
      );
    }
  }
}

function readList(text: string): readonly RecordHead[] {
  const list: unknown = JSON.parse(text);
  const data = typeof list === 'object' && list !== null && 'data' in list ? list.data : undefined;
  return Array.isArray(data) ? data.map((each: unknown) => readRecord(JSON.stringify(each))) : [];
}

function messageIn(text: string): string {
  try {
    const { error } = JSON.parse(text);
    return String(error?.message ?? text);
  } catch {
    return text.slice(0, 200);
  }
}
