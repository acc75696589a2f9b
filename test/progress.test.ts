import { expect, it } from 'vitest';
import { Progress } from './progress.ts';

it('says how far the tests are, once in ten seconds', () => {
  const lines: string[] = [];
  let time = 0;
  const progress = new Progress({ now: () => time, write: (line) => lines.push(line) });
  const end = (at: number, isGood = true) => {
    time = at;
    progress.onTestModuleEnd({ ok: () => isGood });
  };
  progress.onTestRunStart(['a', 'b', 'c', 'd', 'e'].map((moduleId) => ({ moduleId })));
  end(4000);
  end(9999, false);
  expect(lines).toEqual([]);
  end(10_000);
  end(19_000);
  end(20_500);
  expect(lines).toEqual(['tests: 3 of 5 files, 1 failed\n', 'tests: 5 of 5 files, 1 failed\n']);
});
