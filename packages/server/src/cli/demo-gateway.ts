import { createSetup } from '../config/create-setup.ts';
import { loadConfig } from '../config/load-config.ts';
import { startGateway } from '../http/create-gateway.ts';
import { createLog } from '../log/create-log.ts';
import { createRedact } from '../log/redact.ts';
import { createDemoUpstream } from '../transports/scripted/demo-upstream.ts';
import type { ModelTurn } from '../transports/scripted/scripted-transport.ts';

/** A gateway in this process whose model tells what it sees and writes. */
export interface DemoGateway {
  readonly url: string;
  /** Every turn of the model so far, in order. */
  readonly turns: readonly ModelTurn[];
  close(): Promise<void>;
}

/** Starts the real gateway on a free port of the loopback address, with the demo model only. */
export async function startDemoGateway(options: { readonly pace?: number } = {}): Promise<DemoGateway> {
  const turns: ModelTurn[] = [];
  const demo = createDemoUpstream({ ...options, tap: (turn) => turns.push(turn) });
  // No file and no environment: the demonstration is the same on every machine.
  const config = loadConfig({ env: {}, flags: { port: 0, host: '127.0.0.1' } });
  const redact = createRedact([]);
  const log = createLog({ level: 'silent', format: 'json', target: { write: () => {} }, redact });
  const gateway = await startGateway({ config, setup: createSetup(config, { env: {}, demo }), log, redact, env: {} });
  return { url: gateway.url, turns, close: () => gateway.close() };
}
