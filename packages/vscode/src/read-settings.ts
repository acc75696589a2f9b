import * as vscode from 'vscode';
import { type Fields, isObject } from './read-fields.ts';
import type { Shape } from './translate/to-request.ts';

/** What a server speaks; `auto` asks it. The ids are those of Dragoman's wires, `responses` any OpenResponses server. */
export const apis = [
  'auto',
  'responses',
  'openai-chat',
  'ollama-chat',
  'anthropic-messages',
  'openai-responses',
  'openai-completions',
] as const;
export type Api = (typeof apis)[number];

/** A server that models come from, as a person told it. */
export interface EndpointDefinition {
  /** Stable over restarts: keys, calibration and model ids hang on it. */
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly api: Api;
  /** `auto`, `native`, `text`, or the dialect that its models write calls in; for servers that are not OpenResponses. */
  readonly toolCalling: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly shape: Shape;
  /** From a group of "Add Models", whose secrets VS Code keeps. */
  readonly key?: string;
  /** Where it came from; `found` is the gateway that is looked for without asking. */
  readonly from: 'found' | 'settings' | 'group';
}

/** What a person knows of models and their server does not tell; keys are patterns of model ids. */
export interface ModelSetting {
  readonly name?: string;
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  readonly imageInput?: boolean;
  readonly toolCalling?: boolean;
  readonly reasoning?: boolean;
}

export interface Settings {
  /** Empty: none is looked for. */
  readonly gateway: string;
  readonly endpoints: readonly EndpointDefinition[];
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly defaultModel: string;
  readonly models: Readonly<Record<string, ModelSetting>>;
  readonly systemPrompt: { readonly enabled: boolean; readonly message: string; readonly legacy: boolean };
  readonly effort: string;
  readonly charactersPerToken: number;
  readonly connectSeconds: number;
  /** Absent: what suits where a server stands. */
  readonly idleSeconds?: number;
  readonly statusBar: boolean;
}

/** Characters of a token by the name of the mode. */
const estimateModes: Readonly<Record<string, number>> = { conservative: 3, balanced: 4, generous: 5 };

export function readSettings(): Settings {
  const settings = vscode.workspace.getConfiguration('dragoman');
  const idle = settings.get<number | null>('timeout.idle', null);
  const mode = settings.get<string>('tokens.estimate', 'balanced');
  return {
    gateway: readUrl(settings.get<string>('gateway', 'http://127.0.0.1:11434')) ?? '',
    endpoints: readEndpoints(settings.get<unknown>('endpoints', [])),
    allow: settings.get<string[]>('models.allow', []),
    deny: settings.get<string[]>('models.deny', []),
    defaultModel: settings.get<string>('models.default', ''),
    models: settings.get<Record<string, ModelSetting>>('models.settings', {}),
    systemPrompt: {
      enabled: settings.get<boolean>('systemPrompt.enabled', false),
      message: settings.get<string>('systemPrompt.message', ''),
      legacy: settings.get<boolean>('systemPrompt.legacyDetection', true),
    },
    effort: settings.get<string>('reasoning.effort', 'default'),
    charactersPerToken:
      mode === 'custom'
        ? within(settings.get<number>('tokens.charactersPerToken', 4), 1, 10)
        : (estimateModes[mode] ?? 4),
    connectSeconds: within(settings.get<number>('timeout.connect', 30), 5, 300),
    ...(idle === null ? {} : { idleSeconds: within(idle, 5, 3600) }),
    statusBar: settings.get<boolean>('statusBar.enabled', true),
  };
}

const within = (value: number, least: number, most: number) =>
  Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : least;

/** Entries without a usable address are left out; the settings editor underlines them. */
function readEndpoints(value: unknown): readonly EndpointDefinition[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isObject).flatMap((entry) => readEndpoint(entry, 'settings') ?? []);
}

/** An endpoint of the settings, or the configuration of a group of "Add Models". */
export function readEndpoint(entry: Fields, from: EndpointDefinition['from']): EndpointDefinition | undefined {
  const url = readUrl(entry.url);
  if (url === undefined) return undefined;
  const name = typeof entry.name === 'string' && entry.name.trim() !== '' ? entry.name.trim() : new URL(url).host;
  const key = typeof entry.apiKey === 'string' ? entry.apiKey.trim() : '';
  return {
    id: endpointId(from === 'group' ? new URL(url).host : name),
    name,
    url,
    api: apis.find((api) => api === entry.api) ?? 'auto',
    toolCalling: typeof entry.toolCalling === 'string' && entry.toolCalling !== '' ? entry.toolCalling : 'auto',
    headers: readHeaders(entry.headers),
    shape: isObject(entry.request) ? (entry.request as Shape) : {},
    ...(key === '' ? {} : { key }),
    from,
  };
}

/** An address with its protocol and without a slash at its end; `http` where none is told. */
export function readUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const text = value.trim();
  const url = text.includes('://') ? text : `http://${text}`;
  if (!URL.canParse(url)) return undefined;
  const { protocol } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}

/** Letters and digits of a name in lower case, with one hyphen in place of all else. */
function endpointId(name: string): string {
  const parts = [...name.toLowerCase()].map((character) =>
    (character >= 'a' && character <= 'z') || (character >= '0' && character <= '9') ? character : ' ',
  );
  return (
    parts
      .join('')
      .split(' ')
      .filter((part) => part !== '')
      .join('-') || 'endpoint'
  );
}

function readHeaders(value: unknown): Readonly<Record<string, string>> {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]));
}
