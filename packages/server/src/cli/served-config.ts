import { createSetup, type GatewaySetup } from '../config/create-setup.ts';
import { readEnvironment } from '../config/environment.ts';
import { ownUpstream } from '../config/load-config.ts';
import type { Config } from '../config/schema.ts';
import { SecretFiles } from '../config/secret-files.ts';
import { type FoundUpstreams, findUpstreams, withFound } from '../discovery/find-upstreams.ts';
import type { GatewayOptions } from '../http/create-gateway.ts';
import { createRedact, type Redact } from '../log/redact.ts';
import { createDemoUpstream } from '../transports/scripted/demo-upstream.ts';
import { knownNames } from './read-setup.ts';
import { secretsOf } from './secrets-of.ts';
import type { Terminal } from './terminal.ts';

/** What a gateway serves: the configuration as it was read last, with the upstreams that were found last. */
export class ServedConfig {
  readonly #terminal: Pick<Terminal, 'env' | 'cwd'>;
  readonly #secretFiles = new SecretFiles();
  #read: Config;
  #found: FoundUpstreams | undefined;
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
  readonly redact: Redact = (text) => this.#redact(text);

  /** What was found last; undefined where nobody looks. */
  get found(): FoundUpstreams | undefined {
    return this.#found;
  }

  /** Looks for upstreams that the configuration does not name. Undefined where it wants none. */
  async find(): Promise<FoundUpstreams | undefined> {
    if (this.#read.findUpstreams !== true) return undefined;
    return findUpstreams({
      config: this.#read,
      known: knownNames,
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
    this.#found = this.#read.findUpstreams === true ? (found ?? this.#found) : undefined;
    this.#port = port ?? this.#port;
  }

  /** Makes what a gateway takes. Rejects nothing that `use` was given; throws ConfigError for files that cannot be used. */
  make(tell: (message: string) => void): Pick<GatewayOptions, 'config' | 'setup'> {
    const config = withFound(this.#read, this.#found);
    this.#keepSecrets(config);
    const before = this.#setup;
    const isOwn = readEnvironment(this.#terminal.env).overrides.upstream !== undefined;
    this.#setup = createSetup(config, {
      env: this.#terminal.env,
      cwd: this.#terminal.cwd,
      secretFiles: this.#secretFiles,
      demo: createDemoUpstream(),
      tell,
      listedBefore: (upstream) => before?.discovery.of(upstream)?.listed(),
      found: new Set([...(this.#found?.local ?? []), ...(isOwn ? [ownUpstream] : [])]),
    });
    return { config, setup: this.#setup };
  }

  #keepSecrets(config: Config): void {
    this.#secrets = [...new Set([...this.#secrets, ...secretsOf(config, this.#terminal.env)])];
    this.#redact = createRedact(this.#secrets, () => this.#secretFiles.recent);
  }
}
