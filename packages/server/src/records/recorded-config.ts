import { anyDialect, type Dialect, isVendorOfApi, type Plan, quirksOfHost } from '@dragoman/core';
import { descriptionOf } from '../config/create-own-wire.ts';
import type { Config } from '../config/schema.ts';

type RuleConfig = Config['upstreams'][string]['models'][string];

/** Stands for the address of an upstream. Nobody has this name. */
const nowhere = 'http://upstream.invalid';

/** By a configuration, with which its dialects are made anew, and by what of a plan it hangs on. */
const texts = new WeakMap<Config, Map<string, string>>();

/** So many models have a text at hand. */
const mostTexts = 100;

/** `recordedConfig` as JSON text, made once for all requests that it is the same for. */
export function recordedConfigText(config: Config, plan: Plan, dialects?: ReadonlyMap<string, Dialect>): string {
  const { asked, upstream, model, toolCalling, dialect, facts } = plan;
  const name = JSON.stringify([asked, upstream, model, toolCalling, dialect, facts?.quirks]);
  const known = texts.get(config) ?? new Map<string, string>();
  const text = known.get(name) ?? JSON.stringify(recordedConfig(config, plan, dialects));
  if (known.size >= mostTexts) known.clear();
  texts.set(config, known.set(name, text));
  return text;
}

/**
 * What of a configuration a reply hangs on, as a configuration of its own: the one upstream with the one model rule, how
 * the client wires write, the configuration's own dialects, and what holds for all. Without addresses (but those of
 * vendors that are known by them), keys, headers and everything that other requests need. `dialects` are those of the
 * setup: files were read when it was made.
 */
export function recordedConfig(
  config: Config,
  plan: Plan,
  dialects: ReadonlyMap<string, Dialect> = new Map(),
): Readonly<Record<string, unknown>> {
  const { clientWires, toolCalling, allowedTools, systemInjection, demo, timeouts } = config;
  const entry = config.upstreams[plan.upstream];
  const alias = config.models[plan.asked];
  return {
    clientWires,
    toolCalling,
    systemInjection,
    ...(allowedTools === undefined ? {} : { allowedTools }),
    timeouts,
    limits: { tools: config.limits.tools, replyBytes: config.limits.replyBytes },
    demo: demo && entry === undefined,
    ...(dialects.size === 0 ? {} : { dialects: recordedDialects(dialects) }),
    ...(alias === undefined && entry !== undefined ? shortName(plan) : {}),
    ...(alias === undefined ? {} : { models: { [plan.asked]: modelNameOf(alias, config) } }),
    ...(plan.asked === config.defaultModel ? { defaultModel: config.defaultModel } : {}),
    ...(entry === undefined ? {} : { upstreams: { [plan.upstream]: recordedUpstream(entry, plan) } }),
  };
}

function recordedDialects(dialects: ReadonlyMap<string, Dialect>): Readonly<Record<string, unknown>> {
  const tables = [...dialects].map(([id, dialect]) => [id, 'table' in dialect ? { table: dialect.table } : {}]);
  return Object.fromEntries(tables);
}

/** What was found has names of its own, and the first is asked where none is named: whoever replays it has not looked. */
function shortName({ asked, upstream, model }: Plan): Readonly<Record<string, unknown>> {
  return asked.startsWith(`${upstream}/`) ? {} : { models: { [asked]: `${upstream}/${model}` }, defaultModel: asked };
}

/** One alias may stand for another. */
function modelNameOf(alias: string, { models }: Config): string {
  return models[alias] ?? alias;
}

function recordedUpstream(entry: Config['upstreams'][string], plan: Plan): Readonly<Record<string, unknown>> {
  const { wire, baseUrl = nowhere, quirks, timeouts, qwenChat, models, anyModel } = entry;
  const conversation = descriptionOf(entry);
  const isKnown = isVendorOfApi(entry) || Object.keys(quirksOfHost(new URL(baseUrl).hostname)).length > 0;
  // What the upstream's own list said has been decided: whoever replays it has no list.
  const toolCalling = toolCallingOf(plan);
  // Templates may be in files; only what is asked hangs on them, not how the reply is read.
  const decided = ({ prompts: _, ...rule }: RuleConfig) =>
    toolCalling === undefined ? rule : { ...rule, toolCalling };
  const known = Object.entries(models).filter(([name, rule]) => (rule.upstreamName ?? name) === plan.model);
  return {
    wire,
    baseUrl: isKnown ? new URL(baseUrl).origin : nowhere,
    quirks: { ...plan.facts?.quirks, ...quirks },
    timeouts,
    discovery: { enabled: false },
    ...(conversation === undefined ? {} : { conversation }),
    ...(qwenChat === undefined ? {} : { qwenChat }),
    models: Object.fromEntries(known.map(([name, rule]) => [name, decided(rule)])),
    ...(known.length > 0 || anyModel === undefined ? {} : { anyModel: decided(anyModel) }),
  };
}

/** Which dialect a model is taught that is read in any follows from its name, again. */
function toolCallingOf({ toolCalling, dialect }: Plan): RuleConfig['toolCalling'] | undefined {
  if (toolCalling === 'native') return toolCalling;
  if (toolCalling === anyDialect) return 'text';
  return dialect === undefined ? undefined : { dialect };
}
