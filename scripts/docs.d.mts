import type { Dialect, KnownModel } from '@dragoman/core';

export function renderDialectDocs(
  dialects: ReadonlyMap<string, Dialect>,
  tables: {
    readonly knownModels: readonly KnownModel[];
    readonly formSources: ReadonlyMap<string, string>;
  },
): string;
export function writeDialectDocs(): Promise<void>;
