import { createSetup, type SharedSetup, type Waits } from '../src/config/create-setup.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { SecretFiles } from '../src/config/secret-files.ts';
import { startGateway } from '../src/http/create-gateway.ts';
import { createLog } from '../src/log/create-log.ts';
import { createRedact } from '../src/log/redact.ts';
import { createDemoUpstream } from '../src/transports/scripted/demo-upstream.ts';

export interface TestGatewayOptions {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Becomes the upstream `up` with the models `text` (dialect hermes) and `native`. */
  readonly upstream?: { readonly baseUrl: string };
  readonly secrets?: readonly string[];
  /** Upstreams may be asked what they are; by default only what a script expects comes to them. */
  readonly identifies?: boolean;
  readonly waits?: Waits;
  /** Milliseconds between two pieces of what the demo model says; by default as users see it. */
  readonly pace?: number;
  readonly alter?: (setup: SharedSetup) => SharedSetup;
}

export type LogRecord = Readonly<Record<string, unknown>>;

export interface TestGateway {
  readonly url: string;
  readonly port: number;
  /** The log so far. */
  records(): readonly LogRecord[];
  /** The first record of a request that fits, once it is written. */
  record(fits: (record: LogRecord) => boolean): Promise<LogRecord>;
  post(body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** A gateway on a free port, made from configuration as `serve` makes it. */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const env = options.env ?? {};
  const demo = options.pace === undefined ? {} : { demo: createDemoUpstream({ pace: options.pace }) };
  const text = JSON.stringify({ listen: { port: 0 }, ...upstreamsOf(options), ...options.config });
  const config = loadConfig({ env, file: { name: 'test.json', text } });
  const records: LogRecord[] = [];
  const waiting = new Set<() => void>();
  const secretFiles = new SecretFiles();
  const redact = createRedact(options.secrets ?? [], () => secretFiles.recent);
  const target = {
    write(line: string) {
      records.push(JSON.parse(line));
      for (const look of waiting) look();
    },
  };
  const log = createLog({ level: config.log.level, format: 'json', target, redact });
  const { waits = {} } = options;
  const made = createSetup(config, { env, secretFiles, ...demo, waits, report: (message) => log.warn(message) });
  if (options.identifies !== true) made.discovery.identify = () => Promise.resolve();
  const setup = { ...made, setup: options.alter?.(made.setup) ?? made.setup };
  const gateway = await startGateway({ config, setup, log, redact, env });
  return {
    ...gateway,
    records: () => records,
    record: (fits) =>
      new Promise((resolve) => {
        const look = () => {
          const found = records.find((record) => record.route !== undefined && fits(record));
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    post: (body, headers = {}) =>
      fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  };
}

function upstreamsOf({ upstream }: TestGatewayOptions): Record<string, unknown> {
  if (upstream === undefined) return {};
  const models = { text: { toolCalling: { dialect: 'hermes' } }, native: { toolCalling: 'native' } };
  return { upstreams: { up: { wire: 'openai-chat', baseUrl: upstream.baseUrl, apiKey: 'upstream-key-123', models } } };
}

/** The `data:` payloads of an event stream, in order, `[DONE]` included. */
export function dataOf(stream: string): string[] {
  return stream
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice('data: '.length));
}

export const hello = { model: 'up/text', messages: [{ role: 'user', content: 'Hello' }] };

export const readTool = {
  type: 'function',
  function: {
    name: 'read',
    description: 'Reads a file.',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
};
