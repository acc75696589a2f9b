import type { Dialect } from '../dialect.ts';
import { dialects } from '../registry.ts';
import { readTogether } from './read-together.ts';

/** What stands for a dialect where calls are read in whatever form the model writes them. */
export const anyDialect = 'auto';

/**
 * Forms that models of many families write, the commonest first: where several dialects would find a call behind the same
 * marker, the first of them is told of. The others follow by name.
 */
const commonest: readonly string[] = [
  ...['hermes', 'qwen3-coder', 'anthropic-xml', 'glm', 'mistral-args', 'kimi-k2', 'deepseek-v3.1', 'deepseek-dsml'],
  ...['llama3-json', 'pythonic', 'granite', 'phi4-mini', 'functionary-v3.1', 'jamba', 'fenced-json'],
];

/**
 * Teaches this dialect and reads all of them: the built-in ones, and `more` beside them, of which those that have a parser of
 * their own are left out.
 */
export function readAny(taught: Dialect, more: Iterable<Dialect> = []): Dialect {
  const known = new Map<string, Dialect>(dialects);
  for (const dialect of more) known.set(dialect.id, dialect);
  return readTogether(
    taught,
    commonestFirst(known).filter(({ grammar }) => grammar !== undefined),
  );
}

/** These dialects, those that most models write in front of the others. */
export function commonestFirst(known: ReadonlyMap<string, Dialect>): readonly Dialect[] {
  const first = commonest.flatMap((id) => known.get(id) ?? []);
  return [...new Set([...first, ...known.values()])];
}
