import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A server that runs until it is stopped. */
export interface RealServer {
  /** Its address without a path. */
  readonly url: string;
  stop(): Promise<void>;
}

interface Installed {
  readonly python: string;
  readonly model: string;
  readonly ollama: string;
}

function installed(): Installed {
  const given = process.env.DRAGOMAN_REAL_SERVERS;
  if (given === undefined) throw new Error('Run "npm run test:servers", which installs the servers.');
  return JSON.parse(given);
}

const place = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** llama.cpp's server with one slot: it takes tools, leaves them out, as the template of the model does, or refuses them. */
export async function startLlama(options: {
  readonly window: number;
  readonly tools: boolean | 'refused';
  /** Default: any that is free. */
  readonly port?: number;
}) {
  const { python, model } = installed();
  const { window, tools, port = await freePort() } = options;
  const template = tools === 'refused' ? ['--no-jinja'] : tools ? [place('tools.jinja')] : [];
  const args = [place('llama_server.py'), model, String(port), String(window), 'smollm2', ...template];
  return serverOf(spawn(python, args, { stdio: ['pipe', 'ignore', 'pipe'] }), { port, ready: '/health' });
}

/** Ollama with this window and the model twice: `plain` takes no tools, `tools` does. */
export async function startOllama({ window }: { readonly window: number }): Promise<RealServer> {
  const { ollama, model } = installed();
  const home = await mkdtemp(join(tmpdir(), 'dragoman-ollama-'));
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    OLLAMA_HOST: `127.0.0.1:${port}`,
    OLLAMA_MODELS: join(home, 'models'),
    OLLAMA_CONTEXT_LENGTH: String(window),
  };
  const child = spawn(ollama, ['serve'], { env, stdio: ['pipe', 'ignore', 'pipe'] });
  const server = await serverOf(child, { port, ready: '/api/version' });
  const template = await readFile(place('tools.ollama'), 'utf8');
  // Several threads wait for each other in loops, which is slow where the processors have other work.
  const base = `FROM ${model}\nPARAMETER num_thread 1`;
  for (const [name, file] of [
    ['plain', `${base}\n`],
    ['tools', `${base}\nTEMPLATE """${template}"""\n`],
  ] as const) {
    await writeFile(join(home, name), file);
    await promisify(execFile)(ollama, ['create', name, '-f', join(home, name)], { env });
  }
  const stop = async () => {
    await server.stop();
    await rm(home, { recursive: true, force: true });
  };
  return { url: server.url, stop };
}

async function serverOf(
  child: ChildProcess,
  { port, ready }: { readonly port: number; readonly ready: string },
): Promise<RealServer> {
  let log = '';
  child.stderr?.on('data', (chunk) => {
    log = (log + chunk).slice(-4000);
  });
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The server has ended:\n${log}`);
    const answered = await fetch(url + ready).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answered) break;
    await sleep(200);
  }
  const stop = async () => {
    // Ollama ends what runs its models when it is asked to end, and not when it is killed.
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 5000);
    await ended;
    clearTimeout(late);
  };
  return { url, stop };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  return address.port;
}
