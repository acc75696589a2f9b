import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** VS Code's own API, as an extension sees it. */
export type Vscode = typeof import('vscode');

/**
 * Runs a function inside a window's extension host, as an extension, and resolves with what it returns, brought over as
 * JSON; nothing comes as null. It goes there as its source text, so it sees only its own two parameters.
 */
export type Inside = <Result, Argument = undefined>(
  work: (vscode: Vscode, argument: Argument) => Result,
  argument?: Argument,
) => Promise<Awaited<Result>>;

/** The windows' driver extensions, which ask here for their work. */
export interface Drivers {
  /** What drivers have to find in the setting `driver.address`. */
  readonly address: string;
  /** The way into the window that has this folder open, once its driver runs. */
  insideOf(folder: string): Promise<Inside>;
  close(): Promise<void>;
}

interface Answer {
  readonly id: number;
  readonly json?: string;
  readonly error?: string;
}

export async function startDrivers(): Promise<Drivers> {
  const asking = new Map<string, ServerResponse>();
  const waiting = new Map<string, (driver: ServerResponse) => void>();
  const open = new Map<number, (answer: Answer) => void>();
  const server = createServer(async (request, response) => {
    // In a web worker the driver is a page's.
    response.setHeader('access-control-allow-origin', '*');
    if (request.method === 'POST') {
      const answer: Answer = JSON.parse(await textOf(request));
      open.get(answer.id)?.(answer);
      response.end();
      return;
    }
    const folder = new URL(request.url ?? '', 'http://driver').searchParams.get('folder') ?? '';
    response.flushHeaders();
    // A window that is loaded again has another driver.
    response.once('close', () => asking.get(folder) === response && asking.delete(folder));
    asking.set(folder, response);
    waiting.get(folder)?.(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The drivers have no port.');

  let last = 0;
  const driverOf = async (folder: string): Promise<ServerResponse> =>
    asking.get(folder) ?? new Promise((resolve) => waiting.set(folder, resolve));
  const insideOf = async (folder: string): Promise<Inside> => {
    await driverOf(folder);
    return (work, argument) => {
      last += 1;
      const id = last;
      return new Promise((resolve, reject) => {
        open.set(id, ({ json, error }) => {
          open.delete(id);
          if (json === undefined) reject(new Error(`Inside VS Code: ${error}`));
          else resolve(JSON.parse(json));
        });
        const line = `${JSON.stringify({ id, source: work.toString(), argument })}\n`;
        driverOf(folder).then((driver) => driver.write(line), reject);
      });
    };
  };
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { address: `http://127.0.0.1:${address.port}`, insideOf, close };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
