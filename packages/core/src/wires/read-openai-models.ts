import {
  fieldsOf,
  firstCount,
  firstFlag,
  firstId,
  includes,
  onlyTrue,
  readMoment,
  readName,
  withoutGaps,
} from './listed-fields.ts';
import { isObject, type JsonObject } from './read-values.ts';
import type { ListedModel, ModelListing, ModelPage } from './wire.ts';

/**
 * `GET /models` of OpenAI's API and of the many servers that add to it what OpenAI leaves out. Each adds other fields, and
 * all of them are read: vLLM, llama.cpp, LM Studio, OpenRouter, Mistral, Groq, Together, Vercel and our own.
 */
export const openaiModels: ModelListing = { path: '/models', readPage };

function readPage(body: unknown): ModelPage | undefined {
  const entries = entriesOf(body);
  return entries && { models: entries.flatMap(readEntry) };
}

/** The list: as `data`, as LM Studio's `models`, or as the whole body. Ollama says `"data": null` for none. */
function entriesOf(body: unknown): readonly unknown[] | undefined {
  if (Array.isArray(body)) return body;
  if (!isObject(body)) return undefined;
  if (Array.isArray(body.data)) return body.data;
  if (Array.isArray(body.models)) return body.models;
  return body.object === 'list' ? [] : undefined;
}

function readEntry(entry: unknown): readonly ListedModel[] {
  const fields = fieldsOf(entry);
  const id = firstId(fields.id, fields.key, fields.model, fields.name);
  if (id === undefined || !chats(fields)) return [];
  return [
    withoutGaps({
      id,
      contextWindow: contextWindowOf(fields),
      maxOutput: maxOutputOf(fields),
      images: imagesOf(fields),
      toolCalling: toolCallingOf(fields),
      reasoning: reasoningOf(fields),
      displayName: readName(fields.display_name, id) ?? readName(fields.name, id),
      created: readMoment(fields.created),
    }),
  ];
}

/** Types of models that answer no chat. What a list does not type is taken for one that does. */
const otherTypes: readonly unknown[] = [
  'audio',
  'embedding',
  'embeddings',
  'image',
  'moderation',
  'rerank',
  'reranking',
  'speech',
  'transcription',
  'transcribe',
  'video',
];

function chats(fields: JsonObject): boolean {
  const capabilities = fieldsOf(fields.capabilities);
  return (
    fields.active !== false &&
    fields.supports_chat !== false &&
    capabilities.completion_chat !== false &&
    !otherTypes.includes(fields.type) &&
    includes(fieldsOf(fields.architecture).output_modalities, 'text') !== false
  );
}

/** What the server has room for comes before what the model was trained for. */
function contextWindowOf(fields: JsonObject): number | undefined {
  const meta = fieldsOf(fields.meta);
  const loaded: unknown = Array.isArray(fields.loaded_instances) ? fields.loaded_instances[0] : undefined;
  return firstCount(
    meta.n_ctx,
    fields.loaded_context_length,
    fieldsOf(fieldsOf(loaded).config).context_length,
    fieldsOf(fields.top_provider).context_length,
    fields.max_model_len,
    fields.context_window,
    fields.context_length,
    fields.max_context_length,
    fieldsOf(fields.metadata).context_length,
    meta.n_ctx_train,
  );
}

function maxOutputOf(fields: JsonObject): number | undefined {
  return firstCount(
    fieldsOf(fields.top_provider).max_completion_tokens,
    fields.max_completion_tokens,
    fields.max_output_tokens,
    fields.max_tokens,
    fieldsOf(fields.metadata).max_tokens,
  );
}

function imagesOf(fields: JsonObject): boolean | undefined {
  return (
    includes(fieldsOf(fields.architecture).input_modalities, 'image') ??
    includes(fields.input_modalities, 'image') ??
    firstFlag(
      fieldsOf(fields.capabilities).vision,
      fields.images,
      fields.supports_image_input,
      fields.supports_vision,
      onlyTrue(fields.type === 'vlm'),
      onlyTrue(includes(fields.capabilities, 'vision', 'multimodal')),
      onlyTrue(includes(fields.tags, 'vision')),
    )
  );
}

function toolCallingOf(fields: JsonObject): boolean | undefined {
  const capabilities = fieldsOf(fields.capabilities);
  return (
    includes(fields.supported_parameters, 'tools') ??
    firstFlag(
      capabilities.function_calling,
      fields.supports_tools,
      fields.tool_calling,
      // LM Studio lets models call that were not trained for it.
      onlyTrue(capabilities.trained_for_tool_use),
      onlyTrue(includes(fields.capabilities, 'tool_use', 'tools')),
      onlyTrue(includes(fields.tags, 'tool-use')),
    )
  );
}

function reasoningOf(fields: JsonObject): boolean | undefined {
  return (
    includes(fields.supported_parameters, 'reasoning', 'include_reasoning') ??
    firstFlag(
      fieldsOf(fields.capabilities).reasoning,
      fields.reasoning,
      onlyTrue(includes(fields.capabilities, 'reasoning', 'thinking')),
      onlyTrue(includes(fields.tags, 'reasoning')),
    )
  );
}
