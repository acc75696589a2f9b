import { dialectOfModel } from '@dragoman/core';
import { harmlessLines } from '../log/harmless.ts';
import type { Derivation } from './derive-table.ts';
import type { Mention } from './find-mention.ts';

/** What a report knows beside the derivation itself. */
export interface ReportContext {
  /** As the user named it. */
  readonly path: string;
  readonly hasResponseTemplate: boolean;
}

/** A derivation for people: what to write into the configuration, the markers, and how sure they are. */
export function reportDerivation(derivation: Derivation, { path, hasResponseTemplate }: ReportContext): string {
  const { table, confidence, seen, assumed, contradicted } = derivation;
  const rows = table === undefined ? [] : rowsOf(table, []);
  const width = Math.max(0, ...rows.map(([key]) => key.length));
  const lines = [
    ...(hasResponseTemplate ? [ownTemplate(path)] : []),
    ...decision(derivation, path),
    ...(rows.length === 0 ? [] : ['', ...rows.map(([key, value]) => `  ${key.padEnd(width)}  ${value}`)]),
    '',
    // Of what a table can say; where there is none, a built-in dialect may still be sure.
    ...(table === undefined && isRead(derivation) ? ['No table of its own was made:'] : [`Confidence: ${confidence}`]),
    ...listed('seen', seen),
    ...listed('assumed', assumed),
    ...listed('but', contradicted),
  ];
  return harmlessLines(`${lines.join('\n')}\n`);
}

function ownTemplate(path: string): string {
  return `The tokenizer itself says how replies are read, and that counts for more: { "responseTemplate": ${JSON.stringify(path)} }.\n`;
}

/** Whether a built-in dialect reads all that the template writes, or its marker is in the source. */
export function isRead({ builtIn: { same, alsoRead }, mention }: Derivation): boolean {
  return same !== undefined || alsoRead.length > 0 || mention !== undefined;
}

/** The first word goes to a built-in dialect: it has cases of its own. */
function decision({ builtIn, opened, table, mention }: Derivation, path: string): readonly string[] {
  const { same, alsoRead } = builtIn;
  const rule = (dialect: string) =>
    JSON.stringify({ toolCalling: { dialect }, ...(opened ? { opened: 'reasoning' } : {}) });
  if (same !== undefined) {
    return [
      `This is ${same}: that built-in dialect reads all that the template writes, and writes it alike.`,
      `The rule of the model: ${rule(same)}`,
    ];
  }
  const readers =
    alsoRead.length === 0 ? '' : ` All of it is read by ${alsoRead.join(', ')}: these have cases, so try them first.`;
  const [reader, ...others] = alsoRead;
  if (table === undefined && reader !== undefined) {
    const more = others.length === 0 ? '' : ` So do ${others.join(', ')}.`;
    return [
      `Use ${reader}: that built-in dialect reads all that the template writes, and writes past calls in a form of its own.${more}`,
      `The rule of the model: ${rule(reader)}`,
    ];
  }
  if (table === undefined) {
    if (mention !== undefined) return told(mention, rule);
    const named = dialectOfModel(path, { takesTools: false });
    return [
      'The template writes no calls that a table can describe.',
      ...(named === undefined ? [] : [`By its name it may be ${named}, which nothing in the template shows.`]),
      ...(named === undefined ? [] : [`The rule of the model: ${rule(named)}`]),
    ];
  }
  return [
    `No built-in dialect writes calls like this.${readers}`,
    `"dragoman derive ${path} --json" prints the dialect for "dialects" of the configuration.`,
    `The rule of the model, if it is called "own" there: ${rule('own')}`,
  ];
}

/** The dialect of a marker in the source, where the renderings say nothing. */
function told({ marker, dialects }: Mention, rule: (dialect: string) => string): readonly string[] {
  const [first = '', ...others] = dialects;
  const more = others.length === 0 ? '' : ` It may also be ${others.join(' or ')}.`;
  return [
    `Use ${first}: the source of the template holds its marker ${JSON.stringify(marker)}.${more}`,
    `The rule of the model: ${rule(first)}`,
  ];
}

/** The literals of a table, each with its place. */
function rowsOf(value: unknown, path: readonly string[]): readonly (readonly [string, string])[] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([key, each]) => rowsOf(each, [...path, key]));
  }
  return [[path.join('.'), JSON.stringify(value)]];
}

function listed(title: string, sentences: readonly string[]): readonly string[] {
  return sentences.map((sentence) => `  ${title.padEnd(7)}  ${sentence}`);
}
