import { requests } from './checks/requests.ts';
import { ask, type Exchange } from './exchange.ts';
import { keyRefusal } from './key-refusal.ts';
import type { Session } from './session.ts';

/**
 * Whether the server has the API at all, and under which path. A server has it not when it says so by its status, or when
 * it answers as it does for a path that nobody serves.
 */
export async function findServed(session: Session): Promise<boolean> {
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
