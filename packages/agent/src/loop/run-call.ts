import type { CallStatus, ChatCall } from '../chat/message.ts';
import { isObject } from '../chat/read-message.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';
import { limitText } from '../tools/tool.ts';
import type { ChangeRequest } from '../vault/change.ts';
import type { ReadView } from '../vault/read-view.ts';
import { ToolFault } from '../vault/vault.ts';
import type { WriteGate } from '../vault/write-gate.ts';

/** How a call went, and what the model reads. */
export interface CallResult {
  readonly status: CallStatus;
  readonly content: string;
}

/** What calls run with. */
export interface Workshop {
  readonly tools: ToolRegistry;
  readonly view: ReadView;
  readonly gate: WriteGate;
  /** The longest result, in UTF-16 units. Default: 20,000. */
  readonly maxResult?: number;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** Something was changed. */
  readonly changed: () => void;
}

const defaultMaxResult = 20_000;
const defaultTimeout = 60_000;
const longestMessage = 500;

/** Runs one call. Never rejects: whatever goes wrong is a result that the model reads. */
export async function runCall(
  { id, name, arguments: values }: ChatCall,
  { tools, view, gate, maxResult = defaultMaxResult }: Workshop,
  { signal, changed }: CallOptions,
): Promise<CallResult> {
  if (signal.aborted) return cancelled;
  const found = tools.find(name, values);
  if ('fault' in found) return { status: 'error', content: found.fault };
  const { tool } = found;
  const { source } = tool;
  if (source !== undefined) {
    try {
      // A copy: what its person was shown is what is called.
      const proposal = { kind: 'call', callId: id, tool: name, source, arguments: structuredClone(values) } as const;
      if (!(await gate.allows(proposal, signal))) return rejected;
    } catch {
      return cancelled;
    }
    // Nobody knows what it changes.
    if (!tool.reads) changed();
  }
  const clock = new ToolClock(tool.timeout ?? defaultTimeout, signal);
  let made = 0;
  const context: ToolContext = Object.freeze({
    vault: view,
    signal: clock.signal,
    change: async (request: ChangeRequest) => {
      if (tool.reads) throw new ToolFault(`${name} is a tool that only reads; nothing was changed.`);
      clock.stop();
      try {
        return await gate.change(request, {
          callId: id,
          tool: name,
          signal: clock.signal,
          made: () => {
            made += 1;
            changed();
          },
        });
      } finally {
        clock.start();
      }
    },
  });
  clock.start();
  try {
    const { status, content } = await clock.race(() => run(tool, values, context));
    return { status, content: limitText(content === '' ? 'Done; there is nothing to tell.' : content, maxResult) };
  } catch (error) {
    clock.end();
    // A change that is being made comes to its end, and counts.
    await gate.idle();
    if (signal.aborted) return made > 0 ? cancelledAfter : cancelled;
    if (made > 0) return { status: 'error', content: `The change was made. Then: ${faultOf(name, error)}` };
    if (clock.isOver)
      return { status: 'error', content: `${name} took longer than ${clock.seconds} s and was broken off.` };
    return { status: 'error', content: faultOf(name, error) };
  } finally {
    clock.end();
  }
}

const cancelled: CallResult = { status: 'cancelled', content: 'The user cancelled before this call had run.' };

const rejected: CallResult = {
  status: 'rejected',
  content: 'The user did not allow this call; it was not made. Ask what they want instead, or go on without it.',
};

const cancelledAfter: CallResult = { status: 'ok', content: 'The change was made; then the user cancelled.' };

async function run(tool: Tool, values: ChatCall['arguments'], context: ToolContext): Promise<CallResult> {
  // A copy: no tool changes what is kept of the call.
  const outcome: unknown = await tool.run(structuredClone(values), context);
  if (typeof outcome === 'string') return { status: 'ok', content: outcome };
  if (isObject(outcome) && typeof outcome.content === 'string') {
    const { status, content } = outcome;
    const isKnown = status === 'ok' || status === 'error' || status === 'rejected' || status === 'cancelled';
    return { status: isKnown ? status : 'error', content };
  }
  throw new TypeError('it gave no text.');
}

function faultOf(name: string, error: unknown): string {
  if (error instanceof ToolFault) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  return `${name} failed: ${limitText(message, longestMessage)}`;
}

/** The time that a tool has. It does not run while a person is asked. */
class ToolClock {
  readonly #control = new AbortController();
  readonly #aborted: Promise<never>;
  readonly #leave: () => void;
  #left: number;
  #since: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  readonly seconds: number;

  constructor(timeout: number, outer: AbortSignal) {
    this.#left = timeout;
    this.seconds = timeout / 1000;
    const abort = () => this.#control.abort(outer.reason);
    outer.addEventListener('abort', abort, { once: true });
    this.#leave = () => outer.removeEventListener('abort', abort);
    const { signal } = this.#control;
    this.#aborted = new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    // Perhaps nobody races.
    this.#aborted.catch(() => {});
  }

  get signal(): AbortSignal {
    return this.#control.signal;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  start(): void {
    if (this.#timer !== undefined || this.#control.signal.aborted) return;
    this.#since = performance.now();
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#control.abort(new ToolFault('The tool took too long.'));
    }, this.#left);
  }

  stop(): void {
    clearTimeout(this.#timer);
    if (this.#timer !== undefined && this.#since !== undefined) this.#left -= performance.now() - this.#since;
    this.#timer = undefined;
  }

  /** The tool is over: what it still wants to change is refused. */
  end(): void {
    this.stop();
    this.#leave();
    this.#control.abort(new ToolFault('The tool is over.'));
  }

  race<Result>(work: () => Promise<Result>): Promise<Result> {
    return Promise.race([work(), this.#aborted]);
  }
}
