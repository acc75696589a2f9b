import type { Model } from '@dragoman/openresponses-client';
import { type Fields, fieldsIn, listIn, numberIn } from '../read-fields.ts';

/** A model as its server tells of it. Absent: nobody knows. */
export interface ListedModel {
  /** What requests name. */
  readonly id: string;
  readonly name: string;
  /** Tokens, for prompt and answer together. */
  readonly contextWindow?: number;
  readonly maxOutput?: number;
  readonly images?: boolean;
  readonly tools?: boolean;
  readonly reasoning?: boolean;
  /** Dollars for a million tokens. */
  readonly inputPrice?: number;
  readonly outputPrice?: number;
}

/**
 * What an entry of `/v1/models` says. The client has read limits and abilities in whatever words a server has for them; tags
 * count where there are none, and prices are read here, because only people want to know them.
 */
export function readModel({ entry, ...told }: Model): ListedModel {
  const tags = [...textsIn(entry, 'tags'), ...textsIn(entry, 'capabilities')];
  const maxOutput = told.maxOutput ?? numberIn(entry, 'max_tokens');
  return {
    id: told.id,
    name: told.displayName ?? told.id,
    ...known('contextWindow', told.contextWindow),
    ...known('maxOutput', maxOutput),
    ...known('images', told.images ?? wordIn(tags, ['vision', 'image-input', 'file-input'])),
    ...known('tools', told.toolCalling ?? wordIn(tags, ['tool-use', 'tool_use', 'tools'])),
    ...known('reasoning', told.reasoning ?? wordIn(tags, ['reasoning', 'thinking'])),
    ...known('inputPrice', priceOf(entry, ['input', 'prompt'])),
    ...known('outputPrice', priceOf(entry, ['output', 'completion'])),
  };
}

/** What the route `/v1/models/<id>/endpoints` adds: the largest of what the providers of a model offer. */
export function readEnrichment(body: Fields): Partial<ListedModel> {
  const data = fieldsIn(body, 'data');
  const endpoints = listIn(data, 'endpoints');
  const largest = (names: readonly string[]) => {
    const found = endpoints.flatMap((endpoint) => names.map((name) => numberIn(endpoint, name) ?? 0));
    return found.some((value) => value > 0) ? Math.max(...found) : undefined;
  };
  const parameters = endpoints.flatMap((endpoint) => textsIn(endpoint, 'supported_parameters'));
  return {
    ...known('contextWindow', largest(['context_length', 'context_window'])),
    ...known('maxOutput', largest(['max_completion_tokens', 'max_output_tokens', 'max_tokens'])),
    ...known('tools', wordIn(parameters, ['tools'])),
    ...known('images', wordIn(textsIn(fieldsIn(data, 'architecture'), 'input_modalities'), ['image'])),
  };
}

function textsIn(fields: Fields, name: string): readonly string[] {
  const value = fields[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** Unknown where the server tells no such list. */
function wordIn(words: readonly string[], wanted: readonly string[]): boolean | undefined {
  return words.length === 0 ? undefined : words.some((word) => wanted.includes(word));
}

/** Prices are told for one token, as text or number. */
function priceOf(entry: Fields, names: readonly string[]): number | undefined {
  const pricing = fieldsIn(entry, 'pricing');
  const price = names.map((name) => Number(pricing[name] ?? Number.NaN)).find((value) => value > 0);
  return price === undefined ? undefined : price * 1_000_000;
}

function known<Name extends string, Value>(name: Name, value: Value | undefined): { readonly [key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [key in Name]: Value });
}
