import type { ProbeProgress } from '../../probe/run-probe.ts';
import type { Terminal } from '../terminal.ts';

/** A line on a screen that says how far a run is; nothing where standard error is none. */
export class ProgressLine {
  readonly #terminal: Pick<Terminal, 'stderr' | 'isScreen'>;
  #isShown = false;

  constructor(terminal: Pick<Terminal, 'stderr' | 'isScreen'>) {
    this.#terminal = terminal;
  }

  show({ done, of, mode, task, results }: ProbeProgress): void {
    const right = results.filter((each) => each.mode === mode && each.ok).length;
    const asked = results.filter((each) => each.mode === mode).length;
    const score = asked === 0 ? '' : `, ${right} of ${asked} right`;
    this.#put(`${done + 1} of ${of}  ${mode}${score}  ${task.title}`);
  }

  clear(): void {
    if (this.#isShown) this.#put('');
    this.#isShown = false;
  }

  #put(line: string): void {
    const { stderr, isScreen } = this.#terminal;
    if (!isScreen) return;
    const width = 'columns' in stderr && typeof stderr.columns === 'number' ? stderr.columns : 80;
    // A line that is wrapped could not be written over.
    stderr.write(`\r\u001b[K${line.slice(0, width - 1)}`);
    this.#isShown = true;
  }
}
