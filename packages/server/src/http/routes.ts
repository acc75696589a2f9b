import {
  type ClientWire,
  GatewayError,
  ollamaChatClient,
  ollamaGenerateClient,
  openaiChatClient,
} from '@dragoman/core';
import { answerChat } from './answer-chat.ts';
import { answerModel, answerModels } from './answer-models.ts';
import { answerOllamaChat } from './answer-ollama-chat.ts';
import { answerPull, answerRoot, answerRunning, answerShow, answerTags } from './answer-ollama-models.ts';
import { answerHealth, answerVersion } from './answer-status.ts';
import type { Exchange } from './exchange.ts';
import { type Path, paths } from './paths.ts';

export interface Route {
  readonly method: 'GET' | 'POST';
  /** Its answer tells of draining by itself. */
  readonly whileDraining?: boolean;
  /** In whose terms errors of this route are told. Default: `defaultWire`. */
  readonly wire?: ClientWire;
  /** `parameter` is what stands in the place of `:id`. Throws or rejects with a GatewayError. */
  answer(exchange: Exchange, parameter: string): void | Promise<void>;
}

/** Speaks wherever no other wire is asked for, errors of unknown routes included. */
export const defaultWire: ClientWire = openaiChatClient;

const completions: Route = { method: 'POST', answer: (exchange) => answerChat(exchange, exchange.gateway.chat) };
const models: Route = { method: 'GET', answer: answerModels };
const model: Route = { method: 'GET', answer: answerModel };
const ollama = { wire: ollamaChatClient } as const;

/** Every route. Copilot appends to `/v1`, others to the bare address, so both forms lead to the same answer. */
const routes: Readonly<Record<Path, Route>> = {
  '/v1/chat/completions': completions,
  '/chat/completions': completions,
  '/v1/models': models,
  '/models': models,
  '/v1/models/:id': model,
  '/models/:id': model,
  '/health': { method: 'GET', whileDraining: true, answer: answerHealth },
  '/': { method: 'GET', answer: answerRoot },
  '/api/version': { ...ollama, method: 'GET', answer: answerVersion },
  '/api/tags': { ...ollama, method: 'GET', answer: answerTags },
  '/api/show': { ...ollama, method: 'POST', answer: answerShow },
  '/api/ps': { ...ollama, method: 'GET', answer: answerRunning },
  '/api/pull': { ...ollama, method: 'POST', answer: answerPull },
  '/api/chat': { ...ollama, method: 'POST', answer: (exchange) => answerOllamaChat(exchange, ollamaChatClient) },
  '/api/generate': {
    ...ollama,
    method: 'POST',
    answer: (exchange) => answerOllamaChat(exchange, ollamaGenerateClient),
  },
};

const table = new Map<string, Match>();
const prefixes: { readonly prefix: string; readonly path: Path; readonly route: Route }[] = [];
for (const path of paths) {
  const route = routes[path];
  if (path.endsWith('/:id')) prefixes.push({ prefix: path.slice(0, -':id'.length), path, route });
  else table.set(path, { path, route, parameter: '' });
}

export interface Match {
  readonly path: Path;
  readonly route: Route;
  readonly parameter: string;
}

/** The route of an address, whatever its method. A trailing slash and a query do not matter. */
export function findRoute(url: string): Match | undefined {
  const query = url.indexOf('?');
  const whole = query < 0 ? url : url.slice(0, query);
  const pathname = whole.length > 1 && whole.endsWith('/') ? whole.slice(0, -1) : whole;
  const exact = table.get(pathname);
  if (exact !== undefined) return exact;
  const found = prefixes.find(({ prefix }) => pathname.startsWith(prefix));
  if (found === undefined) return undefined;
  return { path: found.path, route: found.route, parameter: decoded(pathname.slice(found.prefix.length)) };
}

/** In whose terms errors of an address without a route are told. */
export function wireAt(url: string): ClientWire {
  return url.startsWith('/api/') ? ollamaChatClient : defaultWire;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new GatewayError('bad-request', 'The address is not correctly escaped.', { cause });
  }
}
