import { type Dialect, dialects, knownModels } from '@dragoman/core';
import type { Turns } from './call-region.ts';
import type { Written } from './choose-variant.ts';
import { callText } from './find-call.ts';
import { type ProbeCall, probeCalls, probeTools } from './probes.ts';
import { readProbes } from './read-probes.ts';
import { tokensIn } from './tokens.ts';

/** Built-in dialects that fit a template. */
export interface BuiltIn {
  /** The one that reads all of it and writes calls as it does, but for white space. */
  readonly same?: string;
  /** Others that read all of it. */
  readonly alsoRead: readonly string[];
}

/** Which built-in dialects read everything that the template writes. */
export function compareBuiltIn(written: Written, turns: Turns): BuiltIn {
  const readers = [...dialects.values()].filter((dialect) => {
    const readings = readProbes(dialect, written, turns);
    return readings.length > 0 && readings.every(({ right }) => right);
  });
  const alike = readers.filter((dialect) => writesAlike(dialect, written, turns));
  // Of several, the one that most models write.
  const models = ({ id }: Dialect) => knownModels.filter(({ dialect }) => dialect === id).length;
  const [same] = alike.sort((one, other) => models(other) - models(one));
  const alsoRead = readers.filter((dialect) => dialect !== same).map(({ id }) => id);
  return { ...(same === undefined ? {} : { same: same.id }), alsoRead };
}

/** Whether a dialect writes the calls of the probes as the template does, but for white space and kinds of quotes. */
export function writesAlike(dialect: Dialect, written: Written, turns: Turns): boolean {
  const calls = probeCalls(written.variant);
  return (['one', 'two'] as const).every((probe) => {
    const text = callText(written, turns, probe);
    if (text === undefined || !calls[probe].every(({ name }) => text.includes(name))) return true;
    return isAlike(bare(text), bare(renderRound(dialect, calls[probe])));
  });
}

/** The same but for a token behind it, by which the template ends the turn. */
function isAlike(text: string, own: string): boolean {
  const rest = text.startsWith(own) ? text.slice(own.length) : undefined;
  return rest === '' || (rest !== undefined && own !== '' && tokensIn(rest).join('') === rest);
}

/** The calls of a probe as a dialect writes them. */
export function renderRound(dialect: Dialect, calls: readonly ProbeCall[]): string {
  const past = calls.map(({ id, name, values }, ordinal) => ({
    callId: id,
    nativeId: id,
    name,
    arguments: JSON.stringify(values),
    ordinal,
  }));
  return dialect.renderCalls(past, probeTools);
}

function bare(text: string): string {
  return [...text.replaceAll("'", '"')].filter((sign) => sign.trim() !== '').join('');
}
