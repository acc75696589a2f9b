import { type Dialect, dialects, knownModels } from '@dragoman/core';
import type { Turns } from './call-region.ts';
import type { Written } from './choose-variant.ts';
import { callText } from './find-call.ts';
import { readSamples } from './read-samples.ts';
import { type SampleCall, sampleCalls, sampleTools } from './samples.ts';
import { tokensIn } from './tokens.ts';

/** Built-in dialects that fit a template. */
export interface BuiltIn {
  /** The one that reads all of it and writes calls as it does, but for white space. */
  readonly same?: string;
  /** Others that read all of it, those first that most models write. */
  readonly alsoRead: readonly string[];
}

/** Which built-in dialects read everything that the template writes. */
export function compareBuiltIn(written: Written, turns: Turns): BuiltIn {
  const models = ({ id }: Dialect) => knownModels.filter(({ dialect }) => dialect === id).length;
  const readers = [...dialects.values()]
    .filter((dialect) => readsAll(dialect, written, turns))
    .sort((one, other) => models(other) - models(one));
  const same = readers.find((dialect) => writesAlike(dialect, written, turns));
  const alsoRead = readers.filter((dialect) => dialect !== same).map(({ id }) => id);
  return { ...(same === undefined ? {} : { same: same.id }), alsoRead };
}

/** Most dialects are out with the first sample. */
function readsAll(dialect: Dialect, written: Written, turns: Turns): boolean {
  let reads = false;
  for (const { right } of readSamples(dialect, written, turns)) {
    if (!right) return false;
    reads = true;
  }
  return reads;
}

/** Whether a dialect writes the calls of the samples as the template does, but for white space and kinds of quotes. */
export function writesAlike(dialect: Dialect, written: Written, turns: Turns): boolean {
  const calls = sampleCalls(written.variant);
  return (['one', 'two'] as const).every((sample) => {
    const text = callText(written, turns, sample);
    if (text === undefined || !calls[sample].every(({ name }) => text.includes(name))) return true;
    return isAlike(bare(text), bare(renderRound(dialect, calls[sample])));
  });
}

/** The same but for a token after it, by which the template ends the turn. */
function isAlike(text: string, own: string): boolean {
  const rest = text.startsWith(own) ? text.slice(own.length) : undefined;
  return rest === '' || (rest !== undefined && own !== '' && tokensIn(rest).join('') === rest);
}

/** The calls of a sample as a dialect writes them. */
export function renderRound(dialect: Dialect, calls: readonly SampleCall[]): string {
  const past = calls.map(({ id, name, values }, ordinal) => ({
    callId: id,
    nativeId: id,
    name,
    arguments: JSON.stringify(values),
    ordinal,
  }));
  return dialect.renderCalls(past, sampleTools);
}

function bare(text: string): string {
  return [...text.replaceAll("'", '"')].filter((sign) => sign.trim() !== '').join('');
}
