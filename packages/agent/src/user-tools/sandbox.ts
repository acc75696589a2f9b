import variant from '@jitl/quickjs-singlefile-browser-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
} from 'quickjs-emscripten-core';

/** What a script may ask its host for: a method with its arguments, all of them JSON. */
export type Host = (method: string, values: readonly unknown[]) => Promise<unknown>;

export interface SandboxOptions {
  /** Names the script in errors. */
  readonly path: string;
  /** A module of JavaScript. */
  readonly text: string;
  readonly host: Host;
  /** The methods that the script sees of its host. */
  readonly methods: readonly string[];
  readonly signal: AbortSignal;
}

/** Pages of 64 KB. */
const memory = { initial: 256, maximum: 1_024 };
const stackBytes = 256 * 1024;
/** How long a script may compute, in milliseconds; the time in which it waits does not count. */
const mostWork = 1_000;

/** Makes the object that the script gets. All that passes is JSON. */
const prelude = `(ask, methods) => Object.freeze(Object.fromEntries(JSON.parse(methods).map((method) => [
  method,
  async (...values) => JSON.parse(await ask(JSON.stringify([method, values]))).value,
])))`;

/**
 * One module of JavaScript in an interpreter of its own, compiled to WebAssembly, with a memory of its own: no network, no
 * files, no page, no timers, no other module. What it has of the world is `host`. Used once and left to the garbage
 * collector, so nothing stays between two runs.
 */
export class Sandbox {
  readonly #context: QuickJSContext;
  readonly #options: SandboxOptions;
  readonly #exports: QuickJSHandle;
  /** Rejects when something in the script is broken off where nobody waits for it. */
  readonly #broken: Promise<never>;
  #break: (error: Error) => void = () => {};
  #spent = 0;
  #since = 0;

  private constructor(context: QuickJSContext, options: SandboxOptions) {
    this.#context = context;
    this.#options = options;
    this.#broken = new Promise((_, reject) => {
      this.#break = reject;
    });
    this.#broken.catch(() => {});
    context.runtime.setMaxStackSize(stackBytes);
    context.runtime.setInterruptHandler(
      () => options.signal.aborted || this.#spent + performance.now() - this.#since > mostWork,
    );
    this.#exports = this.#enter(() =>
      context.unwrapResult(context.evalCode(options.text, options.path, { type: 'module' })),
    );
    this.#runJobs();
  }

  /** Evaluates a script. Rejects with an Error of the script. */
  static async open(options: SandboxOptions): Promise<Sandbox> {
    // Its memory ends where this one does, which the interpreter's own limit does not see to.
    const own = newVariant(variant, { wasmMemory: new WebAssembly.Memory(memory) });
    const { newContext } = await newQuickJSWASMModuleFromVariant(own).then((module) => ({
      newContext: () => module.newContext(),
    }));
    return new Sandbox(newContext(), options);
  }

  /** A copy of something that the script exports; undefined where it exports no such thing. */
  exported(name: string): unknown {
    return this.#enter(() => this.#context.dump(this.#context.getProp(this.#module, name)));
  }

  exportsFunction(name: string): boolean {
    return this.#enter(() => this.#context.typeof(this.#context.getProp(this.#module, name)) === 'function');
  }

  /** Calls an exported function with its argument and the host. Resolves with what it gives, as text. */
  async call(name: string, argument: unknown): Promise<string> {
    const context = this.#context;
    const returned = this.#enter(() => {
      const parse = context.getProp(context.getProp(context.global, 'JSON'), 'parse');
      const value = context.unwrapResult(
        context.callFunction(parse, context.undefined, context.newString(JSON.stringify(argument))),
      );
      const make = context.unwrapResult(context.evalCode(prelude));
      const methods = context.newString(JSON.stringify(this.#options.methods));
      const host = context.unwrapResult(context.callFunction(make, context.undefined, this.#ask(), methods));
      const run = context.getProp(this.#module, name);
      return context.unwrapResult(context.callFunction(run, context.undefined, value, host));
    });
    const settled = context.resolvePromise(returned);
    this.#runJobs();
    const result = await Promise.race([settled, this.#broken]);
    return this.#enter(() => {
      const value: unknown = context.dump(context.unwrapResult(result));
      return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    });
  }

  get #module(): QuickJSHandle {
    const context = this.#context;
    if (context.typeof(this.#exports) !== 'object') return this.#exports;
    // A module that awaits at its top is a promise of its exports.
    const state = context.getPromiseState(this.#exports);
    if (state.type === 'fulfilled') return state.value;
    if (state.type === 'rejected') throw new Error(messageOf(context.dump(state.error)));
    throw new Error('it waits for something while it is loaded.');
  }

  #ask(): QuickJSHandle {
    const context = this.#context;
    return context.newFunction('ask', (question) => {
      const deferred = context.newPromise();
      const [method, values] = JSON.parse(context.getString(question)) as [string, readonly unknown[]];
      const answer = this.#options.host(method, values).then(
        (value) => this.#enter(() => deferred.resolve(context.newString(JSON.stringify({ value })))),
        (error: unknown) => this.#enter(() => deferred.reject(context.newError(messageOf(error)))),
      );
      answer.then(() => this.#runJobs()).catch(() => {});
      return deferred.handle;
    });
  }

  #runJobs(): void {
    try {
      this.#enter(() => this.#context.runtime.executePendingJobs().unwrap());
    } catch (error) {
      this.#break(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** All time inside counts, and is limited. */
  #enter<Result>(work: () => Result): Result {
    this.#since = performance.now();
    try {
      return work();
    } catch (error) {
      if (this.#spent + performance.now() - this.#since > mostWork) {
        throw new Error(`it computed for longer than ${mostWork} ms and was broken off.`);
      }
      throw new Error(messageOf(error));
    } finally {
      this.#spent += performance.now() - this.#since;
    }
  }
}

function messageOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  return String(error);
}
