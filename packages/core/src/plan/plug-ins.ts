import { madeOnce } from '../chat/made-once.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { dialects } from '../dialects/registry.ts';
import { anyDialect, readAny } from '../dialects/together/read-any.ts';
import { readTogether } from '../dialects/together/read-together.ts';
import { DragomanError } from '../errors.ts';
import { upstreamWires } from '../wires/registry.ts';
import type { UpstreamWire } from '../wires/wire.ts';
import type { Plan } from './plan.ts';
import type { EngineSetup, Upstream } from './setup.ts';

/** The upstream wire with this id. Throws DragomanError `config-invalid` if there is none. */
export function upstreamWireOf(id: string, setup: EngineSetup): UpstreamWire {
  const wire = setup.wires?.get(id) ?? upstreamWires.get(id);
  if (wire !== undefined) return wire;
  const known = [...upstreamWires.keys(), ...(setup.wires?.keys() ?? [])];
  throw new DragomanError('config-invalid', `There is no upstream wire "${id}"; there are ${known.join(', ')}.`);
}

/** The upstream with this name. Throws DragomanError `config-invalid` if there is none. */
export function upstreamOf(name: string, { upstreams }: EngineSetup): Upstream {
  const upstream = upstreams.get(name);
  if (upstream === undefined) throw new DragomanError('config-invalid', `There is no upstream "${name}".`);
  return upstream;
}

/** Whether there is a dialect with this id. */
export function isDialect(id: string, setup: EngineSetup): boolean {
  return setup.dialects?.has(id) === true || dialects.has(id);
}

/** The dialect with this id. Throws DragomanError `config-invalid` if there is none. */
export function dialectOf(id: string, setup: EngineSetup): Dialect {
  const dialect = setup.dialects?.get(id) ?? dialects.get(id);
  if (dialect !== undefined) return dialect;
  const known = [...dialects.keys(), ...(setup.dialects?.keys() ?? [])];
  throw new DragomanError('config-invalid', `There is no dialect "${id}"; there are ${known.join(', ')}.`);
}

/** The tables of several dialects are large: they are put together once, for all who add the same dialects of their own. */
const madeFor = madeOnce((_: ReadonlyMap<string, Dialect>) => new Map<string, Dialect>());
const none: ReadonlyMap<string, Dialect> = new Map();

/**
 * The dialect that a request is written in and its reply is read by: the one that the plan names, with the calls of all that
 * its rule reads beside it. Undefined where calls are native. Throws DragomanError `config-invalid` for a dialect that does
 * not exist, or cannot be read together with others.
 */
export function dialectOfPlan({ dialect: id, rule, toolCalling }: Plan, setup: EngineSetup): Dialect | undefined {
  if (id === undefined) return undefined;
  const others = toolCalling === anyDialect ? [anyDialect] : rule.alsoReads;
  const { dialects: own = none } = setup;
  const made = madeFor(own);
  const key = [id, ...others].join();
  const dialect = made.get(key) ?? readBeside(dialectOf(id, setup), others, setup);
  made.set(key, dialect);
  return dialect;
}

function readBeside(own: Dialect, others: readonly string[], setup: EngineSetup): Dialect {
  if (others.includes(anyDialect)) return readAny(own, setup.dialects?.values());
  return readTogether(
    own,
    others.map((id) => dialectOf(id, setup)),
  );
}
