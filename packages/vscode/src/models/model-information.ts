import type { ReasoningEffort } from '@dragoman/openresponses-client';
import type { LanguageModelChatInformation } from 'vscode';
import type { ProposedInformation } from '../read-proposed.ts';
import type { EndpointDefinition, ModelSetting } from '../read-settings.ts';
import { fits } from './model-list.ts';
import type { ListedModel } from './read-model.ts';

/**
 * What one turn of Copilot's agent mode takes before anybody has said anything, in tokens: its instructions and the schemas
 * of its tools, as measured.
 */
export const agentNeeds = 19_000;

/**
 * Room for agent mode and a task in it, in tokens: what Ollama is asked for, and what VS Code is told of a model that is too
 * small. With the true number VS Code fails before it asks us, with "No lowest priority node found"; asked, we can say what is
 * wrong and what to do.
 */
export const roomForAgents = 32_768;

/** The longest answer that is assumed where nobody knows, in tokens. */
const usualOutput = 8192;

/** How much a model holds, in tokens, and how that is known. */
export interface Limits {
  readonly window: number;
  readonly output: number;
  /** What is left for the prompt. */
  readonly input: number;
  readonly source: 'settings' | 'learnt' | 'server' | 'guess';
}

export function limitsOf(
  model: ListedModel,
  { setting, learnt }: { readonly setting: ModelSetting; readonly learnt: number | undefined },
): Limits {
  const told = setting.contextWindow ?? learnt ?? model.contextWindow;
  const window = told ?? guessWindow(model.id);
  const output = Math.min(setting.maxOutputTokens ?? model.maxOutput ?? usualOutput, Math.floor(window / 4));
  const sources = [
    ['settings', setting.contextWindow],
    ['learnt', learnt],
    ['server', model.contextWindow],
  ] as const;
  const source = sources.find(([, value]) => value !== undefined)?.[0] ?? 'guess';
  return { window, output, input: window - output, source };
}

/** A model that VS Code knows, with what it takes to ask it. */
export interface KnownModel {
  /** As VS Code names it: the endpoint's id, a slash, and the server's name of the model. */
  readonly id: string;
  readonly endpoint: EndpointDefinition;
  readonly listed: ListedModel;
  readonly limits: Limits;
  readonly reasoning: boolean;
  /** The context window that a person wants it to have, in tokens. */
  readonly wantedWindow?: number;
  readonly information: LanguageModelChatInformation & ProposedInformation;
}

/** The settings whose patterns fit a model, later ones over earlier ones. */
export function settingOf(id: string, settings: Readonly<Record<string, ModelSetting>>): ModelSetting {
  const fitting = Object.entries(settings).filter(([pattern]) => fits(id, pattern));
  return Object.assign({}, ...fitting.map(([, setting]) => setting));
}

export interface InformationOptions {
  readonly endpoint: EndpointDefinition;
  readonly setting: ModelSetting;
  readonly learnt: number | undefined;
  /** The effort that is sent where nobody chooses; `default` leaves it to the server. */
  readonly effort: string;
}

/** Every level of effort that OpenResponses has. */
export const efforts: readonly ReasoningEffort[] = ['none', 'low', 'medium', 'high', 'xhigh'];

export function knowModel(listed: ListedModel, options: InformationOptions): KnownModel {
  const { endpoint, setting } = options;
  const limits = limitsOf(listed, options);
  const reasoning = setting.reasoning ?? listed.reasoning ?? false;
  const isSmall = limits.input < agentNeeds;
  const id = `${endpoint.id}/${listed.id}`;
  return {
    id,
    endpoint,
    listed,
    limits,
    reasoning,
    ...(setting.contextWindow === undefined ? {} : { wantedWindow: setting.contextWindow }),
    information: {
      id,
      name: setting.name ?? listed.name,
      family: familyOf(listed.id),
      version: listed.id,
      maxInputTokens: isSmall ? roomForAgents : limits.input,
      maxOutputTokens: limits.output,
      maxContextWindowTokens: limits.window,
      tooltip: tooltipOf(listed, { endpoint, limits }),
      ...detailOf(endpoint, isSmall),
      capabilities: {
        imageInput: setting.imageInput ?? listed.images ?? false,
        toolCalling: setting.toolCalling ?? listed.tools ?? true,
      },
      isUserSelectable: true,
      isBYOK: true,
      ...(reasoning ? { configurationSchema: effortSchema(options.effort) } : {}),
    },
  };
}

/** Where it runs, and what is wrong with it. VS Code itself tells the names of groups. */
function detailOf({ name, from }: EndpointDefinition, isSmall: boolean): { readonly detail?: string } {
  const words = [...(from === 'group' ? [] : [name]), ...(isSmall ? ['too small'] : [])];
  return words.length === 0 ? {} : { detail: words.join(' · ') };
}

/** `qwen2.5-coder` of `library/qwen2.5-coder:7b`. */
function familyOf(id: string): string {
  const name = id.split('/').at(-1) ?? id;
  return name.split(':')[0] || id;
}

const sourceWords = {
  settings: 'from your settings',
  learnt: 'learnt from an error of the server',
  server: 'from the server',
  guess: 'guessed, because the server does not tell: "Dragoman: Set Context Window" if it is wrong',
};

const number = (value: number) => value.toLocaleString('en-US');

function tooltipOf(
  listed: ListedModel,
  { endpoint, limits }: { readonly endpoint: EndpointDefinition; readonly limits: Limits },
): string {
  const lines = [
    `${listed.id} at ${endpoint.name} (${endpoint.url})`,
    `Context window ${number(limits.window)} tokens, ${sourceWords[limits.source]}; answers up to ${number(limits.output)}.`,
  ];
  const { inputPrice, outputPrice } = listed;
  if (inputPrice !== undefined && outputPrice !== undefined)
    lines.push(`$${inputPrice.toFixed(2)} for a million tokens of input, $${outputPrice.toFixed(2)} of output.`);
  if (limits.input < agentNeeds) lines.push(smallNotice(limits));
  return lines.join('\n\n');
}

/** Said in the tooltip of a model that is too small, and when its first turn does not fit. */
export function smallNotice(limits: Limits): string {
  return `Agent mode needs about ${number(agentNeeds)} tokens for its instructions and tools; this model has ${number(limits.input)} for the prompt. Give it a larger window (Ollama: "Dragoman: Set Context Window", llama.cpp: -c 32768), or use ask mode.`;
}

/** `default` leaves it to the server. */
const effortLabels: Readonly<Record<ReasoningEffort | 'default', string>> = {
  default: 'Auto',
  none: 'None',
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  xhigh: 'Extra high',
};

/** Shows a selector beside the picker. */
function effortSchema(effort: string): NonNullable<ProposedInformation['configurationSchema']> {
  const values = Object.keys(effortLabels);
  return {
    properties: {
      reasoningEffort: {
        type: 'string',
        title: 'Thinking effort',
        enum: values,
        enumItemLabels: Object.values(effortLabels),
        default: values.includes(effort) ? effort : 'default',
        group: 'navigation',
      },
    },
  };
}

/**
 * Context windows of families of models whose servers often tell none, in tokens. A table; the first pattern that fits counts. Local
 * servers load models with less than they were trained for, so it is asked last, and what it says is told as a guess.
 */
const windows: readonly (readonly [string, number])[] = [
  ['*gpt-5*', 400_000],
  ['*gpt-4.1*', 1_047_576],
  ['*gpt-4o*', 128_000],
  ['*gpt-oss*', 131_072],
  ['*claude*', 200_000],
  ['*gemini*', 1_048_576],
  ['*qwen3-coder*', 262_144],
  ['*qwen3*', 131_072],
  ['*qwen2.5*', 32_768],
  ['*llama-4*', 1_048_576],
  ['*llama-3.*', 131_072],
  ['*llama3.*', 131_072],
  ['*deepseek*', 131_072],
  ['*devstral*', 131_072],
  ['*mistral*', 32_768],
  ['*glm-4*', 131_072],
  ['*kimi*', 131_072],
  ['*gemma-3*', 131_072],
  ['*gemma3*', 131_072],
];

/** Where nothing at all is known. */
const unknown = 32_768;

function guessWindow(id: string): number {
  return windows.find(([pattern]) => fits(id, pattern))?.[1] ?? unknown;
}
