import { describedWires, dialects, type QuirkTable, upstreamWires } from '@dragoman/core';

/** Every wire that an upstream may speak. */
export const wireNames: readonly string[] = [...upstreamWires.keys(), ...describedWires];

/** The built-in dialects. */
export const dialectNames: readonly string[] = [...dialects.keys()];

/** The quirks of each wire, by the wire's id. */
export const quirkTables: Readonly<Record<string, QuirkTable>> = Object.fromEntries([
  ...[...upstreamWires].map(([id, { quirks = {} }]) => [id, quirks] as const),
  ...describedWires.map((id) => [id, {}] as const),
]);
