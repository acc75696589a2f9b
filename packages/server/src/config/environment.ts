import { didYouMean } from './nearest-name.ts';
import type { Problem } from './problem.ts';

/** What the environment or the command line says. Each field wins over the file; an absent one says nothing. */
export interface Overrides {
  readonly config?: string;
  readonly host?: string;
  readonly port?: number;
  readonly key?: { readonly name: string; readonly key: string };
  readonly logLevel?: LogLevel;
  readonly logFormat?: LogFormat;
  readonly defaultModel?: string;
  readonly toolCalling?: boolean;
  readonly maxTools?: number;
  readonly systemInjection?: boolean;
  readonly demo?: boolean;
  readonly findUpstreams?: boolean;
  /** The address of an upstream, and the variable that holds its key. */
  readonly upstream?: { readonly baseUrl: string; readonly keyVariable?: string };
  readonly autoDetect?: boolean;
}

/** The words of `log.level`, from everything to nothing. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
/** The words of `log.format`. */
export const logFormats = ['auto', 'json', 'pretty'] as const;
type LogLevel = (typeof logLevels)[number];
type LogFormat = (typeof logFormats)[number];

interface Variable {
  /** The first name is ours; the others are accepted as well, in this order. */
  readonly names: readonly string[];
  readonly meaning: string;
  /** What the value says, or the reason why it cannot be used. */
  readonly read: (value: string, name: string) => Overrides | string;
}

/** Every variable that is read, for start-up and for `docs/configuration.md`. */
export const variables: readonly Variable[] = [
  { names: ['DRAGOMAN_CONFIG'], meaning: 'The configuration file.', read: (config) => ({ config }) },
  { names: ['DRAGOMAN_HOST'], meaning: '`listen.host`.', read: (host) => ({ host }) },
  {
    names: ['DRAGOMAN_PORT'],
    meaning: '`listen.port`.',
    read: integer({ from: 0, to: 65535 }, (port) => ({ port })),
  },
  {
    names: ['DRAGOMAN_UPSTREAM'],
    meaning:
      'The address of an upstream that is there beside those of the file, such as `http://192.168.1.5:8080/v1`; its key is then what `DRAGOMAN_API_KEY` holds, which clients cannot use.',
    read: (baseUrl) =>
      /^https?:\/\//.test(baseUrl) && URL.canParse(baseUrl)
        ? { upstream: { baseUrl } }
        : `expected an address such as http://192.168.1.5:8080/v1, found ${JSON.stringify(baseUrl)}`,
  },
  {
    names: ['DRAGOMAN_FIND_UPSTREAMS'],
    meaning: '`findUpstreams`.',
    read: truth((findUpstreams) => ({ findUpstreams })),
  },
  {
    names: ['DRAGOMAN_API_KEY', 'OAI_API_KEY'],
    meaning: 'One more key that clients may use, beside `keys`.',
    read: (key, name) => ({ key: { name, key } }),
  },
  {
    names: ['DRAGOMAN_LOG_LEVEL', 'LOG_LEVEL'],
    meaning: '`log.level`.',
    read: word(logLevels, (logLevel) => ({ logLevel })),
  },
  {
    names: ['DRAGOMAN_LOG_FORMAT'],
    meaning: '`log.format`.',
    read: word(logFormats, (logFormat) => ({ logFormat })),
  },
  { names: ['DRAGOMAN_DEFAULT_MODEL'], meaning: '`defaultModel`.', read: (defaultModel) => ({ defaultModel }) },
  {
    names: ['DRAGOMAN_TOOL_CALLING', 'TOOL_CALLING_ENABLED', 'ENABLE_TOOL_CALLING'],
    meaning: '`toolCalling`.',
    read: truth((toolCalling) => ({ toolCalling })),
  },
  {
    names: ['DRAGOMAN_MAX_TOOLS', 'TOOL_CALLING_MAX_TOOLS'],
    meaning: '`limits.tools`.',
    read: integer({ from: 1, to: 100_000 }, (maxTools) => ({ maxTools })),
  },
  {
    names: ['DRAGOMAN_SYSTEM_INJECTION', 'ENABLE_SYSTEM_INJECTION'],
    meaning: '`systemInjection`.',
    read: truth((systemInjection) => ({ systemInjection })),
  },
  { names: ['DRAGOMAN_DEMO'], meaning: '`demo`.', read: truth((demo) => ({ demo })) },
  {
    names: ['DRAGOMAN_AUTO_DETECT', 'TOOL_CALLING_AUTO_DETECT'],
    meaning: '`log.toolIntent`.',
    read: truth((autoDetect) => ({ autoDetect })),
  },
];

/** The key of the upstream that the environment names, where it names one; else one for clients. */
const upstreamKey = 'DRAGOMAN_API_KEY';

export interface EnvironmentReading {
  readonly overrides: Overrides;
  readonly problems: readonly Problem[];
}

/** Reads the environment. An empty variable counts as unset; an unusable one is a problem that names it. */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): EnvironmentReading {
  let overrides: Overrides = {};
  const problems: Problem[] = [];
  const isSet = (name: string) => (env[name]?.trim() ?? '') !== '';
  const ofUpstream = isSet('DRAGOMAN_UPSTREAM') && isSet(upstreamKey);
  for (const variable of variables) {
    // From the last to the first, so that our own name wins; every one is checked.
    for (const name of [...variable.names].reverse()) {
      const value = env[name]?.trim() ?? '';
      if (value === '' || (ofUpstream && name === upstreamKey)) continue;
      const read = variable.read(value, name);
      if (typeof read === 'string') problems.push({ path: name, reason: read });
      else overrides = { ...overrides, ...read };
    }
  }
  const { upstream } = overrides;
  if (upstream === undefined || !ofUpstream) return { overrides, problems };
  return { overrides: { ...overrides, upstream: { ...upstream, keyVariable: upstreamKey } }, problems };
}

/** Whole numbers in decimal digits: `1e3` and `0x10` are more often mistakes than meant. */
function integer(
  bounds: { readonly from: number; readonly to: number },
  found: (value: number) => Overrides,
): Variable['read'] {
  return (value) => {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= bounds.from && number <= bounds.to) return found(number);
    return `expected a whole number from ${bounds.from} to ${bounds.to}, found ${JSON.stringify(value)}`;
  };
}

function truth(found: (value: boolean) => Overrides): Variable['read'] {
  return (value) => {
    const lower = value.toLowerCase();
    if (['true', '1', 'yes', 'on'].includes(lower)) return found(true);
    if (['false', '0', 'no', 'off'].includes(lower)) return found(false);
    return `expected true or false, found ${JSON.stringify(value)}`;
  };
}

function word<T extends string>(words: readonly T[], found: (value: T) => Overrides): Variable['read'] {
  return (value) => {
    const lower = value.toLowerCase();
    const match = words.find((each) => each === lower);
    if (match !== undefined) return found(match);
    return `expected one of ${words.join(', ')}, found ${JSON.stringify(value)}${didYouMean(lower, words)}`;
  };
}
