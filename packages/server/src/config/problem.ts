/** A mistake in the configuration, told so that it can be repaired without reading anything else. */
export interface Problem {
  /** Where: a path in the file such as `listen.port`, the name of a variable, or a flag. */
  readonly path: string;
  readonly reason: string;
  /** From one, when it is in a file. */
  readonly line?: number;
  readonly column?: number;
}

export type PathStep = string | number;

const plain = (step: string): boolean => step !== '' && [...step].every((letter) => /[\w$-]/.test(letter));

/** A path as people write it: `upstreams.local.models["qwen2.5-7b"].images`. */
export function formatPath(path: readonly PathStep[]): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (!plain(step)) text += `[${JSON.stringify(step)}]`;
    else text += text === '' ? step : `.${step}`;
  }
  return text;
}

/** One line for a person. `file` names the file, when there is one. */
function formatProblem(problem: Problem, file?: string): string {
  const place = problem.line === undefined ? '' : `${file ?? 'config'}:${problem.line}:${problem.column ?? 1}: `;
  return `${place}${problem.path === '' ? '' : `${problem.path}: `}${problem.reason}`;
}

/** The configuration cannot be used. Holds every mistake, not only the first. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[], file?: string) {
    super(problems.map((problem) => formatProblem(problem, file)).join('\n'));
    this.problems = problems;
  }
}
