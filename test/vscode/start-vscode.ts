import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../platforms/launch-chromium.ts';
import { startDrivers } from './drivers.ts';
import { openWindow, type Window } from './open-window.ts';

export interface VscodeOptions {
  /** Settings of the machine that the extensions run on. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** What the user's `chatLanguageModels.json` holds. */
  readonly languageModels?: readonly unknown[];
  /** The extension is not there yet: a test installs it as a person does. */
  readonly bare?: boolean;
}

/** A VS Code with the extension in it, whose user has no account. */
export interface RunningVscode {
  /** Opens a window on an empty folder of its own. */
  open(): Promise<Window>;
  /** The file that a person installs the extension from. */
  readonly extension: string;
  stop(): Promise<void>;
}

interface ProfileOptions extends VscodeOptions {
  /** Where drivers ask for their work. */
  readonly driver: string;
}

interface Installed {
  readonly node: string;
  readonly server: string;
  readonly extension: string;
}

const quiet = {
  'workbench.startupEditor': 'none',
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'telemetry.telemetryLevel': 'off',
  // Its extension for TypeScript installs types from npm otherwise.
  'typescript.disableAutomaticTypeAcquisition': true,
  // A notice of each server that starts somewhere on this machine would lie over what is clicked.
  'remote.autoForwardPorts': false,
};

/** Starts a server with a profile of its own and a browser; both end with `stop`, and all that they have started. */
export async function startVscode(options: VscodeOptions = {}): Promise<RunningVscode> {
  const { node, server, extension } = installed();
  const home = await mkdtemp(join(tmpdir(), 'dragoman-vscode-'));
  const drivers = await startDrivers();
  const places = await writeProfile(home, { ...options, driver: drivers.address });
  const env = {
    PATH: [dirname(node), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
    HOME: home,
    TMPDIR: join(home, 'tmp'),
    LANG: 'C.UTF-8',
    SHELL: '/bin/bash',
  };
  if (options.bare !== true)
    await promisify(execFile)(node, [server, ...places, '--install-extension', extension], { env });
  const child = spawn(
    node,
    [
      ...[server, '--bind-addr', '127.0.0.1:0', '--auth', 'none', ...places],
      ...['--disable-telemetry', '--disable-update-check', '--disable-workspace-trust'],
      // It ends by itself where whoever should have stopped it is gone.
      ...['--idle-timeout-seconds', '61'],
      // Else each closed page leaves an extension host of half a gigabyte behind for hours.
      ...['--disable-getting-started-override', '--reconnection-grace-time', '5'],
      // Without it windows do not load the driver.
      ...['--vscode-option', 'enable-smoke-test-driver'],
    ],
    // A group of its own, so that one signal reaches everything that it starts.
    { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const stop = async (browser?: Browser): Promise<void> => {
    await browser?.close();
    await ended(child);
    await drivers.close();
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  try {
    const host = await addressOf(child);
    const browser = await launchChromium();
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    context.setDefaultTimeout(60_000);
    let windows = 0;
    return {
      open: async () => {
        windows += 1;
        const folder = join(home, 'work', String(windows));
        await mkdir(folder, { recursive: true });
        return openWindow({ context, drivers, url: windowUrl(host, folder), folder });
      },
      extension,
      stop: () => stop(browser),
    };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

function installed(): Installed {
  const given = process.env.DRAGOMAN_REAL_VSCODE;
  if (given === undefined) throw new Error('Run "npm run test:vscode", which installs VS Code.');
  return JSON.parse(given);
}

/** Writes what the user has set, and returns the flags that say where it is. */
async function writeProfile(
  home: string,
  { settings, languageModels, driver }: ProfileOptions,
): Promise<readonly string[]> {
  const data = join(home, 'data');
  const user = join(data, 'User');
  await mkdir(user, { recursive: true });
  await mkdir(join(home, 'tmp'));
  await writeFile(join(user, 'settings.json'), JSON.stringify({ ...quiet, 'driver.address': driver }));
  // A server is a remote machine: addresses hold for it, and VS Code reads them from its own settings.
  await mkdir(join(data, 'Machine'));
  await writeFile(join(data, 'Machine', 'settings.json'), JSON.stringify(settings ?? {}));
  if (languageModels !== undefined)
    await writeFile(join(user, 'chatLanguageModels.json'), JSON.stringify(languageModels));
  return ['--user-data-dir', data, '--extensions-dir', join(home, 'extensions'), '--config', join(home, 'config.yaml')];
}

function windowUrl(host: string, folder: string): string {
  const driver = fileURLToPath(new URL('driver', import.meta.url));
  const payload = JSON.stringify([['extensionDevelopmentPath', `vscode-remote://${host}${driver}`]]);
  return `http://${host}/?${new URLSearchParams({ folder, payload })}`;
}

/** The host and port that the server says it listens on. */
async function addressOf(child: ChildProcess): Promise<string> {
  let log = '';
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      log += chunk;
      const address = /HTTP server listening on http:\/\/([\d.]+:\d+)/.exec(log)?.[1];
      if (address !== undefined) resolve(address);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', () => reject(new Error(`VS Code has ended:\n${log.slice(-4000)}`)));
  });
}

/** Ends the server's whole group, extension hosts and terminals included. */
async function ended(child: ChildProcess): Promise<void> {
  const exited = child.exitCode !== null || child.signalCode !== null ? undefined : once(child, 'exit');
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is gone already.
  }
  await exited;
}
