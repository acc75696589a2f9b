import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

interface Requirement {
  readonly id: string;
  readonly tests: readonly { readonly file: string; readonly title: string }[];
}

const root = fileURLToPath(new URL('../', import.meta.url));
const script = `${root}scripts/coverage-map.mjs`;
const groups: readonly { readonly group: string; readonly requirements: readonly Requirement[] }[] = JSON.parse(
  execFileSync(process.execPath, [script, '--json'], { encoding: 'utf8', maxBuffer: 2 ** 26 }),
);
const requirements = groups.flatMap((each) => each.requirements);
describe('every requirement', () => {
  it.each(groups)('of $group is named by a test', (group) => {
    const open = group.requirements.filter(({ tests }) => tests.length === 0);
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
});

it('D-094: a test is in a file that is named after what it tests', () => {
  const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\n');
  const files = tracked
    .filter((file) => /\.(test|real|browser)\.ts$/.test(file))
    .map((file) => file.split('/').at(-1) ?? '');
  expect(files.length).toBeGreaterThan(400);
  for (const file of files) expect(file).toMatch(/^[a-z0-9.]+(-[a-z0-9.]+)*\.(test|real|browser)\.ts$/);
  // A reader looks for what is tested, and knows no numbers of requirements or warnings.
  expect(files.filter((file) => /(^|-)(requirements?|warnings?|[a-e]-?\d+)-|\d{3}/.test(file))).toEqual([]);
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
