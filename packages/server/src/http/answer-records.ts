import { DragomanError } from '@dragoman/core';
import type { RecordCount, Scope } from '../records/record-store.ts';
import { type Grouping, groupings } from '../records/record-store.ts';
import type { Records } from '../records/records.ts';
import { shownId } from '../stores/kept-responses.ts';
import { StoreError } from '../stores/sql-client.ts';
import { type HttpExchange, ownerOf } from './exchange.ts';
import { queryOf, readChoice, readNumber, readWord } from './read-query.ts';
import { sendJson } from './send.ts';

/**
 * `GET /records`: the latest first unless `order=asc`, in pages of `limit` after the record `after`. `name`: only those
 * that it leads to, an id of any kind. `whole=true`: with what was said.
 */
export async function answerRecords(exchange: HttpExchange): Promise<void> {
  const query = queryOf(exchange);
  const name = query.get('name');
  const after = query.get('after');
  const whole = readChoice(query, 'whole') ?? false;
  // Whole records may be megabytes each.
  const most = whole ? 20 : 100;
  const limit = readNumber(query, { name: 'limit', least: 1, most }) ?? 20;
  const order = readWord(query, { name: 'order', words: ['asc', 'desc'] });
  const scope = scopeOf(exchange);
  const records = await reading(exchange, async (from) => {
    if (after !== null && (await from.get(after, scope)) === undefined) throw unknownRecord(after, 'after');
    return from.list({
      scope,
      limit: limit + 1,
      whole,
      oldestFirst: order === 'asc',
      ...(name === null ? {} : { name }),
      ...(after === null ? {} : { after }),
    });
  });
  const data = records.slice(0, limit);
  sendJson(exchange.response, 200, {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: records.length > limit,
  });
}

/** `GET /records/:id`: one record with what was said. `last` is the latest. */
export async function answerRecord(exchange: HttpExchange, id: string): Promise<void> {
  const scope = scopeOf(exchange);
  const record = await reading(exchange, async (from) =>
    id === 'last' ? (await from.list({ scope, limit: 1, whole: true }))[0] : from.get(id, scope),
  );
  if (record === undefined) throw unknownRecord(id, 'id');
  sendJson(exchange.response, 200, record);
}

/** `DELETE /records/:id`. */
export async function deleteRecord(exchange: HttpExchange, id: string): Promise<void> {
  const count = await reading(exchange, (from) => from.delete(scopeOf(exchange), id));
  if (count === 0) throw unknownRecord(id, 'id');
  sendJson(exchange.response, 200, { id, object: 'record', deleted: true });
}

/** `DELETE /records`: all that the caller may see. */
export async function deleteRecords(exchange: HttpExchange): Promise<void> {
  const count = await reading(exchange, (from) => from.delete(scopeOf(exchange)));
  sendJson(exchange.response, 200, { object: 'list', deleted: count });
}

/**
 * `GET /records/statistics`: requests, tokens and times, all together and by what `by` names: `model`, `key`, `day`,
 * `upstream`, with commas. `days`: only those of so many last days.
 */
export async function answerStatistics(exchange: HttpExchange): Promise<void> {
  const query = queryOf(exchange);
  const by = readGroupings(query.get('by') ?? 'model');
  const days = readNumber(query, { name: 'days', least: 1, most: 36_500 });
  const since = days === undefined ? 0 : Date.now() - days * 86_400_000;
  const scope = scopeOf(exchange);
  const [all, groups] = await reading(exchange, (from) =>
    Promise.all([from.count(scope, { by: [], since }), from.count(scope, { by, since })]),
  );
  const [total] = all;
  sendJson(exchange.response, 200, {
    object: 'statistics',
    total: total === undefined ? null : writeCount(total),
    groups: groups.map(writeCount),
  });
}

function writeCount({ inputTokens, outputTokens, withUsage, ...rest }: RecordCount): object {
  return { ...rest, input_tokens: inputTokens, output_tokens: outputTokens, with_usage: withUsage };
}

function readGroupings(text: string): readonly Grouping[] {
  return text.split(',').map((name) => {
    const found = groupings.find((each) => each === name);
    if (found !== undefined) return found;
    throw new DragomanError('bad-request', `by: must be some of ${groupings.join(', ')}, with commas.`, {
      param: 'by',
    });
  });
}

/** Without keys all callers are one, and on this machine; a key sees its own unless it may see all. */
function scopeOf(exchange: HttpExchange): Scope {
  const { auth, keys } = exchange.gateway.config;
  const owner = ownerOf(exchange);
  const seesAll = keys.some(({ name, records }) => name === owner && records === 'all');
  return auth.mode === 'off' || keys.length === 0 || seesAll ? 'all' : { owner };
}

async function reading<T>({ gateway }: HttpExchange, read: (from: Records) => Promise<T>): Promise<T> {
  const { records } = gateway.stores;
  if (records === undefined) {
    throw new DragomanError(
      'record-unknown',
      'Nothing is recorded here: "records.level" is "off". Write "records": { "level": "full" } into the configuration.',
    );
  }
  try {
    return await read(records);
  } catch (thrown) {
    if (!(thrown instanceof StoreError)) throw thrown;
    throw new DragomanError('store-failed', 'The database of records cannot be reached. Try again soon.', {
      cause: thrown,
    });
  }
}

function unknownRecord(id: string, param: string): DragomanError {
  return new DragomanError('record-unknown', `There is no record ${shownId(id)}.`, { param });
}
