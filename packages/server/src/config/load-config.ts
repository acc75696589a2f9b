import { checkReferences } from './check-references.ts';
import { refuseOpenWorkers } from './check-workers.ts';
import { completeUpstream, completeUpstreams } from './complete-upstream.ts';
import { type ConfigText, parseConfigText } from './config-text.ts';
import { type Overrides, readEnvironment } from './environment.ts';
import { createJsonSchema } from './json-schema.ts';
import { checkOwnDialects } from './own-dialects.ts';
import { ConfigError, formatPath, type Problem } from './problem.ts';
import { type Finding, readFindings } from './read-findings.ts';
import { type Config, configSchema, type UpstreamConfig } from './schema.ts';
import { upstreamSchema } from './upstream-schema.ts';

export interface LoadOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the command line says; it wins over the environment, which wins over the file. */
  readonly flags?: Overrides;
  /** Variables that hold secrets need not be set: nothing is done with them. Default: false. */
  readonly mayLackSecrets?: boolean;
  readonly file?: { readonly name: string; readonly text: string };
}

/** Reads the configuration from everywhere. Throws ConfigError with every mistake at once. */
export function loadConfig(options: LoadOptions): Config {
  const environment = readEnvironment(options.env);
  const text = options.file === undefined ? undefined : parseConfigText(options.file.text);
  const overrides = { ...environment.overrides, ...options.flags };
  const raw = text === undefined ? {} : text.value;
  const complete = completeUpstreams(raw);
  // A configuration is read once: to compile what checks it takes longer than to check it.
  const parsed = configSchema.safeParse(raw ?? {}, { jitless: true });
  const problems: Problem[] = [...(text?.problems ?? [])];
  if (raw !== undefined) {
    const issues = parsed.success ? [] : readFindings(parsed.error.issues, complete, createJsonSchema());
    const findings = [
      ...issues,
      ...checkReferences(withOverrides(complete, overrides), options),
      ...(parsed.success ? checkOwnDialects(parsed.data.dialects) : []),
    ];
    problems.push(...inOrder(findings.map((finding) => locate(finding, text))));
  }
  problems.push(...environment.problems);
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems, options.file?.name);
  const config = override(parsed.data, overrides);
  const refusal = refuseOpenDoors(config) ?? refuseOpenWorkers(config);
  if (refusal === undefined) return config;
  const saysSo = overrides.host === undefined || refusal.path[0] !== 'listen';
  throw new ConfigError([locate(refusal, saysSo ? text : undefined)], options.file?.name);
}

/** The raw value as it will count, so that a default model named by the environment is checked too. */
function withOverrides(raw: unknown, overrides: Overrides): unknown {
  if (typeof raw !== 'object' || raw === null) return raw;
  return {
    ...raw,
    ...(overrides.demo === undefined ? {} : { demo: overrides.demo }),
    ...(overrides.findUpstreams === undefined ? {} : { findUpstreams: overrides.findUpstreams }),
    ...(overrides.defaultModel === undefined ? {} : { defaultModel: overrides.defaultModel }),
  };
}

function locate(finding: Finding, text: ConfigText | undefined): Problem {
  return { path: formatPath(finding.path), reason: finding.reason, ...text?.locate(finding.path) };
}

function inOrder(problems: readonly Problem[]): readonly Problem[] {
  return [...problems].sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

/** What the upstream is called that the environment names. */
export const ownUpstream = 'upstream';

function override(config: Config, overrides: Overrides): Config {
  const { upstream } = overrides;
  const known = overrides.key !== undefined && config.keys.every((each) => each.name !== overrides.key?.name);
  return {
    ...config,
    listen: {
      ...config.listen,
      host: overrides.host ?? config.listen.host,
      port: overrides.port ?? config.listen.port,
    },
    keys: known && overrides.key ? [...config.keys, { ...overrides.key, records: 'own' }] : config.keys,
    ...(overrides.defaultModel === undefined ? {} : { defaultModel: overrides.defaultModel }),
    demo: overrides.demo ?? config.demo,
    findUpstreams: overrides.findUpstreams ?? config.findUpstreams ?? Object.keys(config.upstreams).length === 0,
    upstreams: {
      ...(upstream === undefined ? {} : { [ownUpstream]: madeUpstream(upstream) }),
      ...config.upstreams,
    },
    toolCalling: overrides.toolCalling ?? config.toolCalling,
    systemInjection: overrides.systemInjection ?? config.systemInjection,
    limits: { ...config.limits, tools: overrides.maxTools ?? config.limits.tools },
    log: {
      ...config.log,
      level: overrides.logLevel ?? config.log.level,
      format: overrides.logFormat ?? config.log.format,
      toolIntent: overrides.autoDetect ?? config.log.toolIntent,
    },
  };
}

/** An upstream of the configuration, out of what is known of it elsewhere. */
export function madeUpstream({
  keyVariable,
  ...entry
}: {
  readonly baseUrl: string;
  readonly keyVariable?: string;
  readonly wire?: string;
  readonly discovery?: object;
}): UpstreamConfig {
  const apiKey = keyVariable === undefined ? {} : { apiKey: `env:${keyVariable}` };
  return upstreamSchema.parse(completeUpstream({ ...entry, ...apiKey }));
}

/** An address that only this machine can reach. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Whatever reaches beyond this machine needs a key; asked for keys need to exist. */
function refuseOpenDoors(config: Config): Finding | undefined {
  const { host } = config.listen;
  const advice = 'set OAI_API_KEY or "keys", or listen on 127.0.0.1';
  if (!isLoopback(host) && config.auth.mode === 'off') {
    return {
      path: ['auth', 'mode'],
      reason: `"off" is for loopback only, and ${host} can be reached from elsewhere; ${advice}`,
    };
  }
  if (!isLoopback(host) && config.keys.length === 0) {
    return { path: ['listen', 'host'], reason: `${host} can be reached from elsewhere and there is no key; ${advice}` };
  }
  if (config.auth.mode === 'required' && config.keys.length === 0) {
    return { path: ['auth', 'mode'], reason: '"required" needs a key; set OAI_API_KEY or "keys"' };
  }
  return undefined;
}
