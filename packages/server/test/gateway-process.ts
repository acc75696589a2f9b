import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The built `dragoman serve` in a process of its own. */
export interface GatewayProcess {
  readonly url: string;
  /** What it has written on standard error: its log. */
  log(): string;
  /** Asks it to stop, and waits until it has. Resolves with its exit code. */
  stop(): Promise<number | null>;
  signal(name: NodeJS.Signals): void;
  /** Resolves with its exit code when it has ended by itself. */
  ended(): Promise<number | null>;
  /** Ends it without a word, wherever it is. */
  kill(): Promise<void>;
}

export interface ProcessOptions {
  /** Further arguments of `serve`. */
  readonly args?: readonly string[];
  /** What starts it, such as a shell that sets a limit first. */
  readonly before?: readonly string[];
  /** Arguments of Node. */
  readonly node?: readonly string[];
}

const command = fileURLToPath(new URL('../bin/dragoman.js', import.meta.url));

/** Starts it with a configuration, which is written to `file`, on a free port. */
export async function startGatewayProcess(
  file: string,
  config: object,
  { before = [], node = [], args: own = [] }: ProcessOptions = {},
): Promise<GatewayProcess> {
  await writeFile(file, JSON.stringify({ listen: { port: 0 }, log: { format: 'json' }, ...config }));
  const [program = '', ...args] = [...before, process.execPath, ...node, command, 'serve', '--config', file, ...own];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  let out = '';
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      out += chunk;
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(out) ?? [];
      if (found !== undefined) resolve(found);
    });
    ended.then(() => reject(new Error(`the gateway did not start: ${out}${log}`)));
  });
  const end = async (signal: NodeJS.Signals) => {
    if (isRunning(child)) child.kill(signal);
    await ended;
  };
  return {
    url,
    log: () => log,
    stop: async () => {
      await end('SIGTERM');
      return child.exitCode;
    },
    signal: (name) => void child.kill(name),
    ended: async () => {
      await ended;
      return child.exitCode;
    },
    kill: () => end('SIGKILL'),
  };
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}
