import type { Dialect, KnownModel } from '@dragoman/core';

export function renderDialectDocs(dialects: ReadonlyMap<string, Dialect>, knownModels: readonly KnownModel[]): string;
export function writeDialectDocs(): Promise<void>;
