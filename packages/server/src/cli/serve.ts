import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { afterTimeout } from '../after.ts';
import { configWarnings } from '../config/config-warnings.ts';
import type { Overrides } from '../config/environment.ts';
import type { Config } from '../config/schema.ts';
import type { FoundUpstreams } from '../discovery/find-upstreams.ts';
import { UpstreamWatch } from '../discovery/upstream-watch.ts';
import { startGateway } from '../http/create-gateway.ts';
import { warmUp } from '../http/warm-up.ts';
import type { Log } from '../log/create-log.ts';
import { ProcessMember } from '../processes/member.ts';
import { StoreError } from '../stores/sql-client.ts';
import { banner } from './banner.ts';
import { keyHint } from './key-hint.ts';
import { knock } from './knock.ts';
import { openLog } from './open-log.ts';
import { readConfig } from './read-setup.ts';
import { ServedConfig } from './served-config.ts';
import { alreadyServed, takeConfiguredPort } from './take-port.ts';
import { missingModels, reportFound } from './tell-found.ts';
import { CommandError, type Terminal } from './terminal.ts';
import { untilStopped } from './until-stopped.ts';

/** What the command line says, and `--demo`: the demo model, whatever else is there. */
export interface ServeFlags extends Overrides {
  readonly demo?: boolean;
  /** So many processes serve the port. */
  readonly workers?: number;
}

/** Milliseconds that the banner waits for the lists of what was found; those far away may take longer. */
const listPatience = 3_000;

/**
 * What a request makes is over with it. V8 may take some of it for what stays, and makes it where only a collection of all garbage
 * looks; with it stays whatever it names, which is all of its request.
 */
function expectShortLives(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/**
 * The only WebAssembly here reads the HTTP of upstreams. To optimise its largest function takes 44 MB and a tenth of a second, of which
 * two megabytes are kept, and requests cost the same without.
 */
function leaveWasmAsItIs(): void {
  setFlagsFromString('--no-wasm-dynamic-tiering');
  setFlagsFromString('--no-wasm-tier-up');
}

/**
 * Serves until it is told to stop, then lets running replies finish for at most `timeouts.drain`; a second request to
 * stop breaks them off. What nobody has caught stops it as well, with 1. Where a gateway of ours serves already, it says so.
 */
export async function serve(terminal: Terminal, flags: ServeFlags): Promise<number> {
  const member = ProcessMember.join();
  if (member === undefined) return serveHere(terminal, flags);
  try {
    return await serveHere(member.terminal(terminal), flags, member);
  } finally {
    member.leave();
  }
}

async function serveHere(terminal: Terminal, given: ServeFlags, member?: ProcessMember): Promise<number> {
  expectShortLives();
  leaveWasmAsItIs();
  const flags: Overrides = given.demo === true ? { ...given, findUpstreams: false } : given;
  const { config, file } = readConfig(terminal, flags);
  const served = new ServedConfig(config, terminal);
  const { redact } = served;
  const { log, file: logFile } = openLog(config, { terminal, redact, isMember: member !== undefined });
  // What concerns all processes, one of them tells.
  const speaks = member?.speaks ?? true;
  const report = (message: string) => speaks && log.warn(message);
  if (member !== undefined) served.use({ port: member.port });
  const found = await served.find();
  served.use({ found });
  const made = served.make(report);
  let { listen } = config;
  let watch: UpstreamWatch | undefined;
  const look = async () => watch?.look();
  const start = (port: number) => {
    listen = { ...config.listen, port };
    const { env } = terminal;
    return startGateway({
      ...made,
      config: { ...made.config, listen },
      log,
      redact,
      env,
      look,
      siblings: member,
    }).catch((thrown: unknown) => {
      throw thrown instanceof StoreError ? new CommandError(thrown.message) : thrown;
    });
  };
  const taken =
    member === undefined
      ? await takeConfiguredPort(terminal, { config, flags, servers: found?.servers ?? [], start })
      : { is: 'started' as const, started: await start(member.port), aside: member.place.aside };
  if (taken.is === 'served') {
    await made.setup.close();
    await logFile?.close();
    terminal.stdout.write(alreadyServed(taken.by));
    return 0;
  }
  const { started: gateway, aside } = taken;
  served.use({ port: gateway.port });
  const { setup, discovery } = made.setup;
  const isListed =
    found !== undefined &&
    (await Promise.race([discovery.complete().then(() => true), sleep(listPatience, false, { ref: false })]));
  const key = keyHint(config, terminal.env);
  if (member?.place.isFirst !== false) {
    const agent = (await import('./connect/find-program.ts')).installedAgent(terminal);
    terminal.stdout.write(
      banner({
        ...{ url: gateway.url, setup, file, flags },
        ...(found === undefined ? {} : { found: reportFound({ found, discovery }) }),
        ...(aside === undefined ? {} : { aside }),
        ...(key === undefined ? {} : { key }),
        ...(agent === undefined ? {} : { agent }),
      }),
    );
  }
  const stopping = new AbortController();
  const { makeReady } = made.setup;
  const warm = warmUp({ makeReady, isBusy: gateway.isBusy, signal: stopping.signal });
  for (const warning of configWarnings(config)) report(warning);
  for (const { setting, reason } of isListed ? missingModels(setup) : []) report(`${setting}: ${reason}`);
  if (speaks) reportUnreachable(config, log);
  const reload = () => {
    const next = served.make(report);
    // It has stepped aside, and that is no change of the configuration.
    const stays = isDeepStrictEqual(next.config.listen, config.listen);
    gateway.reload({ ...next, config: stays ? { ...next.config, listen } : next.config });
  };
  const watchFrom = (first: FoundUpstreams | undefined) =>
    new UpstreamWatch({
      first,
      find: () => served.find(),
      changed: (now, before) => {
        served.use({ found: now });
        if (speaks) reportChange(log, { now, before });
        reload();
      },
      now: () => performance.now(),
      after: afterTimeout,
    });
  if (found !== undefined) watch = watchFrom(found);
  terminal.onReload(() => {
    try {
      const { config: read } = readConfig(terminal, flags);
      served.use({ read });
      reload();
      if (speaks) log.info('the configuration was read again; new requests go by it');
      watch?.close();
      watch = read.findUpstreams === true ? watchFrom(served.found) : undefined;
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      if (speaks) log.error(`the configuration was read again and is not used, the one before stays: ${reason}`);
    }
  });
  const code = await untilStopped(terminal, {
    log,
    drain: () => gateway.drain(),
    close: () => void gateway.close(),
    failing: () => member?.failing(),
    isQuiet: member !== undefined,
  });
  stopping.abort();
  await warm;
  watch?.close();
  log.flush();
  await logFile?.close();
  return code;
}

function reportChange(
  log: Log,
  { now, before }: { readonly now: FoundUpstreams; readonly before: FoundUpstreams | undefined },
): void {
  for (const [name, title] of now.titles) if (before?.titles.has(name) !== true) log.info(`${title} is there now`);
  for (const [name, title] of before?.titles ?? []) if (!now.titles.has(name)) log.info(`${title} has gone`);
}

/** Knocks at every upstream once. One that does not answer is a warning: it may come up later. */
function reportUnreachable(config: Config, log: Log): void {
  for (const [name, { baseUrl }] of Object.entries(config.upstreams)) {
    // Workers connect later.
    if (baseUrl === undefined) continue;
    const { host } = new URL(baseUrl);
    void knock(new URL(baseUrl), 3_000).then((problem) => {
      if (problem !== undefined)
        log.warn(`the upstream "${name}" does not answer at ${host}; requests to it will fail until it does`);
    });
  }
}
