import { type AskLimits, ask } from './exchange.ts';
import { readJson } from './read-json.ts';
import type { WireProbe } from './wires/probe.ts';

/** Nothing can be judged. The message is one clear line. */
export class ConformanceError extends Error {
  override readonly name = 'ConformanceError';
}

export interface ModelSearch {
  readonly root: string;
  readonly key: string;
  readonly limits: AskLimits;
  readonly probes: readonly WireProbe[];
  readonly asked: string | undefined;
}

/**
 * The model to check with: the one that was asked for, or the first of the server's lists that writes text. Throws
 * ConformanceError when the server cannot be reached or names none.
 */
export async function findModel({ root, key, limits, probes, asked }: ModelSearch): Promise<string> {
  let wantsKey = false;
  const paths = new Set(probes.map(({ modelList }) => modelList.path));
  for (const path of [...paths, '/models']) {
    const probe = probes.find(({ modelList }) => modelList.path === path) ?? probes[0];
    if (probe === undefined) break;
    const exchange = await ask({ url: root + path, headers: probe.headers(key) }, limits);
    if (exchange.kind === 'unreachable') throw new ConformanceError(`${root} cannot be reached: ${exchange.reason}`);
    if (asked !== undefined) return asked;
    if (exchange.kind !== 'reply') continue;
    wantsKey ||= exchange.status === 401 || exchange.status === 403;
    const ids = exchange.status === 200 ? probe.modelList.read(readJson(exchange.text)) : undefined;
    const first = ids?.find(writesText);
    if (first !== undefined) return first;
  }
  throw new ConformanceError(
    wantsKey
      ? `${root} does not list its models without the right key; send one with --key, or name a model with --model`
      : `${root} lists no models; name one with --model`,
  );
}

/** Lists also hold models that make vectors or hear, with which nobody chats. */
function writesText(id: string): boolean {
  return !['embed', 'whisper', 'rerank', 'tts'].some((part) => id.toLowerCase().includes(part));
}
