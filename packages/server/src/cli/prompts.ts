import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promptTemplates, promptVariables } from '@dragoman/core';
import { didYouMean } from '../config/nearest-name.ts';
import { builtInFolder, fileNameOf } from '../prompts/built-in-folder.ts';
import { columns } from './columns.ts';
import { CommandError, type Terminal, UsageError } from './terminal.ts';

const names = Object.keys(promptTemplates);

export interface PromptsFlags {
  readonly write?: string;
  readonly json?: boolean;
}

/**
 * `dragoman prompts`: lists templates and variables, prints the built-in text of one, or writes all of them into a folder.
 * Throws CommandError for a name that is none, and rather than write over a file.
 */
export function showPrompts(
  { stdout, cwd }: Pick<Terminal, 'stdout' | 'cwd'>,
  { template, write, json }: PromptsFlags & { readonly template: string | undefined },
): number {
  if (template !== undefined && !names.includes(template)) {
    const known = names.join(', ');
    throw new UsageError(
      `There is no prompt ${JSON.stringify(template)}${didYouMean(template, names)}; there are ${known}.`,
    );
  }
  const shown = template === undefined ? names : [template];
  if (json === true) {
    const listed = Object.entries(promptTemplates).flatMap(([name, meaning]) =>
      shown.includes(name) ? [{ name, meaning, text: textOf(name) }] : [],
    );
    const variables = Object.entries(promptVariables).map(([name, meaning]) => ({ name, meaning }));
    stdout.write(`${JSON.stringify({ templates: listed, variables }, undefined, 2)}\n`);
    return 0;
  }
  if (write !== undefined) stdout.write(writeInto(resolve(cwd, write), { shown, folder: write }));
  else if (template === undefined)
    stdout.write(`Templates:\n${listOf(promptTemplates)}\nVariables:\n${listOf(promptVariables)}`);
  else stdout.write(textOf(template));
  return 0;
}

function writeInto(
  path: string,
  { shown, folder }: { readonly shown: readonly string[]; readonly folder: string },
): string {
  const taken = shown.map(fileNameOf).filter((file) => existsSync(join(path, file)));
  if (taken.length > 0) {
    throw new CommandError(
      `${folder} holds ${taken.join(', ')} already, and nothing was written. Name another folder.`,
    );
  }
  mkdirSync(path, { recursive: true });
  for (const name of shown) writeFileSync(join(path, fileNameOf(name)), textOf(name), { flag: 'wx' });
  const setting = JSON.stringify({ prompts: { folder } }).slice(1, -1);
  return `Wrote ${shown.map(fileNameOf).join(', ')} into ${folder}. In the configuration: ${setting}\n`;
}

function textOf(template: string): string {
  return readFileSync(join(builtInFolder, fileNameOf(template)), 'utf8');
}

function listOf(meanings: Readonly<Record<string, string>>): string {
  return columns(Object.entries(meanings))
    .map((line) => `  ${line}\n`)
    .join('');
}
