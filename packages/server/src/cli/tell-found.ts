import { DragomanError, type EngineSetup, findModel } from '@dragoman/core';
import type { FoundUpstreams } from '../discovery/find-upstreams.ts';
import type { UpstreamModels } from '../discovery/upstream-models.ts';
import { columns } from './columns.ts';

/** Models that are left out are named one by one up to so many. */
const mostNamed = 3;

export interface TellFoundOptions {
  readonly found: FoundUpstreams;
  /** What is known of the models of an upstream. */
  readonly discovery: { of(upstream: string): Pick<UpstreamModels, 'listed' | 'others' | 'failure'> | undefined };
}

/** What was found and what was left out and why: a line each, for people. */
export function reportFound({ found, discovery }: TellFoundOptions): readonly string[] {
  if (found.titles.size === 0) return [...nothingFound, ...found.leftOut.map((sentence) => `  ${sentence}`)];
  const lines = [...found.titles].map(([name, title]) => {
    const models = discovery.of(name);
    const count = models?.listed().size ?? 0;
    const told = models?.failure === undefined ? countOf(count) : problemOf(models.failure);
    const where = found.local.has(name) || count === 0 ? '' : `, asked only as ${name}/…`;
    const rest = models === undefined || models.others.length === 0 ? '' : `; left out: ${others(models.others)}`;
    return [`  ${title}`, `${told}${where}${rest}`];
  });
  return [...columns(lines), ...found.leftOut.map((sentence) => `  ${sentence}`)];
}

function countOf(models: number): string {
  return models === 0 ? 'no model yet' : models === 1 ? '1 model' : `${models} models`;
}

function problemOf({ code, message }: DragomanError): string {
  if (code === 'upstream-unauthorized') return 'refuses the key: set another, or unset the variable';
  if (code === 'upstream-unreachable') return 'cannot be reached: its models are there as soon as it can';
  return message;
}

function others(models: readonly { readonly id: string; readonly use: string }[]): string {
  const named = models.slice(0, mostNamed).map(({ id, use }) => `${id} (${use})`);
  const more = models.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** A setting that names a model which is not there. */
export interface MissingModel {
  /** Such as `models.gpt-4o`. */
  readonly setting: string;
  readonly model: string;
  readonly reason: string;
}

/** The aliases, and the default model, that lead to no model. Each request of such a name fails. */
export function missingModels(setup: EngineSetup): readonly MissingModel[] {
  const { aliases, defaultModel = '' } = setup;
  const named = [...aliases].map(([alias, model]) => ({ setting: `models.${alias}`, model }));
  if (defaultModel !== '' && !aliases.has(defaultModel)) named.push({ setting: 'defaultModel', model: defaultModel });
  return named.flatMap((each) => {
    const reason = whyMissing(each.model, setup);
    return reason === undefined ? [] : [{ ...each, reason }];
  });
}

function whyMissing(model: string, setup: EngineSetup): string | undefined {
  try {
    findModel(model, setup);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof DragomanError) return thrown.message;
    throw thrown;
  }
}

/** Why there is only the demo, and what to do. */
const nothingFound: readonly string[] = [
  '  No model server runs on this machine and no key of a vendor is set, so there is only the built-in demo model.',
  '  Start Ollama, LM Studio, llama.cpp or another server, and its models appear here; or set a key such as',
  '  OPENROUTER_API_KEY; or name a server with DRAGOMAN_UPSTREAM=http://192.168.1.5:8080/v1.',
];
