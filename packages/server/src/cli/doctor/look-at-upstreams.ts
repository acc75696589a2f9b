import { type DragomanError, describeModel, type EngineSetup, isNearby, listModels } from '@dragoman/core';
import { codeOf } from '../../code-of.ts';
import { ownUpstream } from '../../config/load-config.ts';
import type { UpstreamConfig } from '../../config/schema.ts';
import { clients } from '../connect/clients.ts';
import { ownCommand } from '../how-started.ts';
import type { ServedConfig } from '../served-config.ts';
import { missingModels } from '../tell-found.ts';
import type { Terminal } from '../terminal.ts';
import type { Diagnosis } from './diagnosis.ts';

/** Milliseconds until one that has no list to ask for has answered anything. */
const patience = 10_000;

/** Asks every upstream for its list of models, which is the cheapest question that needs its key, and looks at the windows of the models. */
export async function lookAtUpstreams(terminal: Terminal, served: ServedConfig): Promise<readonly Diagnosis[]> {
  return served.offered(async ({ config, setup: { setup, discovery } }) => {
    const diagnoses = await Promise.all(
      Object.entries(config.upstreams).map(async ([name, entry]): Promise<Diagnosis> => {
        const about = name;
        const isFound = served.found?.titles.has(name) === true;
        const where = served.found?.titles.get(name) ?? entry.baseUrl ?? '';
        if (entry.baseUrl === undefined) return { about, is: 'good', says: 'waits for workers to connect' };
        const models = discovery.of(name);
        const failure = models === undefined ? await knock(entry.baseUrl) : models.failure;
        if (failure !== undefined)
          return { about, is: 'broken', ...whatIsWrong(failure, { name, entry, where, terminal, isFound }) };
        if (models === undefined) return { about, is: 'good', says: `${where} answers` };
        const count = models.listed().size + Object.keys(entry.models).length;
        if (count > 0) return { about, is: 'good', says: `${where} answers, with its list of models` };
        return {
          about,
          is: 'doubtful',
          says: `${where} answers, and lists no model`,
          cure: 'Load a model there (Ollama: ollama pull qwen3:8b), or name one in a model rule.',
        };
      }),
    );
    return [...diagnoses, ...lookAtNames(setup), ...lookAtWindows(setup)];
  });
}

/** Any answer will do. */
async function knock(baseUrl: string): Promise<{ readonly cause: unknown } | undefined> {
  try {
    const answer = await fetch(baseUrl, { redirect: 'manual', signal: AbortSignal.timeout(patience) });
    await answer.body?.cancel();
    return undefined;
  } catch (thrown) {
    return { cause: thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown };
  }
}

interface Circumstances {
  readonly name: string;
  readonly entry: UpstreamConfig;
  /** What it is, for people. */
  readonly where: string;
  readonly terminal: Terminal;
  /** Nobody has written its address. */
  readonly isFound: boolean;
}

function whatIsWrong(
  failure: Pick<DragomanError, 'cause'> & Partial<Pick<DragomanError, 'code' | 'message' | 'upstreamStatus'>>,
  { name, entry, where, terminal, isFound }: Circumstances,
): { readonly says: string; readonly cure: string } {
  const { apiKey, baseUrl = '' } = entry;
  const { host, hostname, port, protocol } = new URL(baseUrl);
  // What the environment names is in no configuration.
  const isOfVariable = name === ownUpstream && terminal.env.DRAGOMAN_UPSTREAM === baseUrl;
  const setting = `upstreams.${name}`;
  const address = isOfVariable ? 'DRAGOMAN_UPSTREAM' : `${setting}.baseUrl`;
  if (failure.code === 'upstream-unauthorized') {
    if (apiKey === undefined) {
      return {
        says: `${where} wants a key`,
        cure: isOfVariable
          ? 'Put its key into DRAGOMAN_API_KEY.'
          : `Put its key into a variable, and "apiKey": "env:NAME" into ${setting}.`,
      };
    }
    const holder = apiKey.startsWith('env:') ? apiKey.slice('env:'.length) : undefined;
    return {
      says: `${where} refuses the key${holder === undefined ? '' : ` of ${holder}`}`,
      cure: `Put a key that it takes into ${holder ?? (apiKey.startsWith('file:') ? apiKey.slice('file:'.length) : `${setting}.apiKey`)}.`,
    };
  }
  const code = codeBelow(failure.cause);
  const at = `${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`;
  if (ownCertificates.has(code)) {
    return {
      says: `${where} shows a certificate that this machine does not trust (${code})`,
      cure: `Save it and name the file in NODE_EXTRA_CA_CERTS before the gateway starts: openssl s_client -connect ${at} -showcerts </dev/null | openssl x509 > server.pem; export NODE_EXTRA_CA_CERTS=$PWD/server.pem`,
    };
  }
  if (code === 'CERT_HAS_EXPIRED') {
    return {
      says: `the certificate of ${where} has expired`,
      cure: 'Renew it there, and see that the clock of this machine is right.',
    };
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return {
      says: `the certificate of ${where} is for another name than ${hostname}`,
      cure: `Write the name of the certificate into ${address}.`,
    };
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') {
    return { says: `${where} does not speak TLS`, cure: `Write http:// instead of https:// into ${address}.` };
  }
  const proxy = isNearby(hostname) ? undefined : proxyVariables.find((each) => (terminal.env[each] ?? '') !== '');
  const directly =
    proxy === undefined
      ? ''
      : ` The gateway connects directly, and not through ${proxy}: ${host} must be allowed for this machine.`;
  if (code === 'ECONNREFUSED') {
    return {
      says: `nothing listens at ${at}`,
      cure: `Start the server there, or correct ${address}.${directly}`,
    };
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return {
      says: `the name ${hostname} is not known (${code})`,
      cure: `${isFound ? 'See' : `Correct the name in ${address}, or see`} that this machine is on the network.${directly}`,
    };
  }
  if (failure.code === undefined || failure.code === 'upstream-unreachable' || unanswered.has(failure.code)) {
    const reason = code === '' ? (failure.message ?? 'no answer') : code;
    return {
      says: `${where} cannot be reached: ${reason}`,
      cure: `See that the server runs and that no firewall blocks ${at}.${directly}`,
    };
  }
  return {
    says: `${where} answers without a list of models: ${failure.message ?? ''}`,
    cure: `See that ${address} is where the API begins, which most often ends with /v1, and that "wire" is its API.`,
  };
}

/** What Node calls a certificate that no authority which it knows has signed. */
const ownCertificates: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

const unanswered: ReadonlySet<string> = new Set(['connect-timeout', 'total-timeout', 'upstream-cut']);

/** Which other programs connect through. */
const proxyVariables = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];

/** Of what went wrong, or of what that came from. */
function codeBelow(thrown: unknown): string {
  return codeOf(thrown) || (thrown instanceof Error ? codeBelow(thrown.cause) : '');
}

function lookAtNames(setup: EngineSetup): readonly Diagnosis[] {
  const cure = `See what there is: ${ownCommand} models`;
  return missingModels(setup).map(
    ({ setting, reason }): Diagnosis => ({ about: 'config', is: 'doubtful', says: `${setting}: ${reason}`, cure }),
  );
}

/** Tokens that every agent needs: the smallest first request, and as much again for files and replies. */
const leastWindow =
  2 * Math.min(...[...clients.values()].map(({ firstRequest }) => firstRequest ?? Number.POSITIVE_INFINITY));

/** So many models are named. */
const mostNamed = 5;

function lookAtWindows(setup: EngineSetup): readonly Diagnosis[] {
  const windows = listModels(setup)
    .filter(({ upstream }) => upstream !== 'demo')
    .map((entry) => describeModel(entry, { setup, startedAt: 0 }))
    .flatMap(({ id, contextWindow }) => (contextWindow === undefined ? [] : [{ id, contextWindow }]));
  const small = windows.filter(({ contextWindow }) => contextWindow < leastWindow);
  const about = 'windows';
  const tokens = leastWindow.toLocaleString('en');
  if (windows.length === 0) return [];
  if (small.length === 0) return [{ about, is: 'good', says: `all that are known have ${tokens} tokens or more` }];
  const named = small
    .slice(0, mostNamed)
    .map(({ id, contextWindow }) => `${id} (${contextWindow.toLocaleString('en')})`);
  const more = small.length > mostNamed ? ` and ${small.length - mostNamed} more` : '';
  return [
    {
      about,
      is: 'doubtful',
      says: `too small for agents, which take ${tokens} tokens or more: ${named.join(', ')}${more}`,
      cure: 'Start the server with a larger window (llama.cpp: -c 32768; LM Studio: Context Length; vLLM: --max-model-len 32768), correct "contextWindow" in a model rule, or choose another model with --model.',
    },
  ];
}
