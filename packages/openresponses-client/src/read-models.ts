import { type ListedModel, openaiResponsesUpstream } from '@dragoman/core';
import { isObject } from './read-values.ts';
import type { JsonObject } from './request-types.ts';

/** A model that chats, as the server's list has it. What the list does not say is absent. */
export interface Model extends ListedModel {
  /** The list's own entry. */
  readonly entry: JsonObject;
}

/** The models of a list's body; undefined when it is no list. Models that do not chat are left out. */
export function readModels(body: unknown): readonly Model[] | undefined {
  const readPage = openaiResponsesUpstream.models?.readPage;
  if (readPage?.(body) === undefined) return undefined;
  return entriesOf(body).flatMap((entry) => {
    const models = readPage([entry])?.models ?? [];
    return models.map((model) => ({ ...model, entry: isObject(entry) ? entry : {} }));
  });
}

function entriesOf(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body;
  const lists = isObject(body) ? [body.data, body.models] : [];
  return lists.find((list): list is unknown[] => Array.isArray(list)) ?? [];
}
