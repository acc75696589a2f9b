import type { QuirkRule, QuirkTable } from '@dragoman/core';
import { z } from 'zod';

/** The quirks of each wire, by the wire's id. */
export type QuirkTables = Readonly<Record<string, QuirkTable>>;

/**
 * The quirks of an upstream. Editors are told every name of every wire; which of them the upstream's own wire has is for
 * `checkQuirks`, since a schema does not see the wire that is beside.
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
  const rules = Object.entries(tables).flatMap(([wire, table]) =>
    Object.entries(table).map(([name, rule]) => ({ wire, name, rule })),
  );
  const names = [...new Set(rules.map(({ name }) => name))];
  return Object.fromEntries(
    names.map((name) => {
      const same = rules.filter((each) => each.name === name);
      const [first] = same;
      return [name, { description: describe(same), ...(first && shapeOf(first.rule)) }];
    }),
  );
}

/** The wires before what the quirk means there, which for most is the same. */
function describe(rules: readonly { readonly wire: string; readonly rule: QuirkRule }[]): string {
  const wiresOf = new Map<string, string[]>();
  for (const { wire, rule } of rules) {
    const meaning = typeof rule === 'string' ? rule : rule.meaning;
    wiresOf.set(meaning, [...(wiresOf.get(meaning) ?? []), `\`${wire}\``]);
  }
  return [...wiresOf].map(([meaning, wires]) => `${wires.join(', ')}: ${meaning}`).join(' ');
}

function shapeOf(rule: QuirkRule): { readonly type: string; readonly enum?: readonly string[]; minimum?: number } {
  if (typeof rule === 'string') return { type: 'boolean' };
  return rule.value === 'count' ? { type: 'integer', minimum: 1 } : { type: 'string', enum: rule.value };
}
