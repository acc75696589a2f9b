import type { IncomingHttpHeaders } from 'node:http';
import {
  anthropicMessagesClient,
  type ClientWire,
  DragomanError,
  ollamaChatClient,
  ollamaGenerateClient,
  openaiChatClient,
  openaiCompletionsClient,
  openaiResponsesClient,
} from '@dragoman/core';
import { answerChat } from './answer-chat.ts';
import { answerCountTokens } from './answer-count-tokens.ts';
import { answerModel, answerModels } from './answer-models.ts';
import { answerOllamaChat, answerPull, answerRoot, answerRunning, answerShow, answerTags } from './answer-ollama.ts';
import { answerRecord, answerRecords, answerStatistics, deleteRecord, deleteRecords } from './answer-records.ts';
import {
  answerCompact,
  answerInputItems,
  answerResponses,
  answerStoredResponse,
  cancelResponse,
  deleteStoredResponse,
} from './answer-responses.ts';
import type { HttpExchange } from './exchange.ts';
import { answerHealth, answerVersion } from './health.ts';
import { type Path, paths } from './paths.ts';
import { openResponsesSocket } from './responses-socket.ts';
import { answerWorkers, openWorkerSocket } from './worker-socket.ts';

export interface Route {
  readonly method: 'GET' | 'POST';
  /** Its answer tells of draining by itself. */
  readonly whileDraining?: boolean;
  /** In whose terms errors of this route are told. Default: those of `wireAt`. */
  readonly wire?: ClientWire;
  /** `parameter` is what is in the place of `:id`. Throws or rejects with a DragomanError. */
  answer(exchange: HttpExchange, parameter: string): void | Promise<void>;
  /** Opens the WebSocket that a `GET` on the same path asks for. */
  openSocket?(exchange: HttpExchange, parameter: string): void;
  /** Whoever comes shows itself to the route, not a key: its WebSocket is open before it can say anything. */
  readonly asksItself?: true;
  /** Answers `DELETE` on the same path. */
  delete?(exchange: HttpExchange, parameter: string): void | Promise<void>;
}

/** Speaks wherever no other wire is asked for, errors of unknown routes included. */
const defaultWire: ClientWire = openaiChatClient;

const chatCompletions: Route = {
  method: 'POST',
  wire: openaiChatClient,
  answer: (exchange) => answerChat(exchange, exchange.gateway.chat),
};
const completions: Route = {
  method: 'POST',
  wire: openaiCompletionsClient,
  answer: (exchange) => answerChat(exchange, openaiCompletionsClient),
};
const anthropic = { wire: anthropicMessagesClient, method: 'POST' } as const;
const messages: Route = { ...anthropic, answer: (exchange) => answerChat(exchange, anthropicMessagesClient) };
const countTokens: Route = { ...anthropic, answer: answerCountTokens };
const models: Route = { method: 'GET', answer: answerModels };
const model: Route = { method: 'GET', answer: answerModel };
const ollama = { wire: ollamaChatClient } as const;
const responses = { wire: openaiResponsesClient } as const;
const response: Route = { ...responses, method: 'POST', answer: answerResponses, openSocket: openResponsesSocket };
const compact: Route = { ...responses, method: 'POST', answer: answerCompact };
const stored: Route = { ...responses, method: 'GET', answer: answerStoredResponse, delete: deleteStoredResponse };
const cancel: Route = { ...responses, method: 'POST', answer: cancelResponse };
const inputItems: Route = { ...responses, method: 'GET', answer: answerInputItems };

/** Every route. Copilot appends to `/v1`, others to the bare address, so both forms lead to the same answer. */
const routes: Readonly<Record<Path, Route>> = {
  '/v1/chat/completions': chatCompletions,
  '/chat/completions': chatCompletions,
  '/v1/completions': completions,
  '/completions': completions,
  '/v1/responses': response,
  '/responses': response,
  '/v1/responses/compact': compact,
  '/responses/compact': compact,
  '/v1/responses/:id': stored,
  '/responses/:id': stored,
  '/v1/responses/:id/cancel': cancel,
  '/responses/:id/cancel': cancel,
  '/v1/responses/:id/input_items': inputItems,
  '/responses/:id/input_items': inputItems,
  '/v1/messages': messages,
  '/messages': messages,
  '/v1/messages/count_tokens': countTokens,
  '/messages/count_tokens': countTokens,
  '/v1/models': models,
  '/models': models,
  '/v1/models/:id': model,
  '/models/:id': model,
  '/workers/:id': { method: 'GET', asksItself: true, answer: answerWorkers, openSocket: openWorkerSocket },
  '/health': { method: 'GET', whileDraining: true, answer: answerHealth },
  '/records': { method: 'GET', answer: answerRecords, delete: deleteRecords },
  '/records/statistics': { method: 'GET', answer: answerStatistics },
  '/records/:id': { method: 'GET', answer: answerRecord, delete: deleteRecord },
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
/** Paths with a parameter, by what stands before and after it. */
const patterns: { readonly prefix: string; readonly suffix: string; readonly path: Path; readonly route: Route }[] = [];
for (const path of paths) {
  const route = routes[path];
  const [prefix = '', suffix] = path.split(':id');
  if (suffix === undefined) table.set(path, { path, route, parameter: '' });
  else patterns.push({ prefix, suffix, path, route });
}
// The most particular first: a parameter may itself hold slashes.
patterns.sort((one, other) => other.suffix.length - one.suffix.length);

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
  const found = patterns.find(
    ({ prefix, suffix }) =>
      pathname.startsWith(prefix) && pathname.endsWith(suffix) && pathname.length >= prefix.length + suffix.length,
  );
  if (found === undefined) return undefined;
  const parameter = pathname.slice(found.prefix.length, pathname.length - found.suffix.length);
  return { path: found.path, route: found.route, parameter: decoded(parameter) };
}

/**
 * In whose terms a caller is answered where the route does not tell: because there is none, or because several APIs share
 * it. Anthropic's clients name their version of the API in every request.
 */
export function wireAt(url: string, headers: IncomingHttpHeaders): ClientWire {
  if (url.startsWith('/api/')) return ollamaChatClient;
  return headers['anthropic-version'] === undefined ? defaultWire : anthropicMessagesClient;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new DragomanError('bad-request', 'A % in the address is wrong: write it as %25.', { cause });
  }
}
