import type { QuirkRule } from '@dragoman/core';
import { didYouMean } from './nearest-name.ts';
import type { QuirkTables } from './quirk-schema.ts';
import { fieldOf } from './raw-value.ts';
import { describe, type Finding, notOneOf } from './read-findings.ts';

/**
 * Checks each upstream's quirks against the table of its wire: the name and the value. Works on the raw value; what the
 * schema complains about already (an unknown wire, a quirk that is a list) is passed over.
 */
export function checkQuirks(upstreams: readonly (readonly [string, unknown])[], tables: QuirkTables): Finding[] {
  return upstreams.flatMap(([upstream, entry]) => {
    const wire = fieldOf(entry, 'wire');
    const table = typeof wire === 'string' && Object.hasOwn(tables, wire) ? tables[wire] : undefined;
    const quirks = fieldOf(entry, 'quirks');
    if (typeof wire !== 'string' || table === undefined || typeof quirks !== 'object' || quirks === null) return [];
    return Object.entries(quirks).flatMap(([name, value]) => {
      const path = ['upstreams', upstream, 'quirks', name];
      const rule = Object.hasOwn(table, name) ? table[name] : undefined;
      if (rule === undefined) return [{ path, reason: unknownQuirk(name, wire, tables) }];
      const reason = typeof value === 'object' ? undefined : wrongValue(rule, value);
      return reason === undefined ? [] : [{ path, reason }];
    });
  });
}

function unknownQuirk(name: string, wire: string, tables: QuirkTables): string {
  const known = Object.keys(tables[wire] ?? {});
  const others = Object.keys(tables).filter((other) => Object.hasOwn(tables[other] ?? {}, name));
  const guess = didYouMean(name, known);
  if (others.length > 0) return `the wire ${wire} has no such quirk; it is one of ${others.join(' and ')}`;
  const list = known.length === 0 ? 'it has none' : `known: ${known.join(', ')}`;
  return `the wire ${wire} has no such quirk; ${guess === '' ? list : guess.slice('; '.length)}`;
}

function wrongValue(rule: QuirkRule, value: unknown): string | undefined {
  if (typeof rule === 'string') {
    return typeof value === 'boolean' ? undefined : `expected true or false, found ${describe(value)}`;
  }
  if (rule.value === 'count') {
    const fits = typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
    return fits ? undefined : `expected a whole number from 1, found ${describe(value)}`;
  }
  return typeof value === 'string' && rule.value.includes(value) ? undefined : notOneOf(value, rule.value);
}
