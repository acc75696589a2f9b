import {
  ConformanceError,
  type ConformanceOptions,
  cellOf,
  checkedWires,
  renderReport,
  runConformance,
} from '@dragoman/conformance';
import { didYouMean } from '../config/nearest-name.ts';
import { ownCommand } from './how-started.ts';
import { readSecret } from './read-secret.ts';
import { CommandError, type Terminal, UsageError } from './terminal.ts';

export interface ConformanceFlags {
  readonly model?: string;
  /** The key itself, or `env:NAME`. */
  readonly key?: string;
  /** Ids of wires, with commas. */
  readonly only?: string;
  readonly json?: true;
  /** Seconds. */
  readonly timeout: number;
}

/** Checks a server and prints what was found. The exit code is 0 only when nothing failed. Throws CommandError. */
export async function checkConformance(terminal: Terminal, baseUrl: string, flags: ConformanceFlags): Promise<number> {
  const { stdout, stderr, isScreen } = terminal;
  const options: ConformanceOptions = {
    baseUrl: readAddress(baseUrl),
    silence: flags.timeout * 1000,
    ...(flags.model === undefined ? {} : { model: flags.model }),
    ...(flags.key === undefined ? {} : { key: readSecret(flags.key, terminal) }),
    ...(flags.only === undefined ? {} : { only: readWires(flags.only) }),
    // A small model takes its time; on a screen one sees that it goes on.
    ...(isScreen
      ? { onOutcome: (wire, check, outcome) => void stderr.write(`${wire} ${check}: ${cellOf(outcome)}\n`) }
      : {}),
  };
  try {
    const report = await runConformance(options);
    stdout.write(flags.json === true ? `${JSON.stringify(report, null, 2)}\n` : renderReport(report));
    return report.passed ? 0 : 1;
  } catch (thrown) {
    if (thrown instanceof ConformanceError) throw new CommandError(thrown.message);
    throw thrown;
  }
}

function readAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
  throw new CommandError(`${text} is not an address. Use: ${ownCommand} conformance http://127.0.0.1:11434`);
}

function readWires(text: string) {
  return text.split(',').map((each) => {
    const name = each.trim();
    const wire = checkedWires.find((id) => id === name);
    if (wire !== undefined) return wire;
    throw new UsageError(
      `--only: there is no API ${JSON.stringify(name)}${didYouMean(name, checkedWires) || `; there are ${checkedWires.join(', ')}`}`,
    );
  });
}
