import type { TableProblem } from '../table/check-table.ts';

/** What is told while a template is read: problems, with which it cannot be used, and notes of what it does not say. */
export class TemplateNotes {
  readonly problems: TableProblem[];
  readonly notes: string[];
  readonly #path: readonly string[];

  constructor(shared?: TemplateNotes, path: readonly string[] = []) {
    this.problems = shared?.problems ?? [];
    this.notes = shared?.notes ?? [];
    this.#path = path;
  }

  /** The same notes, for what stands at `path`. */
  at(...path: readonly string[]): TemplateNotes {
    return new TemplateNotes(this, [...this.#path, ...path]);
  }

  problem(path: readonly string[], reason: string): void {
    this.problems.push({ path: [...this.#path, ...path], reason });
  }

  /** Where the prompt opens the thinking. Two fields may say so. */
  opened(): void {
    new TemplateNotes(this).note('the prompt opens the thinking; give the model rule "opened": "reasoning"');
  }

  note(sentence: string): void {
    const place = this.#path.join('.');
    const told = place === '' ? sentence : `${place}: ${sentence}`;
    if (!this.notes.includes(told)) this.notes.push(told);
  }
}
