import type { Dialect } from '../dialects/dialect.ts';
import { dialects } from '../dialects/registry.ts';
import { DragomanError } from '../errors.ts';
import { upstreamWires } from '../wires/registry.ts';
import type { UpstreamWire } from '../wires/wire.ts';
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
