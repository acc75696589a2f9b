import type { Config } from '../config/schema.ts';
import { startGateway } from '../http/create-gateway.ts';
import { createLog } from '../log/create-log.ts';
import { openLogFile } from '../log/log-file.ts';
import { ServedConfig } from './served-config.ts';
import type { Terminal } from './terminal.ts';

/** A gateway in this process, for one command. */
export interface OwnGateway {
  readonly url: string;
  close(): Promise<void>;
}

export interface OwnGatewayOptions {
  readonly config: Config;
  /** The only key that counts. Default: those of the configuration. */
  readonly key?: string;
  /** Where its log goes. Default: nowhere. */
  readonly logFile?: string;
}

/** Serves the models of a configuration on a free port of loopback. Its upstreams have been asked for their models. */
export async function startOwnGateway(
  terminal: Terminal,
  { config, key, logFile }: OwnGatewayOptions,
): Promise<OwnGateway> {
  const own: Config = {
    ...config,
    listen: { host: '127.0.0.1', port: 0 },
    ...(key === undefined ? {} : { keys: [{ name: 'own', key, records: 'own' }] }),
  };
  const served = new ServedConfig(own, terminal);
  served.use({ found: await served.find() });
  const report = (message: string) => void terminal.stderr.write(`${message}\n`);
  const file =
    logFile === undefined ? undefined : openLogFile({ path: logFile, bytes: 16 * 1024 * 1024, files: 1, report });
  const log = createLog({
    level: file === undefined ? 'silent' : config.log.level,
    format: 'json',
    target: file ?? { write: () => {} },
    redact: served.redact,
  });
  const made = served.make((message) => log.warn(message));
  const gateway = await startGateway({ ...made, log, redact: served.redact, env: terminal.env });
  await made.setup.discovery.complete();
  return {
    url: gateway.url,
    async close() {
      await gateway.close();
      log.flush();
      await file?.close();
    },
  };
}
