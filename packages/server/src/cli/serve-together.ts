import type { Config } from '../config/schema.ts';
import { Primary } from '../processes/primary.ts';
import { openLog } from './open-log.ts';
import { readConfig } from './read-setup.ts';
import type { ServeFlags } from './serve.ts';
import { ServedConfig } from './served-config.ts';
import { alreadyServed, takeConfiguredPort } from './take-port.ts';
import { CommandError, type Terminal } from './terminal.ts';
import { untilStopped } from './until-stopped.ts';

/**
 * Serves one port from several processes until told to stop. Throws a CommandError where what is configured can only be in
 * one process.
 */
export async function serveTogether(terminal: Terminal, given: ServeFlags): Promise<number> {
  const { workers: count = 1, demo } = given;
  const flags = demo === true ? { ...given, findUpstreams: false } : given;
  const { config } = readConfig(terminal, flags);
  refuseWhatIsAlone(config);
  const served = new ServedConfig(config, terminal);
  const { log, file } = openLog(config, { terminal, redact: served.redact });
  const primary = new Primary({ count, log, collect: file && ((lines) => file.write(lines)) });
  const servers = (await served.find())?.servers ?? [];
  const start = (port: number) => primary.listen(config.listen.host, port);
  const taken = await takeConfiguredPort(terminal, { config, flags, servers, start });
  let code = 0;
  if (taken.is === 'served') terminal.stdout.write(alreadyServed(taken.by));
  else {
    const { started: port, aside } = taken;
    const shared = { port, ...(aside === undefined ? {} : { aside }) };
    terminal.onReload(() => primary.reload());
    const stopped = untilStopped(terminal, { log, drain: () => primary.drain(), close: () => primary.close() });
    code = (await primary.start(shared)) ?? (await stopped);
  }
  log.flush();
  await file?.close();
  return code;
}

/** What one process keeps to itself, the others would not know of. */
function refuseWhatIsAlone({ store, upstreams }: Config): void {
  if (store === 'memory') {
    throw new CommandError(
      'Several processes (--workers) need a store that they share, since what one keeps in memory the others do not know: set "store" to "sqlite:data/dragoman.db", or to a PostgreSQL database. See docs/storage.md.',
    );
  }
  const ofWorkers = Object.entries(upstreams).find(([, { baseUrl }]) => baseUrl === undefined);
  if (ofWorkers !== undefined) {
    throw new CommandError(
      `upstreams.${ofWorkers[0]}: its workers connect to one process, and the other ones (--workers) could not ask them. Serve it from a gateway with one process, which can be an upstream of this one. See docs/workers.md.`,
    );
  }
}
