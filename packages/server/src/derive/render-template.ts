import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Conversation } from './probes.ts';

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

const workerFile = fileURLToPath(new URL('../../bin/render-probes.js', import.meta.url));

/**
 * Renders conversations by a template that nobody vouches for: in a thread of its own, without its environment, and no
 * longer or larger than the limits. Throws RenderError where it does not parse, or where a limit is reached.
 */
export async function renderTemplate(
  { source, variables }: TemplateSource,
  conversations: readonly Conversation[],
  limits: RenderLimits = defaultLimits,
): Promise<readonly Rendering[]> {
  const worker = new Worker(workerFile, {
    workerData: { source, variables, conversations, longest: limits.length },
    resourceLimits: { maxOldGenerationSizeMb: limits.memory, stackSizeMb: 4 },
    env: {},
    stdin: false,
    stdout: true,
    stderr: true,
  });
  try {
    return await answerOf(worker, limits);
  } finally {
    await worker.terminate();
  }
}

function answerOf(worker: Worker, limits: RenderLimits): Promise<readonly Rendering[]> {
  return new Promise((resolve, reject) => {
    const fail = (message: string) => reject(new RenderError(message));
    const timer = setTimeout(() => fail(`does not end within ${limits.time / 1000} seconds`), limits.time);
    worker.once('message', (answer: { renderings: readonly Rendering[] } | { problem: string }) => {
      clearTimeout(timer);
      if ('problem' in answer) fail(`is no Jinja that can be read: ${answer.problem}`);
      else resolve(answer.renderings);
    });
    worker.once('error', (thrown: Error & { readonly code?: string }) => {
      clearTimeout(timer);
      const full = thrown.code === 'ERR_WORKER_OUT_OF_MEMORY';
      fail(full ? `fills more than ${limits.memory} megabytes` : `cannot be rendered: ${thrown.message}`);
    });
    worker.once('exit', () => {
      clearTimeout(timer);
      fail('cannot be rendered: its thread has ended');
    });
  });
}
