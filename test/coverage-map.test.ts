import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

interface Requirement {
  readonly id: string;
  readonly tests: readonly { readonly file: string; readonly title: string }[];
  readonly notYet?: string;
}

const script = fileURLToPath(new URL('../scripts/coverage-map.mjs', import.meta.url));
const groups: readonly { readonly group: string; readonly requirements: readonly Requirement[] }[] = JSON.parse(
  execFileSync(process.execPath, [script, '--json'], { encoding: 'utf8', maxBuffer: 2 ** 26 }),
);
const requirements = groups.flatMap((each) => each.requirements);
const notYet: Readonly<Record<string, unknown>> = JSON.parse(
  readFileSync(new URL('not-yet.json', import.meta.url), 'utf8'),
);

describe('every requirement', () => {
  it.each(groups)('of $group is named by a test or put off with a reason', (group) => {
    const open = group.requirements.filter(({ tests, notYet }) => tests.length === 0 && notYet === undefined);
    expect(open.map(({ id }) => id)).toEqual([]);
  });

  it('D-095: what was to be tested before the agent was written is', () => {
    // The content field, calls, retrigger, what the model is told, the history, STATE lines, activity, scrolling, old chats.
    const first = ['D-020', 'D-001', 'D-003', 'D-040', 'D-027', 'D-012', 'D-071', 'D-073', 'D-031'];
    const tested = requirements.filter(({ id, tests }) => first.includes(id) && tests.length > 0);
    expect(tested.map(({ id }) => id).sort()).toEqual(first.sort());
  });

  it('is listed once', () => {
    const ids = requirements.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(260);
  });

  it('that is put off has a reason, is one of the list, and has no test yet', () => {
    for (const [id, reason] of Object.entries(notYet)) {
      const found = requirements.find((each) => each.id === id);
      expect(found, id).toBeDefined();
      expect(found?.tests, id).toEqual([]);
      expect(String(reason).length, id).toBeGreaterThan(20);
    }
  });
});

describe('the map', () => {
  const titles = (id: string) => requirements.find((each) => each.id === id)?.tests.map(({ title }) => title) ?? [];

  it('reads titles of plain tests, of tables and of case pages', () => {
    expect(titles('A-078')).toContainEqual(expect.stringContaining('never changes the input'));
    expect(titles('A-138')).toContainEqual(expect.stringContaining('is a code span: %s'));
    expect(titles('A-130')).toContainEqual(expect.stringContaining('only an opening tag'));
  });

  it('takes an id in a comment, or in the head of a case page, for nothing', () => {
    const pages = requirements.flatMap(({ tests }) => tests).filter(({ file }) => file.endsWith('.md'));
    expect(pages.length).toBeGreaterThan(50);
    for (const { title } of pages) expect(title).toMatch(/\(.*[A-E]-\d{3}.*\)$/);
  });
});
