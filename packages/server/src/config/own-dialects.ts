import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  anyDialect,
  checkTable,
  type Dialect,
  type DialectTable,
  defineTable,
  readResponseTemplate,
} from '@dragoman/core';
import { codeOf } from '../code-of.ts';
import type { DialectConfig } from './dialect-schema.ts';
import { dialectNames } from './known-names.ts';
import { didYouMean } from './nearest-name.ts';
import { ConfigError, formatPath, type PathStep } from './problem.ts';
import type { Finding } from './read-findings.ts';

type Dialects = Readonly<Record<string, DialectConfig>>;

/** What is wrong with the dialects that are in the configuration itself; files are read by `createOwnDialects`. */
export function checkOwnDialects(dialects: Dialects): readonly Finding[] {
  return Object.entries(dialects).flatMap(([id, entry]) => {
    const at = ['dialects', id];
    if (id === anyDialect || dialectNames.includes(id))
      return [{ path: at, reason: 'is the name of a built-in dialect; choose another' }];
    const { table, responseTemplate } = entry;
    if ((table === undefined) === (responseTemplate === undefined)) {
      return [{ path: at, reason: 'needs one of "table" and "responseTemplate"' }];
    }
    return typeof responseTemplate === 'string' ? [] : under(at, readEntry(entry, responseTemplate).findings);
  });
}

/**
 * The dialects of the configuration, by id. Relative paths count from `cwd`; `tell` hears what was assumed. Throws
 * ConfigError for a file that holds none which can be read.
 */
export function createOwnDialects(
  dialects: Dialects,
  { cwd, report }: { readonly cwd: string; readonly report: (message: string) => void },
): ReadonlyMap<string, Dialect> {
  const made = new Map<string, Dialect>();
  const findings: Finding[] = [];
  for (const [id, entry] of Object.entries(dialects)) {
    const at = ['dialects', id];
    const file = typeof entry.responseTemplate === 'string' ? entry.responseTemplate : undefined;
    const place = resolve(cwd, file ?? '');
    const source = file === undefined ? { value: entry.responseTemplate } : templateIn(place);
    if ('reason' in source) {
      findings.push({ path: [...at, 'responseTemplate'], reason: `the file ${place} ${source.reason}` });
      continue;
    }
    const { table, findings: found, notes } = readEntry(entry, source.value);
    const where = file === undefined ? '' : `${file}: `;
    findings.push(...under(at, found).map(({ path, reason }) => ({ path, reason: where + reason })));
    for (const note of notes) report(`${formatPath(at)}: ${note}`);
    if (table !== undefined) made.set(id, defineTable(id, table));
  }
  if (findings.length > 0) {
    throw new ConfigError(findings.map(({ path, reason }) => ({ path: formatPath(path), reason })));
  }
  return made;
}

interface EntryReading {
  readonly table: DialectTable | undefined;
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
}

/** `template` is the value of `responseTemplate`, out of its file if it names one. */
function readEntry({ table }: DialectConfig, template: unknown): EntryReading {
  if (table !== undefined) {
    const findings = checkTable(table).map(({ path, reason, misspelt }) => ({
      path,
      reason: reason + (misspelt === undefined ? '' : didYouMean(misspelt.word, misspelt.known)),
    }));
    return { table, findings: under(['table'], findings), notes: [] };
  }
  const read = readResponseTemplate(template);
  return { table: read.table, findings: under(['responseTemplate'], read.problems), notes: read.notes };
}

function under(path: readonly PathStep[], findings: readonly Finding[]): readonly Finding[] {
  return findings.map((finding) => ({ ...finding, path: [...path, ...finding.path] }));
}

/** More is no configuration of a tokenizer without its vocabulary, or no text at all. */
const longestFile = 64 * 1024 * 1024;

/** The template in a file of JSON: the whole of it, or the field of that name. */
function templateIn(path: string): { readonly value: unknown } | { readonly reason: string } {
  let value: unknown;
  try {
    const text = readFileSync(path, 'utf8');
    if (text.length > longestFile) return { reason: `is longer than ${longestFile} characters` };
    value = JSON.parse(text);
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === 'ENOENT') return { reason: 'is not there' };
    return { reason: code === '' ? 'is not JSON' : `cannot be read: ${code}` };
  }
  if (typeof value !== 'object' || value === null) return { reason: 'holds no object' };
  const named = ['response_template', 'response_schema'].find((key) => key in value);
  if (named !== undefined) return { value: Reflect.get(value, named) };
  if ('fields' in value || 'properties' in value) return { value };
  return { reason: 'has no "response_template"; `dragoman derive` reads the chat template instead' };
}
