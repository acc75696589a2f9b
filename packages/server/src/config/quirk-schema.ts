import type { QuirkRule, QuirkTable } from '@dragoman/core';
import { z } from 'zod';

/** The quirks of each wire, by the wire's id. */
export type QuirkTables = Readonly<Record<string, QuirkTable>>;

/**
 * The quirks of an upstream. Editors are told every name of every wire; which of them the upstream's own wire has is for
 * `checkQuirks`, since a schema does not see the wire that stands beside.
 */
export function createQuirksSchema(tables: QuirkTables) {
  return z
    .record(z.string(), z.union([z.boolean(), z.string(), z.number()]))
    .meta({
      description: 'Documented departures from the wire.',
      properties: propertiesOf(tables),
      additionalProperties: false,
    })
    .default({});
}

function propertiesOf(tables: QuirkTables): Readonly<Record<string, unknown>> {
  const properties: Record<string, { description: string; type?: string; enum?: readonly string[]; minimum?: number }> =
    {};
  for (const [wire, table] of Object.entries(tables)) {
    for (const [name, rule] of Object.entries(table)) {
      const words = `\`${wire}\`: ${typeof rule === 'string' ? rule : rule.meaning}`;
      const known = properties[name];
      if (known === undefined) properties[name] = { description: words, ...shapeOf(rule) };
      else known.description += ` ${words}`;
    }
  }
  return properties;
}

function shapeOf(rule: QuirkRule): { readonly type: string; readonly enum?: readonly string[]; minimum?: number } {
  if (typeof rule === 'string') return { type: 'boolean' };
  return rule.value === 'count' ? { type: 'integer', minimum: 1 } : { type: 'string', enum: rule.value };
}
