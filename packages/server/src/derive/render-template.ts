import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { packageFolder } from '../package-folder.ts';
import type { Conversation } from './samples.ts';

/** A chat template with the texts that its tokenizer hands to it. */
export interface TemplateSource {
  readonly source: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** What came of one conversation. */
export type Rendering = { readonly text: string } | { readonly refused: string };

/** The template cannot be rendered at all. */
export class RenderError extends Error {
  override readonly name = 'RenderError';
}

export interface RenderLimits {
  /** Milliseconds for all conversations together. */
  readonly time: number;
  /** Megabytes that the template may fill. */
  readonly memory: number;
  /** The longest rendering, in UTF-16 units. */
  readonly length: number;
}

const defaultLimits: RenderLimits = { time: 10_000, memory: 256, length: 1024 * 1024 };

const program = join(packageFolder, 'bin', 'render-samples.js');

/**
 * Renders conversations by a template that nobody vouches for: in a process of its own, without our environment, and no
 * longer or larger than the limits; a thread that runs out of memory may take the whole process with it. Throws
 * RenderError where it does not parse, or where a limit is reached.
 */
export async function renderTemplate(
  { source, variables }: TemplateSource,
  conversations: readonly Conversation[],
  limits: RenderLimits = defaultLimits,
): Promise<readonly Rendering[]> {
  const child = fork(program, {
    execArgv: [`--max-old-space-size=${limits.memory}`],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  try {
    child.send({ source, variables, conversations, longest: limits.length }, () => {});
    return await answerOf(child, limits);
  } finally {
    child.kill('SIGKILL');
  }
}

function answerOf(child: ChildProcess, limits: RenderLimits): Promise<readonly Rendering[]> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail(`does not end within ${limits.time / 1000} seconds`), limits.time);
    const fail = (message: string) => {
      clearTimeout(timer);
      reject(new RenderError(message));
    };
    child.once('message', (answer) => {
      clearTimeout(timer);
      const { renderings, problem } = readAnswer(answer);
      if (renderings === undefined) fail(`is not Jinja that can be read: ${problem}`);
      else resolve(renderings);
    });
    child.once('error', (thrown) => fail(`cannot be rendered: ${thrown.message}`));
    // It ends by itself only when its memory is full.
    child.once('exit', () => fail(`fills more than ${limits.memory} megabytes`));
  });
}

interface Answer {
  readonly renderings?: readonly Rendering[];
  readonly problem: string;
}

function readAnswer(answer: unknown): Answer {
  const { renderings, problem = '' } = Object(answer);
  return { ...(Array.isArray(renderings) ? { renderings } : {}), problem: String(problem) };
}
