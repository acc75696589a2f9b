import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../code-of.ts';
import { type ProbeResult, probeResult } from './probe-result.ts';

/** The file that keeps the results of a model, in a state folder. */
export function resultsFile(folder: string, model: string): string {
  return join(folder, 'probe', `${encodeURIComponent(model)}.jsonl`);
}

/** All results of a file, oldest first; none where there is no file. A line that cannot be read, such as one cut in two, is left out. */
export function readResults(file: string): readonly ProbeResult[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(thrown))) return [];
    throw thrown;
  }
  return text.split('\n').flatMap((line) => {
    const { data } = probeResult.safeParse(readJson(line));
    return data === undefined ? [] : [data];
  });
}

function readJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Writes a result after the others. */
export function keepResult(file: string, result: ProbeResult): void {
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, `${JSON.stringify(result)}\n`);
}
