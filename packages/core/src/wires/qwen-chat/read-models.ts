import { fieldsOf, firstCount, firstFlag, firstId, includes, readName, withoutGaps } from '../listed-fields.ts';
import { isObject } from '../read-values.ts';
import type { ListedModel, ModelListing, ModelPage } from '../wire.ts';

/** `GET /api/models`: the models that are switched on and chat. */
export const qwenModels: ModelListing = { path: '/api/models', readPage };

function readPage(body: unknown): ModelPage | undefined {
  if (!isObject(body) || !Array.isArray(body.data)) return undefined;
  return { models: body.data.flatMap(readEntry) };
}

function readEntry(entry: unknown): readonly ListedModel[] {
  const fields = fieldsOf(entry);
  const info = fieldsOf(fields.info);
  const meta = fieldsOf(info.meta);
  const id = firstId(fields.id);
  const chats = includes(meta.chat_type, 't2t') !== false && includes(meta.modality, 'text') !== false;
  if (id === undefined || info.is_active === false || !chats) return [];
  return [
    withoutGaps({
      id,
      contextWindow: firstCount(meta.max_context_length),
      maxOutput: firstCount(meta.max_generation_length),
      // A message holds one text, whatever the model sees elsewhere.
      images: false,
      reasoning: firstFlag(fieldsOf(meta.capabilities).thinking),
      displayName: readName(fields.name, id),
    }),
  ];
}
