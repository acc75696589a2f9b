/**
 * What of Node's modules is used, where the host has them: desktops and servers do, web workers don't. They are asked for by
 * their official way for code that runs in both; `require` would make the bundle fail in a worker.
 */
interface NodeProcess {
  readonly getBuiltinModule?: (name: string) => unknown;
}

/** An answer as Node gets it. */
export interface IncomingMessage {
  readonly statusCode?: number;
  readonly statusMessage?: string;
  readonly rawHeaders: readonly string[];
}

export interface ClientRequest {
  on(event: 'response', listener: (message: IncomingMessage) => void): ClientRequest;
  on(event: 'error', listener: (error: Error) => void): ClientRequest;
  end(body?: string): void;
}

export interface NodeHttp {
  readonly request: (
    url: string,
    options: {
      readonly method: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly signal: AbortSignal | undefined;
    },
  ) => ClientRequest;
}

export interface NodeStream {
  readonly Readable: { readonly toWeb: (message: IncomingMessage) => ReadableStream<Uint8Array> };
}

export interface NodeModules {
  readonly http: NodeHttp;
  readonly stream: NodeStream;
}

/** Absent where the host has none. */
export function nodeModules(): NodeModules | undefined {
  const { process } = globalThis as { readonly process?: NodeProcess };
  const http = process?.getBuiltinModule?.('node:http');
  const stream = process?.getBuiltinModule?.('node:stream');
  if (http === undefined || stream === undefined) return undefined;
  return { http: http as NodeHttp, stream: stream as NodeStream };
}
