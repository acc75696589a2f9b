import { withRenderer } from '../render/render-table.ts';
import type { DialectTable } from '../table.ts';
import { checkTable as checkPlain, type TableProblem } from './check-table.ts';
import { type TableDialect, tableDialect } from './table-dialect.ts';

export type { TableProblem } from './check-table.ts';
export type { TableDialect } from './table-dialect.ts';

import { gemma } from '../forms/gemma.ts';
import { header } from '../forms/header.ts';
import { json } from '../forms/json.ts';
import { namedTags } from '../forms/named-tags.ts';
import { python } from '../forms/python.ts';
import { tags } from '../forms/tags.ts';
import { cline } from '../readers/cline.ts';
import { functionaryHeader } from '../readers/functionary.ts';
import { gemmaLiterals } from '../readers/gemma.ts';
import { harmonyHeader } from '../readers/harmony.ts';
import { xtml } from '../readers/kimi-k3.ts';
import { mcpHeader } from '../readers/mcp-xml.ts';
import { mistralIds } from '../readers/mistral.ts';
import { recipients } from '../readers/muse-glimmer.ts';
import { plamoHeader } from '../readers/plamo3.ts';
import { pythonStubs } from '../readers/python-stub.ts';
import { toolRequestForms } from '../readers/tool-request.ts';
import type { TableParts } from './parts.ts';

/** A dialect of a table alone. Call it with a table in which `checkTable` finds nothing wrong. */
export function defineTable(id: string, table: DialectTable): TableDialect {
  return withRenderer(tableDialect(id, table, allParts));
}

/**
 * What is wrong in a table, at which place, and what to write instead: what its types cannot say, and where a caller
 * without types has given another shape. Empty: `defineTable` makes a dialect of it that keeps the promises of one.
 */
export function checkTable(table: DialectTable): readonly TableProblem[] {
  const problems = checkPlain(table);
  return problems.length > 0 ? problems : checkReaders(table);
}

function checkReaders({ readers = [], ids, call, also = [], lesson }: DialectTable): readonly TableProblem[] {
  const known = Object.keys(allParts.readers);
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
      reason: `${JSON.stringify(name)} is no reader; known are ${known.join(', ')}`,
    }));
}

function describerOf(tool: string | undefined): readonly { readonly path: readonly string[]; readonly name: string }[] {
  if (tool === undefined || ['function', 'fields'].includes(tool) || tool.includes('{name}')) return [];
  return [{ path: ['lesson', 'tools', 'tool'], name: tool }];
}

// Table: the forms and readers that tables name.

/** Everything that a table may name. A built-in dialect takes of it what it needs. */
const allParts = {
  json,
  header,
  tags,
  namedTags,
  python,
  gemma,
  readers: {
    cline,
    functionary: functionaryHeader,
    'gemma-literals': gemmaLiterals,
    harmony: harmonyHeader,
    'mcp-xml': mcpHeader,
    'mistral-ids': mistralIds,
    plamo3: plamoHeader,
    python: pythonStubs,
    recipients,
    'tool-request': toolRequestForms,
    xtml,
  },
} satisfies TableParts;
