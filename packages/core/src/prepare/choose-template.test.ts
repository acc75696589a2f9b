import { expect, it } from 'vitest';
import type { TemplateName } from '../plan/prompt-template.ts';
import { chooseTemplate } from './prompt-by-template.ts';

const rows: readonly (readonly [boolean, boolean, boolean, boolean, TemplateName])[] = [
  // new, tools, results, changed
  [true, true, true, true, 'first-tools'],
  [true, true, true, false, 'first-tools'],
  [true, true, false, true, 'first-tools'],
  [true, true, false, false, 'first-tools'],
  [true, false, true, true, 'first-simple'],
  [true, false, true, false, 'first-simple'],
  [true, false, false, true, 'first-simple'],
  [true, false, false, false, 'first-simple'],
  [false, true, true, true, 'results'],
  [false, true, true, false, 'results'],
  [false, false, true, true, 'results'],
  [false, false, true, false, 'results'],
  [false, true, false, true, 'first-tools'],
  [false, false, false, true, 'first-simple'],
  [false, true, false, false, 'tools'],
  [false, false, false, false, 'simple'],
];

it.each(rows)(
  'A-110: new %s, tools %s, results %s, changed %s: %s',
  (isNew, hasTools, hasResults, hasChanged, name) => {
    expect(chooseTemplate({ isNew, hasTools, hasResults, hasChanged })).toBe(name);
  },
);
