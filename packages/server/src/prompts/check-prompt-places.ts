import { readdirSync, statSync } from 'node:fs';
import { promptTemplates } from '@dragoman/core';
import { didYouMean } from '../config/nearest-name.ts';
import type { Problem } from '../config/problem.ts';
import { fileNameOf } from './built-in-folder.ts';
import type { PromptSettings } from './prompt-settings.ts';

/**
 * What is wrong with the folder of templates: it has to be there, and may hold no template under another name, which would
 * do nothing.
 */
export function checkPromptPlaces({ folder }: PromptSettings): readonly Problem[] {
  if (folder === undefined) return [];
  if (!isFolder(folder)) {
    const advice = `"dragoman prompts --write ${folder}" makes one with the built-in prompts`;
    return [{ path: 'prompts.folder', reason: `there is no folder ${folder}; ${advice}` }];
  }
  const problems: Problem[] = [];
  const known = Object.keys(promptTemplates).map(fileNameOf);
  for (const file of readdirSync(folder)) {
    if (!file.endsWith(fileNameOf('')) || known.includes(file)) continue;
    const reason = `${folder} holds ${file}, which is no prompt${didYouMean(file, known)}; there are ${known.join(', ')}`;
    problems.push({ path: 'prompts.folder', reason });
  }
  return problems;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
