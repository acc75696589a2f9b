import {
  defaultModelRule,
  type EngineSetup,
  findModel,
  GatewayError,
  listModels,
  type ModelRule,
} from '@dragoman/core';
import { createSetup } from '../../config/create-setup.ts';
import type { Config } from '../../config/schema.ts';
import { createDemoUpstream } from '../../transports/scripted/demo-upstream.ts';
import { keyHint } from '../key-hint.ts';
import { readConfig } from '../read-setup.ts';
import { CommandError, type Terminal } from '../terminal.ts';
import type { OfferedModel, Place } from './connection.ts';

/** What the command line says of the gateway. */
export interface PlaceFlags {
  readonly url?: string;
  readonly config?: string;
  readonly model?: string;
  readonly keyEnv?: string;
}

/**
 * The gateway that clients are pointed at: what the configuration says, unless the command line knows better. Throws
 * ConfigError or CommandError.
 */
export function readPlace(terminal: Terminal, flags: PlaceFlags): Place {
  const { config } = readConfig(terminal, flags.config === undefined ? {} : { config: flags.config });
  const { setup } = createSetup(config, { env: terminal.env, demo: createDemoUpstream() });
  const keyVariable = keyVariableOf(terminal, { config, flags });
  return {
    url: flags.url === undefined ? urlOf(config) : originOf(flags.url),
    models: offeredModels(setup, flags),
    ...(keyVariable === undefined ? {} : { keyVariable }),
  };
}

/** A gateway that listens on every address is reached by loopback. */
function urlOf({ listen: { host, port } }: Config): string {
  if (port === 0) throw new CommandError('The gateway picks a port when it starts; tell its address with --url.');
  const named = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${named.includes(':') && !named.startsWith('[') ? `[${named}]` : named}:${port}`;
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && ['', '/', '/v1', '/v1/'].includes(url.pathname) && url.search === '';
  if (isPlain && ['http:', 'https:'].includes(url.protocol)) return url.origin;
  throw new CommandError(`--url ${text} is no address of a gateway; it is like http://127.0.0.1:11434.`);
}

/** Used where there is a key and nothing tells a variable that holds it. */
const usualVariable = 'OAI_API_KEY';

function keyVariableOf(
  { env }: Terminal,
  { config, flags: { keyEnv } }: { readonly config: Config; readonly flags: PlaceFlags },
): string | undefined {
  if (keyEnv !== undefined && !/^[A-Za-z_]\w*$/.test(keyEnv)) {
    throw new CommandError('--key-env wants the name of an environment variable, and never the key itself.');
  }
  const hint = keyHint(config, env);
  return keyEnv ?? (hint === undefined ? undefined : (hint.variable ?? usualVariable));
}

/** Own models, the wanted one first; the demo where there is no other. */
function offeredModels(setup: EngineSetup, { model, url }: PlaceFlags): Place['models'] {
  const listed = listModels(setup);
  const own = listed.filter(({ upstream }) => upstream !== 'demo');
  const offered = own.length > 0 ? own : listed.filter(({ id }) => id === 'demo');
  const first = model ?? setup.defaultModel ?? offered[0]?.id;
  if (first === undefined) throw new CommandError('The configuration lists no model; name one with --model.');
  const rest = offered.filter(({ id }) => id !== first).map(({ id, rule }) => offer(id, rule));
  return [offer(first, ruleOf(first, { setup, isElsewhere: url !== undefined })), ...rest];
}

/** Another gateway may have models that this configuration does not know. */
function ruleOf(
  id: string,
  { setup, isElsewhere }: { readonly setup: EngineSetup; readonly isElsewhere: boolean },
): ModelRule {
  try {
    return findModel(id, setup).rule;
  } catch (thrown) {
    if (isElsewhere && thrown instanceof GatewayError && thrown.code === 'model-unknown') return defaultModelRule;
    throw thrown;
  }
}

/** Tokens, where the model rule does not say: what editors take for a model that they know nothing of. */
const usualWindow = 32_768;
const usualOutput = 4096;

function offer(id: string, { contextWindow, sampling, images }: ModelRule): OfferedModel {
  const window = contextWindow === 0 ? usualWindow : contextWindow;
  const maxOutput = Math.min(sampling.maxTokens ?? usualOutput, Math.floor(window / 2));
  return { id, contextWindow: window, maxOutput, images };
}
