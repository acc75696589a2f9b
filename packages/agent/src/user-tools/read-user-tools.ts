import variant from '@jitl/quickjs-singlefile-browser-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
} from 'quickjs-emscripten-core';
import type { JsonObject } from '../chat/message.ts';
import { isObject } from '../chat/read-message.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';
import type { ChangeRequest } from '../vault/change.ts';
import { ToolFault } from '../vault/vault.ts';

/** A tool that a person has written: a module that exports `meta` and `run`. */
export interface UserScript {
  readonly path: string;
  readonly text: string;
}

export interface UserTools {
  readonly tools: readonly Tool[];
  /** Scripts that are no tools, and why, for their author. */
  readonly faults: readonly { readonly path: string; readonly message: string }[];
}

/**
 * Tools out of scripts, which run isolated: they see their arguments and the vault, and every change that they want is shown to a
 * person first. `allow` says whether a person wants a script to run; nothing of one that they do not want is evaluated. Whoever
 * remembers a yes remembers `id`, which is another one as soon as the text changes.
 */
export async function readUserTools(
  scripts: readonly UserScript[],
  allow: (script: UserScript & { readonly id: string }) => Promise<boolean>,
): Promise<UserTools> {
  const tools: Tool[] = [];
  const faults: { readonly path: string; readonly message: string }[] = [];
  for (const script of scripts) {
    if ((await allow({ ...script, id: await idOf(script) })) !== true) continue;
    try {
      tools.push(await toolOf(script));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      faults.push({ path: script.path, message: `${script.path} is not a tool: ${message}` });
    }
  }
  return { tools, faults };
}

async function idOf({ path, text }: UserScript): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${path}\n${text}`));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function toolOf(script: UserScript): Promise<Tool> {
  const nothing: Host = () => Promise.reject(new ToolFault('A script sees the vault in run, not while it is loaded.'));
  const { signal } = new AbortController();
  const loaded = await Sandbox.open({ ...script, host: nothing, methods: [], signal });
  const meta = loaded.exported('meta');
  if (!isObject(meta)) throw new Error('it must export an object `meta` with name, description and inputSchema.');
  const { name, description, inputSchema = { type: 'object' }, reads = false } = meta;
  if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    throw new Error('meta.name must be a name of letters, digits, "_" and "-".');
  }
  if (typeof description !== 'string' || description.trim() === '') {
    throw new Error('meta.description must say what the tool does; the model reads it.');
  }
  if (!isObject(inputSchema)) throw new Error('meta.inputSchema must be the JSON Schema of its arguments.');
  if (!loaded.exportsFunction('run')) throw new Error('it must export a function `run(args, vault)`.');
  return {
    name,
    description,
    inputSchema,
    reads: reads === true,
    run: async (values: JsonObject, context) => {
      const { signal } = context;
      const sandbox = await Sandbox.open({ ...script, host: hostOf(context), methods, signal });
      return sandbox.call('run', values);
    },
  };
}

const methods = ['read', 'list', 'active', 'write', 'move', 'delete'];

/** What a script can do: read what the agent may read, and ask for changes. */
function hostOf({ vault, change }: ToolContext): Host {
  const text = (value: unknown, what: string): string => {
    if (typeof value !== 'string') throw new ToolFault(`${what} must be text.`);
    return value;
  };
  const ask = async (request: ChangeRequest) => {
    const { became } = await change(request);
    if (became === 'rejected') throw new ToolFault('The user rejected this change; nothing was written.');
    return became;
  };
  return async (method, [first, second]) => {
    switch (method) {
      case 'read':
        return vault.read(text(first, 'The path'));
      case 'list':
        return vault.list(text(first ?? '', 'The folder'));
      case 'active':
        return vault.active() ?? null;
      case 'write':
        return ask({ kind: 'write', path: text(first, 'The path'), text: text(second, 'The text') });
      case 'move':
        return ask({ kind: 'move', path: text(first, 'The path'), to: text(second, 'The new path') });
      case 'delete':
        return ask({ kind: 'delete', path: text(first, 'The path') });
      default:
        throw new ToolFault(`There is no ${method} of a vault.`);
    }
  };
}

/** What a script may ask its host for: a method with its arguments, all of them JSON. */
type Host = (method: string, values: readonly unknown[]) => Promise<unknown>;

interface SandboxOptions {
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
class Sandbox {
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
