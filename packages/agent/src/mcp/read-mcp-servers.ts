import { isObject } from '../chat/read-message.ts';

/** An MCP server, as people write it down. */
export type McpServer =
  | {
      readonly kind: 'command';
      readonly name: string;
      /** The program to start, which speaks over its standard input and output. */
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'http';
      readonly name: string;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

/**
 * Reads the form that all MCP clients share: `{ "mcpServers": { "files": { "command": "npx", "args": ["…"] }, "wiki": { "url":
 * "https://…" } } }`. `${NAME}` in a value is taken from `env`. Throws a TypeError that names the place and the cure.
 */
export function readMcpServers(
  text: string,
  env: Readonly<Record<string, string | undefined>> = {},
): readonly McpServer[] {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    throw new TypeError(`The list of MCP servers is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  const servers = isObject(read) ? read.mcpServers : undefined;
  if (!isObject(servers)) {
    throw new TypeError(
      'The list of MCP servers is an object: { "mcpServers": { "<name>": { "url": "https://…" } } }.',
    );
  }
  return Object.entries(servers)
    .filter(([, entry]) => !isObject(entry) || entry.disabled !== true)
    .map(([name, entry]) => readServer(name, entry, env));
}

function readServer(name: string, entry: unknown, env: Readonly<Record<string, string | undefined>>): McpServer {
  const fault = (words: string) => new TypeError(`mcpServers.${name}: ${words}`);
  if (!isObject(entry)) throw fault('must be an object with a command or a url.');
  const fill = (key: string, value: unknown): string => {
    if (typeof value !== 'string') throw fault(`${key} must be text.`);
    return filled(value, (variable) => {
      const found = env[variable];
      if (found === undefined) throw fault(`${key} takes \${${variable}} from the environment, where it is not set.`);
      return found;
    });
  };
  const fillAll = (key: string, values: unknown = {}): Readonly<Record<string, string>> => {
    if (!isObject(values)) throw fault(`${key} must be an object of texts.`);
    return Object.fromEntries(Object.entries(values).map(([each, value]) => [each, fill(`${key}.${each}`, value)]));
  };
  const { command, args = [], url, type } = entry;
  if (command !== undefined) {
    if (!Array.isArray(args)) throw fault('args must be a list of texts.');
    return {
      kind: 'command',
      name,
      command: fill('command', command),
      args: args.map((each, at) => fill(`args[${at}]`, each)),
      env: fillAll('env', entry.env),
    };
  }
  if (type === 'sse')
    throw fault('the transport "sse" has been replaced. Give the "url" that the server has for HTTP.');
  if (url === undefined) throw fault('give a "command" to start, or the "url" of a server that runs.');
  const address = fill('url', url);
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw fault('url must be an address with http:// or https://.');
  }
  return { kind: 'http', name, url: address, headers: fillAll('headers', entry.headers) };
}

function filled(text: string, lookUp: (variable: string) => string): string {
  return text.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, variable: string) => lookUp(variable));
}
