import type { RecordHead } from '../records/exchange-record.ts';
import { openReader, type RecordReader, RecordsUnreadable } from '../records/record-reader.ts';
import { ContextWriter } from '../records/write-context.ts';
import { readSecret } from './read-secret.ts';
import { readConfig } from './read-setup.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** Where records are read from, and with which key. */
export interface ReaderFlags {
  readonly config?: string;
  readonly url?: string;
  /** The key itself, or `env:NAME`. */
  readonly key?: string;
}

export interface ContextFlags extends ReaderFlags {
  /** Only so many of the latest exchanges. */
  readonly last?: number;
  readonly json?: true;
}

/** Records that are asked for at once. */
const page = 10;

/** `dragoman context`: what the model saw and said in a conversation, or in one exchange. Throws CommandError. */
export async function printContext(terminal: Terminal, name: string, flags: ContextFlags): Promise<number> {
  await readingRecords(terminal, flags, async (reader) => {
    const asked = name === 'last' ? await latestConversation(reader) : name;
    const writer = new ContextWriter();
    let count = 0;
    for await (const record of recordsOf(reader, { name: asked, last: flags.last })) {
      count += 1;
      terminal.stdout.write(flags.json === true ? `${JSON.stringify(record)}\n` : writer.write(record));
    }
    if (count === 0) throw new CommandError(unknownName(name));
  });
  return 0;
}

/** Opens a reader for as long as `read` takes. Throws CommandError where there is none. */
export async function readingRecords<T>(
  terminal: Terminal,
  flags: ReaderFlags,
  read: (reader: RecordReader) => Promise<T>,
): Promise<T> {
  const { config } = readConfig(terminal, flags.config === undefined ? {} : { config: flags.config });
  const { env, cwd } = terminal;
  const { url } = flags;
  const key = flags.key === undefined ? undefined : readSecret(flags.key, terminal);
  try {
    const reader = await openReader({ config, env, cwd, url, key });
    try {
      return await read(reader);
    } finally {
      await reader.close();
    }
  } catch (thrown) {
    if (thrown instanceof RecordsUnreadable) throw new CommandError(thrown.message);
    throw thrown;
  }
}

/** What is told where a name leads to nothing. */
export function unknownName(name: string): string {
  const shown = JSON.stringify(name.slice(0, 100));
  return `No record is known as ${shown}. It may be any id of a conversation, a record, a request, a reply or an error, or "last"; records are kept where "records.level" is not "off".`;
}

async function latestConversation(reader: RecordReader): Promise<string> {
  const [record] = await reader.list({ limit: 1 });
  if (record === undefined)
    throw new CommandError('Nothing is recorded yet. Write into the configuration: "records": { "level": "full" }.');
  return record.conversation.id;
}

/** The records that a name leads to, in the order in which they came. */
async function* recordsOf(
  reader: RecordReader,
  { name, last }: { readonly name: string; readonly last: number | undefined },
): AsyncIterable<RecordHead> {
  let after = last === undefined ? undefined : await recordBefore(reader, { name, last });
  for (;;) {
    const records = await reader.list({
      name,
      oldestFirst: true,
      whole: true,
      limit: page,
      ...(after === undefined ? {} : { after }),
    });
    yield* records;
    if (records.length < page) return;
    after = records.at(-1)?.id;
  }
}

/** The record before the latest `last` ones; undefined where there are no more than these. */
async function recordBefore(
  reader: RecordReader,
  { name, last }: { readonly name: string; readonly last: number },
): Promise<string | undefined> {
  const latest = await reader.list({ name, limit: last + 1 });
  return latest[last]?.id;
}
