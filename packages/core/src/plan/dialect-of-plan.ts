import type { Dialect } from '../dialects/dialect.ts';
import { anyDialect, readAny } from '../dialects/together/read-any.ts';
import { readTogether } from '../dialects/together/read-together.ts';
import type { Plan } from './plan.ts';
import { dialectOf } from './plug-ins.ts';
import type { EngineSetup } from './setup.ts';

/** The tables of several dialects are large: they are put together once, for all who add the same dialects of their own. */
const madeFor = new WeakMap<ReadonlyMap<string, Dialect>, Map<string, Dialect>>();
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
  const made = madeFor.get(own) ?? new Map<string, Dialect>();
  const key = [id, ...others].join();
  const dialect = made.get(key) ?? readBeside(dialectOf(id, setup), others, setup);
  madeFor.set(own, made.set(key, dialect));
  return dialect;
}

function readBeside(own: Dialect, others: readonly string[], setup: EngineSetup): Dialect {
  if (others.includes(anyDialect)) return readAny(own, setup.dialects?.values());
  return readTogether(
    own,
    others.map((id) => dialectOf(id, setup)),
  );
}
