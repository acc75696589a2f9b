import {
  Client,
  type ContentBlock,
  type FetchLike,
  type Tool as McpTool,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import type { Tool, ToolOutcome } from '../tools/tool.ts';
import { limitText } from '../tools/tool.ts';
import type { McpServer } from './read-mcp-servers.ts';

export interface McpOptions {
  /** What the server learns of who asks. */
  readonly client: { readonly name: string; readonly version: string };
  /** Starts a server that is a program. Without it such a server is refused. */
  readonly start?: (server: McpServer & { readonly kind: 'command' }) => Transport;
  /** Reaches a server over HTTP. Default: the global `fetch`. */
  readonly fetch?: FetchLike;
  /** Milliseconds that connecting may take, and a call may be silent. Default: a minute. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

export interface McpConnection {
  /** A tool for each of the server's, named `<server>_<tool>`. Its person is asked before each call. */
  readonly tools: readonly Tool[];
  close(): Promise<void>;
}

const defaultTimeout = 60_000;
const longestDescription = 4_000;
/** What every model provider takes as the name of a tool. */
const longestName = 64;

/** Connects to an MCP server, and gives its tools. Rejects with an Error that names the server. */
export async function connectMcp(server: McpServer, options: McpOptions): Promise<McpConnection> {
  const { client: who, timeout = defaultTimeout, signal } = options;
  const limits = { timeout, ...(signal !== undefined && { signal }) };
  const client = new Client(who, {
    // Servers of every version of the protocol.
    versionNegotiation: { mode: 'auto' },
    // A model reads the result as it is; a schema of somebody else's is not run over it.
    jsonSchemaValidator: {
      getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
    },
  });
  try {
    await client.connect(transportTo(server, options), limits);
    const { tools } = await client.listTools(undefined, limits);
    const taken = new Set<string>();
    return {
      tools: tools.map((tool) =>
        toolOf(tool, { server: server.name, client, timeout, name: nameOf(server.name, tool.name, taken) }),
      ),
      close: () => client.close(),
    };
  } catch (error) {
    await client.close().catch(() => {});
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`The MCP server "${server.name}" does not answer: ${limitText(message, 500)}`, { cause: error });
  }
}

function transportTo(server: McpServer, { start, fetch }: McpOptions): Transport {
  if (server.kind === 'http') {
    const { url, headers } = server;
    return new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers },
      ...(fetch !== undefined && { fetch }),
    });
  }
  if (start === undefined)
    throw new Error('it is a program, and none can be started here. Give the url of one that runs.');
  return start(server);
}

function toolOf(
  { name: theirs, description, inputSchema, annotations }: McpTool,
  {
    server,
    client,
    timeout,
    name,
  }: { readonly server: string; readonly client: Client; readonly timeout: number; readonly name: string },
): Tool {
  const source = `MCP server "${server}"`;
  return {
    name,
    description: limitText(description?.trim() || `The tool ${theirs} of the ${source}.`, longestDescription),
    inputSchema,
    source,
    reads: annotations?.readOnlyHint === true,
    // The server's own silence ends it.
    timeout: 10 * timeout,
    run: async (values, { signal }) => {
      const result = await client.callTool(
        { name: theirs, arguments: values },
        { signal, timeout, resetTimeoutOnProgress: true, onprogress: () => {} },
      );
      return outcomeOf(result);
    },
  };
}

function nameOf(server: string, tool: string, taken: Set<string>): string {
  const whole = `${server}_${tool}`.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, longestName);
  let name = whole;
  for (let count = 2; taken.has(name); count += 1) {
    const end = `_${count}`;
    name = `${whole.slice(0, longestName - end.length)}${end}`;
  }
  taken.add(name);
  return name;
}

function outcomeOf({
  content = [],
  structuredContent,
  isError,
}: {
  readonly content?: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}): ToolOutcome {
  const text = content.map(blockText).join('\n\n');
  return {
    status: isError === true ? 'error' : 'ok',
    content: text === '' && structuredContent !== undefined ? JSON.stringify(structuredContent) : text,
  };
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type} of type ${block.mimeType}, which cannot be shown here]`;
    case 'resource_link':
      return `[${block.name}](${block.uri})`;
    case 'resource': {
      const { resource } = block;
      return 'text' in resource ? `${resource.uri}\n${resource.text}` : `[${resource.uri}, which is not text]`;
    }
    default:
      return block satisfies never;
  }
}
