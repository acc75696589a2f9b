import type { DialectTable } from '../table.ts';
import type { TableProblem } from './table-shape.ts';

/** Names of readers that nobody has written. */
export function checkReaders(
  { readers = [], ids, call, also = [], lesson }: DialectTable,
  known: readonly string[],
): readonly TableProblem[] {
  const named = [
    ...readers.map((name, at) => ({ path: ['readers', at], name })),
    ...(ids === undefined ? [] : [{ path: ['ids'], name: ids }]),
    ...[call, ...also].flatMap((each, at) => {
      const path = at === 0 ? ['call'] : ['also', at - 1];
      const reader = 'reader' in each ? each.reader : undefined;
      const attributes = 'attributes' in each ? each.attributes : undefined;
      const tags = 'tags' in each ? each.tags : undefined;
      return Object.entries({ reader, attributes, tags }).flatMap(([key, name]) =>
        name === undefined ? [] : [{ path: [...path, key], name }],
      );
    }),
    ...describerOf(lesson?.tools?.tool),
  ];
  return named
    .filter(({ name }) => !known.includes(name))
    .map(({ path, name }) => ({
      path,
      reason: `${JSON.stringify(name)} is not a reader; known: ${known.join(', ')}`,
    }));
}

function describerOf(tool: string | undefined): readonly { readonly path: readonly string[]; readonly name: string }[] {
  if (tool === undefined || ['function', 'fields'].includes(tool) || tool.includes('{name}')) return [];
  return [{ path: ['lesson', 'tools', 'tool'], name: tool }];
}
