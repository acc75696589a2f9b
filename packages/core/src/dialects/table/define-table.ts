import { gemma } from '../forms/gemma.ts';
import { header } from '../forms/header.ts';
import { anyJson } from '../forms/json.ts';
import { namedTags } from '../forms/named-tags.ts';
import { python } from '../forms/python.ts';
import { tags } from '../forms/tags.ts';
import { cline } from '../readers/cline.ts';
import { functionaryHeader } from '../readers/functionary.ts';
import { gemmaLiterals } from '../readers/gemma.ts';
import { harmonyHeader } from '../readers/harmony.ts';
import { inklingHeader } from '../readers/inkling.ts';
import { xtml } from '../readers/kimi-k3.ts';
import { mcpHeader } from '../readers/mcp-xml.ts';
import { mistralIds } from '../readers/mistral.ts';
import { recipients } from '../readers/muse-glimmer.ts';
import { plamoHeader } from '../readers/plamo3.ts';
import { pythonStubs } from '../readers/python-stub.ts';
import { toolRequestForms } from '../readers/tool-request.ts';
import { withRenderer } from '../render/render-table.ts';
import type { DialectTable } from '../table.ts';
import { checkTable as checkWith } from './check-table.ts';
import { markerRepairs } from './marker-repairs.ts';
import type { TableParts } from './parts.ts';
import { reasoning } from './reasoning.ts';
import { sections } from './sections.ts';
import { type TableDialect, tableDialect } from './table-dialect.ts';
import type { TableProblem } from './table-shape.ts';

/** A dialect of a table alone. Call it with a table in which `checkTable` finds nothing wrong. */
export function defineTable(id: string, table: DialectTable): TableDialect {
  return withRenderer(tableDialect(id, table, allParts));
}

/**
 * What is wrong in a table, at which place, and what to write instead: what its types cannot say, and where a caller
 * without types has given another shape. Empty: `defineTable` makes a dialect of it that keeps the promises of one.
 */
export function checkTable(table: DialectTable): readonly TableProblem[] {
  return checkWith(table, Object.keys(allParts.readers));
}

// Table: the forms and readers that tables name.

/** Everything that a table may name. A built-in dialect takes of it what it needs. */
const allParts = {
  json: anyJson,
  header,
  tags,
  'named-tags': namedTags,
  python,
  gemma,
  sections,
  markerRepairs,
  reasoning,
  readers: {
    cline,
    functionary: functionaryHeader,
    'gemma-literals': gemmaLiterals,
    harmony: harmonyHeader,
    inkling: inklingHeader,
    'mcp-xml': mcpHeader,
    'mistral-ids': mistralIds,
    plamo3: plamoHeader,
    python: pythonStubs,
    recipients,
    'tool-request': toolRequestForms,
    xtml,
  },
} satisfies TableParts;
