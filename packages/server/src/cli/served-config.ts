import querystring from 'node:querystring';
import { listModels } from '@dragoman/core';
import { resolveSecret } from '../config/check-references.ts';
import { createSetup, type GatewaySetup } from '../config/create-setup.ts';
import { readEnvironment } from '../config/environment.ts';
import { ownUpstream } from '../config/load-config.ts';
import type { Config } from '../config/schema.ts';
import { SecretFiles } from '../config/secret-files.ts';
import { type FoundUpstreams, findUpstreams, withFound } from '../discovery/find-upstreams.ts';
import type { GatewayOptions } from '../http/create-gateway.ts';
import { createRedact, type Redact } from '../log/redact.ts';
import type { Terminal } from './terminal.ts';

/** So many names of models that have gone are remembered, the last ones. */
const mostEnded = 10_000;

/** What a gateway serves: the configuration as it was read last, with the upstreams that were found last. */
export class ServedConfig {
  readonly #terminal: Pick<Terminal, 'env' | 'cwd'>;
  readonly #secretFiles = new SecretFiles();
  #read: Config;
  #found: FoundUpstreams | undefined;
  /** Names of models whose servers have ended, with what those were. */
  #ended: ReadonlyMap<string, string> = new Map();
  #secrets: readonly string[] = [];
  #redact: Redact = (text) => text;
  #setup: GatewaySetup | undefined;
  #port: number | undefined;

  constructor(read: Config, terminal: Pick<Terminal, 'env' | 'cwd'>) {
    this.#terminal = terminal;
    this.#read = read;
    this.#keepSecrets(read);
  }

  /** Takes secrets out of a text: those of now, and those of before, which replies under way may still quote. */
  readonly redact: Redact = Object.assign((text: string) => this.#redact(text), {
    knows: () => this.#redact.knows?.(),
  });

  /** What was found last; undefined where nobody looks. */
  get found(): FoundUpstreams | undefined {
    return this.#found;
  }

  /** Looks for upstreams that the configuration does not name. Undefined where it wants none. */
  async find(): Promise<FoundUpstreams | undefined> {
    if (this.#read.findUpstreams !== true) return undefined;
    return findUpstreams({
      config: this.#read,
      env: this.#terminal.env,
      except: this.#port === undefined ? [] : [`http://127.0.0.1:${this.#port}`],
      ...(this.#found === undefined ? {} : { before: this.#found }),
    });
  }

  /** From now on that is served. */
  use({
    read,
    found,
    port,
  }: {
    readonly read?: Config;
    readonly found?: FoundUpstreams | undefined;
    readonly port?: number;
  }): void {
    this.#read = read ?? this.#read;
    this.#ended = new Map([...this.#ended, ...this.#endingWith(found)].slice(-mostEnded));
    this.#found = this.#read.findUpstreams === true ? (found ?? this.#found) : undefined;
    this.#port = port ?? this.#port;
  }

  /** What clients called the models of servers that are there no more: another one may not get their requests in silence. */
  *#endingWith(now: FoundUpstreams | undefined): Iterable<readonly [string, string]> {
    if (now === undefined || this.#setup === undefined) return;
    for (const { id, upstream, model } of listModels(this.#setup.setup)) {
      const title = this.#found?.local.has(upstream) === true ? this.#found.titles.get(upstream) : undefined;
      if (title === undefined || now.local.has(upstream)) continue;
      for (const name of new Set([id, model, `${upstream}/${model}`])) yield [name, title];
    }
  }

  /** Makes what a gateway takes. Rejects nothing that `use` was given; throws ConfigError for files that cannot be used. */
  make(report: (message: string) => void): Pick<GatewayOptions, 'config' | 'setup'> {
    const config = withFound(this.#read, this.#found);
    this.#keepSecrets(config);
    const before = this.#setup;
    const { upstreams = {}, local } = this.#found ?? {};
    const isOwn = readEnvironment(this.#terminal.env).overrides.upstream !== undefined;
    this.#setup = createSetup(config, {
      env: this.#terminal.env,
      cwd: this.#terminal.cwd,
      secretFiles: this.#secretFiles,
      report,
      listedBefore: (upstream) => before?.discovery.of(upstream)?.listed(),
      ended: this.#ended,
      // A key does not say that its vendor may have requests for whatever is called like its models.
      listedOnly: new Set(Object.keys(upstreams).filter((name) => local?.has(name) !== true)),
      found: new Set([...(local ?? []), ...(isOwn ? [ownUpstream] : [])]),
    });
    return { config, setup: this.#setup };
  }

  /** Looks for upstreams, asks all for their models, and hands over what a gateway would serve then. `warn` hears what does not answer. */
  async offered<Result>(
    use: (made: Pick<GatewayOptions, 'config' | 'setup'>) => Result | Promise<Result>,
    warn: (message: string) => void = () => {},
  ): Promise<Result> {
    const made = this.make(() => {});
    const { discovery, close } = made.setup;
    try {
      discovery.start({ now: () => performance.now(), log: { info: () => {}, warn } });
      await discovery.complete();
      return await use(made);
    } finally {
      await close();
    }
  }

  #keepSecrets(config: Config): void {
    this.#secrets = [...new Set([...this.#secrets, ...secretsOf(config, this.#terminal.env)])];
    this.#redact = createRedact(this.#secrets, () => this.#secretFiles.recent);
  }
}

/** Every secret that the configuration holds or names, for whoever takes them out of what is written. */
function secretsOf(config: Config, env: Terminal['env']): readonly string[] {
  return [
    ...config.keys.map(({ key }) => resolveSecret(key, env)),
    ...(config.nonceSecret === undefined ? [] : [resolveSecret(config.nonceSecret, env)]),
    ...Object.values(config.upstreams).flatMap(({ apiKey, headers, workers }) =>
      [apiKey, workers?.token, ...Object.values(headers)].flatMap((each) =>
        each === undefined ? [] : [resolveSecret(each, env)],
      ),
    ),
    ...(typeof config.store === 'string' ? [] : addressSecrets(resolveSecret(config.store.postgres, env))),
  ];
}

/** The address of a database, and the password in it, as it is there and as it is meant. */
function addressSecrets(address: string): readonly string[] {
  const password = URL.canParse(address) ? new URL(address).password : '';
  return [address, password, querystring.unescape(password)].filter((secret) => secret !== '');
}
