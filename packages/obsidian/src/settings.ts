import { budgetLimits, clampBudget, confinedPath, startsWithDot } from '@dragoman/agent';

/** A server that a person has added. */
export interface ServerSettings {
  readonly url: string;
  /** The name of its key in Obsidian's keychain; empty for none. */
  readonly secret: string;
  /** Its models are taught to call tools in text. */
  readonly taught: boolean;
}

export interface Settings {
  readonly servers: readonly ServerSettings[];
  /** Servers at the usual addresses of this machine are used, too. */
  readonly looksAround: boolean;
  /** The model of new chats: the key of a choice. */
  readonly model: string;
  /** UTF-16 units of a prompt, and of the memory in it. */
  readonly context: number;
  readonly memory: number;
  readonly keepThink: boolean;
  readonly activeNote: boolean;
  readonly selection: boolean;
  /** The folder of the vault with charter, rules, voice, memory and tools. */
  readonly folder: string;
  /** The folder of the vault that chats are kept in; empty: the plugin's own folder. */
  readonly chats: string;
  /** MCP servers, in the form that MCP clients share. */
  readonly mcp: string;
  /** Scripts that may run: their paths, each with the id of the text that was allowed. */
  readonly scripts: Readonly<Record<string, string>>;
}

export const defaultSettings: Settings = {
  servers: [],
  looksAround: true,
  model: '',
  context: budgetLimits.context.usual,
  memory: budgetLimits.memory.usual,
  keepThink: false,
  activeNote: true,
  selection: true,
  folder: 'Dragoman',
  chats: '',
  mcp: '',
  scripts: {},
};

/** What was saved, as far as it can be read; what cannot is as by default. */
export function readSettings(saved: unknown): Settings {
  const { servers, scripts, context, memory, chats, ...rest } = isObject(saved) ? saved : {};
  const plain = { ...defaultSettings };
  const own = Object.entries(rest).filter(
    ([name, value]) => Object.hasOwn(plain, name) && typeof value === typeof Reflect.get(plain, name),
  );
  return {
    ...plain,
    ...Object.fromEntries(own),
    context: clampBudget('context', typeof context === 'number' ? context : undefined),
    memory: clampBudget('memory', typeof memory === 'number' ? memory : undefined),
    chats: typeof chats === 'string' ? (readFolder(chats) ?? '') : '',
    servers: Array.isArray(servers) ? servers.flatMap(readServer) : [],
    scripts: isObject(scripts)
      ? Object.fromEntries(
          Object.entries(scripts).flatMap(([path, id]) => (typeof id === 'string' ? [[path, id]] : [])),
        )
      : {},
  };
}

/** A folder of the vault as a path from its root; undefined for what leads out of it, or into what Obsidian does not show. */
export function readFolder(path: string): string | undefined {
  try {
    return confinedPath(path.trim(), startsWithDot);
  } catch {
    return undefined;
  }
}

function readServer(value: unknown): readonly ServerSettings[] {
  if (!isObject(value) || typeof value.url !== 'string') return [];
  const { url, secret, taught } = value;
  return [{ url, secret: typeof secret === 'string' ? secret : '', taught: taught === true }];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
