import { type Command, CommanderError } from 'commander';
import { codeOf } from '../code-of.ts';
import { ConfigError } from '../config/problem.ts';
import { harmlessLines } from '../log/harmless.ts';
import { createProgram } from './program.ts';
import { CommandError, processTerminal, type Terminal, UsageError } from './terminal.ts';

/** The exit code of a command line that says nothing that can be done, as programs of the shell have it. */
const wrongUsage = 2;

/** Runs a command line without the program's name and returns the exit code. Never throws. */
export async function run(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const outcome = { code: 0 };
  const { own, after } = parted(args);
  // Most commands write without waiting, so this is where they hear of it.
  for (const output of [terminal.stdout, terminal.stderr]) {
    output.on('error', (error) => {
      if (!isClosed(error)) throw error;
    });
  }
  try {
    const program = createProgram(terminal, { outcome, after });
    await program.parseAsync(withoutLostHelp(commandOf(own), program), { from: 'user' });
    return outcome.code;
  } catch (thrown) {
    // Commander has told its own complaints already.
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : wrongUsage;
    if (isClosed(thrown)) return 1;
    terminal.stderr.write(`${harmlessLines(await messageOf(thrown))}
`);
    return thrown instanceof UsageError ? wrongUsage : 1;
  }
}

/** Without a command, the gateway is meant. */
function commandOf([first, ...rest]: readonly string[]): string[] {
  if (first === undefined) return ['serve'];
  const isOption = first.startsWith('-') && !['-h', '--help', '-v', '--version'].includes(first);
  return isOption ? ['serve', first, ...rest] : [first, ...rest];
}

/** Of a command that is not there commander would print the help of all, and not say that it is not there. */
function withoutLostHelp(words: readonly string[], { commands }: Command): string[] {
  const [name = ''] = words[0] === 'help' ? words.slice(1) : words;
  const isKnown = name === '' || name.startsWith('-') || commands.some((command) => command.name() === name);
  return isKnown ? [...words] : [name];
}

/** `launch` hands on what comes after `--`; other commands read it as names. */
function parted(args: readonly string[]): { readonly own: readonly string[]; readonly after: readonly string[] } {
  const cut = args[0] === 'launch' ? args.indexOf('--') : -1;
  return cut === -1 ? { own: args, after: [] } : { own: args.slice(0, cut), after: args.slice(cut + 1) };
}

/** Whether whoever reads our output has seen enough, as `head` does, or the terminal was closed. */
function isClosed(thrown: unknown): boolean {
  return ['EPIPE', 'EIO'].includes(codeOf(thrown));
}

async function messageOf(thrown: unknown): Promise<string> {
  // Loaded only here, as help and completion need nothing of the core.
  const { DragomanError } = await import('@dragoman/core');
  if (thrown instanceof ConfigError || thrown instanceof CommandError || thrown instanceof DragomanError) {
    return thrown.message;
  }
  return thrown instanceof Error ? `dragoman failed: ${thrown.stack ?? thrown.message}` : String(thrown);
}
