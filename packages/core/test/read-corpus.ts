import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { ChatEvent } from '../src/chat/event.ts';
import type { ChatRequest } from '../src/chat/request.ts';
import type { WarningCode } from '../src/chat/warning.ts';
import type { ErrorCode } from '../src/errors.ts';

/** Something that a wire cannot say in a situation, or can say only in other words. */
export interface Loss {
  /** Where in the canonical form, such as `messages[0].name`. */
  readonly at: string;
  /** What is read there instead. Absent: nothing is; an element leaves its list. */
  readonly reads?: unknown;
  /** The warning by which the wire's request writer tells it. Absent: nothing of the meaning is lost. */
  readonly told?: WarningCode;
  readonly why: string;
}

/** An event as the corpus writes it: warnings by their code, errors by theirs and the upstream's own words. */
export type WrittenEvent =
  | Exclude<ChatEvent, { type: 'error' | 'warning' }>
  | { readonly type: 'warning'; readonly code: WarningCode }
  | { readonly type: 'error'; readonly code: ErrorCode; readonly message: string };

/** One folder of the corpus. */
export interface Situation<Canonical> {
  readonly name: string;
  readonly canonical: Canonical;
  /** The names of its files. */
  readonly files: readonly string[];
  /** In the order in which they apply; none for a wire that says everything. */
  lossesOf(wire: string): readonly Loss[];
  /** The text of a file; the test fails, naming it, when it is missing. */
  read(file: string): string;
}

const corpus = fileURLToPath(new URL('../../../corpus/', import.meta.url));

export const requestSituations: readonly Situation<ChatRequest>[] = readSituations<ChatRequest>('requests');
export const streamSituations: readonly Situation<readonly WrittenEvent[]>[] =
  readSituations<readonly WrittenEvent[]>('streams');

type Losses = Readonly<Record<string, readonly Loss[]>>;

function readSituations<Canonical>(kind: string): readonly Situation<Canonical>[] {
  const everywhere = readLosses(`${corpus}${kind}/losses.json`);
  const folders = readdirSync(`${corpus}${kind}`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => {
    const place = `${corpus}${kind}/${name}/`;
    const own = readLosses(`${place}losses.json`);
    const read = (file: string) => {
      if (!existsSync(place + file)) expect.fail(`corpus/${kind}/${name}/${file} is missing`);
      return readFileSync(place + file, 'utf8');
    };
    return {
      name,
      canonical: frozen(JSON.parse(read('canonical.json'))) as Canonical,
      files: readdirSync(place),
      lossesOf: (wire) => [...(own[wire] ?? []), ...(everywhere[wire] ?? [])],
      read,
    };
  });
}

/** A file that is not there holds none. */
function readLosses(file: string): Losses {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Losses) : {};
}

/** Frozen all the way down: whoever changes what it was given throws. */
export function frozen(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}

/** The canonical form as one wire says it: without what only other wires know, and with the wire's losses applied. */
export function asSaidBy<Canonical>(wire: string, canonical: Canonical, losses: readonly Loss[]): Canonical {
  const said = withOwnExtra(canonical, wire);
  for (const loss of losses) applyLoss(said, loss);
  return said as Canonical;
}

/** A copy in which every `extra` holds only what `wire` wrote; a message's or part's that is empty goes. */
function withOwnExtra(value: unknown, wire: string, isRoot = true): unknown {
  if (Array.isArray(value)) return value.map((one) => withOwnExtra(one, wire, false));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).flatMap(([field, inner]): [string, unknown][] => {
    if (field !== 'extra') return [[field, withOwnExtra(inner, wire, false)]];
    const own = Object.entries(structuredClone(inner as object)).filter(([id]) => id === wire);
    return own.length === 0 && !isRoot ? [] : [[field, Object.fromEntries(own)]];
  });
  return Object.fromEntries(fields);
}

function applyLoss(root: unknown, { at, ...loss }: Loss): void {
  const path = at.split(/[.[\]]+/).filter((step) => step !== '');
  const last = path.pop() ?? expect.fail('a loss has no place');
  let parent = root;
  for (const step of path) parent = (parent as Record<string, unknown>)[step] ??= {};
  if (typeof parent !== 'object' || parent === null) expect.fail(`${at} is not in the canonical form`);
  if ('reads' in loss) Reflect.set(parent, last, loss.reads);
  else if (!Object.hasOwn(parent, last)) expect.fail(`${at} is not in the canonical form`);
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else Reflect.deleteProperty(parent, last);
}
