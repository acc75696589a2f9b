import { anthropicXml } from './anthropic-xml/index.ts';
import { clineXml } from './cline-xml/index.ts';
import type { Dialect } from './dialect.ts';
import { hermes } from './hermes/index.ts';
import { kimiK2 } from './kimi-k2/index.ts';

/** Every dialect by id; one line for each folder, and a test that compares the two. */
export const dialects: ReadonlyMap<string, Dialect> = new Map(
  [anthropicXml, clineXml, hermes, kimiK2].map((dialect) => [dialect.id, dialect]),
);
