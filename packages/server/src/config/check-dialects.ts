import { didYouMean } from './nearest-name.ts';
import { entriesOf, fieldOf } from './raw-value.ts';
import type { Finding } from './read-findings.ts';

/**
 * Checks that every dialect which a model rule names is built in or is under `dialects`, or is `auto`
 * where calls of any are to be read. Works on the raw value.
 */
export function checkDialects(raw: unknown, builtIn: readonly string[]): readonly Finding[] {
  const known = [...builtIn, ...entriesOf(fieldOf(raw, 'dialects')).map(([id]) => id)];
  return entriesOf(fieldOf(raw, 'upstreams')).flatMap(([name, upstream]) => {
    const rules = entriesOf(fieldOf(upstream, 'models')).map(([model, rule]) => [['models', model], rule] as const);
    const all = [...rules, [['anyModel'], fieldOf(upstream, 'anyModel')] as const];
    return all.flatMap(([at, rule]) =>
      namedIn(rule).flatMap(({ path, id }) =>
        known.includes(id) ? [] : [{ path: ['upstreams', name, ...at, ...path], reason: unknownDialect(id, known) }],
      ),
    );
  });
}

/** There are too many to name them all. */
function unknownDialect(id: string, known: readonly string[]): string {
  return `${JSON.stringify(id)} is unknown; "dragoman dialects" lists them all${didYouMean(id, known)}`;
}

/** The dialects that a model rule names, each with its place. */
function namedIn(rule: unknown): readonly { readonly path: Finding['path']; readonly id: string }[] {
  const alsoReads = fieldOf(rule, 'alsoReads');
  const listed: readonly unknown[] = Array.isArray(alsoReads) ? alsoReads : [];
  return [
    { path: ['toolCalling', 'dialect'], id: fieldOf(fieldOf(rule, 'toolCalling'), 'dialect') },
    ...listed.map((id, index) => ({ path: ['alsoReads', index], id })),
  ].flatMap(({ path, id }) => (typeof id === 'string' ? [{ path, id }] : []));
}
