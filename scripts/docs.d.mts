import type { Dialect, DialectSample, dialectTable, KnownModel } from '@dragoman/core';

export function renderDialectDocs(
  dialects: ReadonlyMap<string, Dialect>,
  tables: {
    readonly knownModels: readonly KnownModel[];
    readonly formSources: ReadonlyMap<string, string>;
    readonly dialectSample: (dialect: Dialect) => DialectSample;
  },
): string;
export function withFields(page: string, core: { readonly dialectTable: typeof dialectTable }): string;
export function writeDialectDocs(): Promise<void>;
