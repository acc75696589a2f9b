import { styleText } from 'node:util';
import { harmless } from '../../log/harmless.ts';
import type { Terminal } from '../terminal.ts';

/** One thing that `dragoman doctor` has looked at. */
export type Diagnosis =
  | { readonly about: string; readonly is: 'good'; readonly says: string }
  /** `doubtful` works, and perhaps not as it is meant; `broken` does not work. */
  | { readonly about: string; readonly is: 'doubtful' | 'broken'; readonly says: string; readonly cure: string };

const signs = { good: '✓', doubtful: '!', broken: '✗' } as const;
const colours = { good: 'green', doubtful: 'yellow', broken: 'red' } as const;

/** A line each, and the cure below. */
export function renderDiagnoses(
  diagnoses: readonly Diagnosis[],
  { stdout, env }: Pick<Terminal, 'stdout' | 'env'>,
): string {
  const isScreen = 'isTTY' in stdout && stdout.isTTY === true;
  const hasColour = isScreen && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
  const width = Math.max(...diagnoses.map(({ about }) => about.length));
  return diagnoses
    .map((diagnosis) => {
      const { about, is, says } = diagnosis;
      const sign = hasColour ? styleText(colours[is], signs[is], { validateStream: false }) : signs[is];
      const line = `${sign} ${harmless(`${about.padEnd(width)}  ${says}`)}\n`;
      return diagnosis.is === 'good' ? line : `${line}${' '.repeat(width + 4)}${harmless(diagnosis.cure)}\n`;
    })
    .join('');
}
