import type { Dialect } from '@dragoman/core';

export function renderDialectDocs(dialects: ReadonlyMap<string, Dialect>): string;
export function writeDialectDocs(): Promise<void>;
