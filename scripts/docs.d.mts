import type { Dialect, DialectSample, dialectTable, KnownForm, KnownModel } from '@dragoman/core';

export function renderDialectDocs(
  dialects: ReadonlyMap<string, Dialect>,
  tables: {
    readonly knownModels: readonly KnownModel[];
    readonly knownForms: ReadonlyMap<string, KnownForm>;
  },
): string;
export function renderDialectSamples(
  dialects: ReadonlyMap<string, Dialect>,
  core: { readonly dialectSample: (dialect: Dialect) => DialectSample },
): string;
export function withFields(page: string, core: { readonly dialectTable: typeof dialectTable }): string;
export function writeDialectDocs(): Promise<void>;
