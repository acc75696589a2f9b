import {
  fieldsOf,
  firstCount,
  firstFlag,
  firstId,
  isLlamaServer,
  llamaProps,
  readMoment,
  readName,
  withoutGaps,
} from '../listed-fields.ts';
import { isObject } from '../read-values.ts';
import type { ListedModel, ModelListing, ModelPage } from '../wire.ts';

/** The API's own most; by default a page has twenty. */
const path = '/models?limit=1000';

/** `GET /v1/models` of Anthropic's API, page by page. Models that are retired answer nobody and are left out. */
export const anthropicModels: ModelListing = { path, readPage };

function readPage(body: unknown): ModelPage | undefined {
  if (!isObject(body) || !Array.isArray(body.data)) return undefined;
  const last = firstId(body.last_id);
  return {
    models: body.data.flatMap(readEntry),
    ...(isLlamaServer(body.data) ? { more: llamaProps } : {}),
    ...(body.has_more === true && last !== undefined ? { next: `${path}&after_id=${encodeURIComponent(last)}` } : {}),
  };
}

function readEntry(entry: unknown): readonly ListedModel[] {
  const fields = fieldsOf(entry);
  const id = firstId(fields.id);
  if (id === undefined || fields.lifecycle === 'retired') return [];
  const capabilities = fieldsOf(fields.capabilities);
  return [
    withoutGaps({
      id,
      contextWindow: firstCount(fields.max_input_tokens),
      maxOutput: firstCount(fields.max_tokens),
      images: firstFlag(fieldsOf(capabilities.image_input).supported),
      reasoning: firstFlag(fieldsOf(capabilities.thinking).supported),
      displayName: readName(fields.display_name, id),
      created: readMoment(fields.created_at),
    }),
  ];
}
