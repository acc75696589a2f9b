import { connect } from 'node:net';
import { resolve } from 'node:path';
import { configWarnings } from '../config/config-warnings.ts';
import { createSetup } from '../config/create-setup.ts';
import type { Overrides } from '../config/environment.ts';
import type { Config } from '../config/schema.ts';
import { SecretFiles } from '../config/secret-files.ts';
import { type RunningGateway, startGateway } from '../http/create-gateway.ts';
import { createLog, type Log } from '../log/create-log.ts';
import { type LogFile, openLogFile } from '../log/log-file.ts';
import { createRedact, type Redact } from '../log/redact.ts';
import { StoreError } from '../stores/sql-client.ts';
import { createDemoUpstream } from '../transports/scripted/demo-upstream.ts';
import { banner } from './banner.ts';
import { keyHint } from './key-hint.ts';
import { readConfig } from './read-setup.ts';
import { secretsOf } from './secrets-of.ts';
import { CommandError, type Terminal } from './terminal.ts';

/**
 * Serves until it is told to stop, then lets running replies finish for at most `timeouts.drain`; a second request to
 * stop breaks them off. What nobody has caught stops it as well, with 1.
 */
export async function serve(terminal: Terminal, flags: Overrides): Promise<number> {
  const { config, file } = readConfig(terminal, flags);
  const { env } = terminal;
  const secretFiles = new SecretFiles();
  let secrets = secretsOf(config, env);
  let redactNow = createRedact(secrets, () => secretFiles.recent);
  const redact: Redact = (text) => redactNow(text);
  const pretty = config.log.format === 'pretty' || (config.log.format === 'auto' && terminal.isScreen);
  const logFile = logFileOf(config, terminal);
  const log = createLog({
    level: config.log.level,
    format: pretty && logFile === undefined ? 'pretty' : 'json',
    target: logFile ?? (terminal.stderr === process.stderr ? 2 : terminal.stderr),
    redact,
  });
  const tell = (message: string) => log.warn(message);
  const makeSetup = (of: Config) =>
    createSetup(of, { env, secretFiles, demo: createDemoUpstream(), cwd: terminal.cwd, tell });
  const setup = makeSetup(config);
  const gateway = await startGateway({ config, setup, log, redact, env }).catch((thrown: unknown) => {
    throw new CommandError(thrown instanceof StoreError ? thrown.message : whyNotListening(thrown, config));
  });
  const key = keyHint(config, env);
  terminal.stdout.write(
    banner({ url: gateway.url, setup: setup.setup, file, flags, ...(key === undefined ? {} : { key }) }),
  );
  for (const warning of configWarnings(config)) log.warn(warning);
  tellUnreachable(config, log);
  terminal.onReload(() => {
    try {
      const { config: read } = readConfig(terminal, flags);
      // What was a secret before stays one: replies under way may still quote it.
      secrets = [...new Set([...secrets, ...secretsOf(read, env)])];
      redactNow = createRedact(secrets, () => secretFiles.recent);
      gateway.reload({ config: read, setup: makeSetup(read) });
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      log.error(`the configuration was read anew and is not used, the one before stays: ${reason}`);
    }
  });
  const code = await untilStopped(terminal, { gateway, log });
  log.flush();
  await logFile?.close();
  return code;
}

/** The file of the log, where one is configured. */
function logFileOf({ log: { file } }: Config, { cwd, stderr }: Terminal): LogFile | undefined {
  if (file === undefined) return undefined;
  const tell = (message: string) => void stderr.write(`${message}\n`);
  return openLogFile({ ...file, path: resolve(cwd, file.path), tell });
}

function untilStopped(
  terminal: Terminal,
  { gateway, log }: { readonly gateway: RunningGateway; readonly log: Log },
): Promise<number> {
  return new Promise((resolve, reject) => {
    let asked = 0;
    let hasFailed = false;
    const stopped = () => resolve(hasFailed ? 1 : asked > 1 ? 130 : 0);
    terminal.onUncaught((thrown) => {
      log.error(
        `a mistake of our own that nobody has caught: ${thrown instanceof Error ? thrown.stack : String(thrown)}`,
      );
      if (hasFailed) return;
      hasFailed = true;
      log.error('stopping: running replies finish, new requests get 503');
      gateway.drain().then(stopped, reject);
    });
    terminal.onStop(() => {
      asked += 1;
      if (asked > 1) {
        gateway.close().then(stopped, reject);
        return;
      }
      log.info('stopping: running replies finish, new requests get 503; ask again to break them off');
      gateway.drain().then(stopped, reject);
    });
  });
}

function whyNotListening(thrown: unknown, { listen: { host, port } }: Config): string {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (code === 'EADDRINUSE') {
    const guess = port === 11434 ? ' (Ollama uses it too)' : '';
    return `Port ${port} on ${host} is in use${guess}. Stop what listens there, or choose another port with --port.`;
  }
  if (code === 'EACCES') return `Port ${port} on ${host} needs more rights. Choose one above 1023 with --port.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `${host} is no address of this machine. Choose another with --host.`;
  }
  return `Cannot listen on ${host}:${port}: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
}

/** Knocks at every upstream once. One that does not answer is a warning: it may come up later. */
function tellUnreachable(config: Config, log: Log): void {
  for (const [name, { baseUrl }] of Object.entries(config.upstreams)) {
    // Whoever dials in is awaited.
    if (baseUrl === undefined) continue;
    const { hostname, port: given, protocol } = new URL(baseUrl);
    const port = given === '' ? (protocol === 'https:' ? 443 : 80) : Number(given);
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port,
      timeout: 3000,
    });
    const warn = () => {
      log.warn(`the upstream "${name}" does not answer at ${hostname}:${port}; requests to it will fail until it does`);
      socket.destroy();
    };
    socket.once('connect', () => socket.destroy());
    socket.once('error', warn);
    socket.once('timeout', warn);
    socket.unref();
  }
}
