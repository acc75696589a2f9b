import type { JsonObject } from '../chat/message.ts';
import { isObject } from '../chat/read-message.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';
import type { ChangeRequest } from '../vault/change.ts';
import { ToolFault } from '../vault/vault.ts';
import { type Host, Sandbox } from './sandbox.ts';

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
      faults.push({ path: script.path, message: `${script.path} is no tool: ${message}` });
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
  if (!isObject(meta)) throw new Error('it has to export an object `meta` with name, description and inputSchema.');
  const { name, description, inputSchema = { type: 'object' }, reads = false } = meta;
  if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    throw new Error('meta.name has to be a name of letters, digits, "_" and "-".');
  }
  if (typeof description !== 'string' || description.trim() === '') {
    throw new Error('meta.description has to say what the tool does; the model reads it.');
  }
  if (!isObject(inputSchema)) throw new Error('meta.inputSchema has to be the JSON Schema of its arguments.');
  if (!loaded.exportsFunction('run')) throw new Error('it has to export a function `run(args, vault)`.');
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
    if (typeof value !== 'string') throw new ToolFault(`${what} has to be text.`);
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
