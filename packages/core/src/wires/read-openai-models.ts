import {
  fieldsOf,
  firstCount,
  firstFlag,
  firstId,
  includes,
  isLlamaServer,
  llamaProps,
  onlyTrue,
  otherUseOf,
  readableName,
  readMoment,
  readName,
  withoutGaps,
} from './listed-fields.ts';
import { isObject, type JsonObject } from './read-values.ts';
import type { ListedModel, ModelListing, ModelPage, OtherModel, Quirks } from './wire.ts';

/**
 * `GET /models` of OpenAI's API and of the many servers that add to it what OpenAI leaves out. Each adds other fields, and
 * all of them are read: vLLM, llama.cpp, LM Studio, OpenRouter, Mistral, Groq, Together, Vercel and our own.
 */
export const openaiModels: ModelListing = { path: '/models', readPage };

function readPage(body: unknown): ModelPage | undefined {
  const list = entriesOf(body);
  const entries = list?.flatMap(readEntry);
  if (list === undefined || entries === undefined) return undefined;
  const others = entries.filter((entry) => 'use' in entry);
  const models = entries.filter((entry) => !('use' in entry));
  return {
    models,
    ...(others.length === 0 ? {} : { others }),
    ...(isLlamaServer(list) ? { more: llamaProps } : {}),
  };
}

/** The list: as `data`, as LM Studio's `models`, or as the whole body. Ollama says `"data": null` for none. */
function entriesOf(body: unknown): readonly unknown[] | undefined {
  if (Array.isArray(body)) return body;
  if (!isObject(body)) return undefined;
  if (Array.isArray(body.data)) return body.data;
  if (Array.isArray(body.models)) return body.models;
  return body.object === 'list' ? [] : undefined;
}

function readEntry(entry: unknown): readonly (ListedModel | OtherModel)[] {
  const fields = fieldsOf(entry);
  const id = firstId(fields.id, fields.key, fields.model, fields.name);
  if (id === undefined) return [];
  const use = otherUse(id, fields);
  if (use !== undefined) return [{ id, use }];
  return [
    withoutGaps({
      id,
      contextWindow: contextWindowOf(fields),
      maxOutput: maxOutputOf(fields),
      images: imagesOf(fields),
      toolCalling: toolCallingOf(fields),
      reasoning: reasoningOf(fields),
      counts: countingOwners.includes(fields.owned_by) ? 'anthropic-messages' : undefined,
      quirks: quirksOf(fields),
      displayName: readName(fields.display_name, id) ?? readName(fields.name, id) ?? readableName(id),
      created: readMoment(fields.created),
    }),
  ];
}

/**
 * Servers with `POST /v1/messages/count_tokens` beside Chat Completions. Sources: llama.cpp's tools/server/README.md and vLLM's
 * entrypoints/anthropic/api_router.py.
 */
const countingOwners: readonly unknown[] = ['llamacpp', 'vllm'];

/**
 * Servers that take a grammar. Sources: llama.cpp's tools/server/README.md, vLLM's docs/features/structured_outputs.md, SGLang's
 * docs/advanced_features/structured_outputs.md, KoboldCpp's API documentation.
 */
const quirksOfOwners: ReadonlyMap<string, Quirks> = new Map([
  // With tools of the template's own form it lets prose come first, also where a tool is named.
  ['llamacpp', { grammarField: 'grammar', ignoresToolChoice: true }],
  ['koboldcpp', { grammarField: 'grammar' }],
  ['vllm', { grammarField: 'structured_outputs' }],
  ['sglang', { grammarField: 'ebnf' }],
  // LM Studio: https://lmstudio.ai/docs/api/structured-output.
  ['organization_owner', { holdsSchemas: true }],
]);

/**
 * LM Studio's own list tells whose it is by a field; that of OpenRouter tells it of each model. Sources:
 * https://lmstudio.ai/docs/api/structured-output and https://openrouter.ai/docs/structured-outputs.
 */
function quirksOf({
  owned_by: owner,
  compatibility_type: kind,
  supported_parameters: taken,
}: JsonObject): Quirks | undefined {
  if (typeof owner === 'string' && quirksOfOwners.has(owner)) return quirksOfOwners.get(owner);
  const holds = typeof kind === 'string' || includes(taken, 'structured_outputs') === true;
  return holds ? { holdsSchemas: true } : undefined;
}

/** Types of models that answer no chat, by what they are for. */
const otherTypes: Readonly<Record<string, string>> = {
  audio: 'speech',
  embedding: 'embeddings',
  embeddings: 'embeddings',
  image: 'images',
  moderation: 'moderation',
  rerank: 'ranking',
  reranking: 'ranking',
  speech: 'speech',
  transcription: 'transcription',
  transcribe: 'transcription',
  video: 'videos',
};

/** What LocalAI says of models: words for what one can be asked for. */
const otherAbilities: Readonly<Record<string, string>> = {
  embeddings: 'embeddings',
  rerank: 'ranking',
  transcript: 'transcription',
  tts: 'speech',
  image: 'images',
  video: 'videos',
};

/** Undefined for a model that chats. Where the list says nothing of that, the model's name does. */
function otherUse(id: string, fields: JsonObject): string | undefined {
  const { type, architecture } = fields;
  const capabilities = fieldsOf(fields.capabilities);
  if (fields.active === false) return 'inactive';
  const told = typeof type === 'string' ? otherTypes[type] : undefined;
  if (told !== undefined) return told;
  const able = Array.isArray(fields.capabilities) ? fields.capabilities : [];
  const ability = Object.keys(otherAbilities).find((each) => able.includes(each));
  if (ability !== undefined && !able.includes('chat')) return otherAbilities[ability];
  const writesText = includes(fieldsOf(architecture).output_modalities, 'text');
  if (fields.supports_chat === false || capabilities.completion_chat === false || writesText === false) {
    return otherUseOf(id) ?? 'other work';
  }
  const chats =
    type === 'llm' || type === 'vlm' || type === 'chat' || writesText || capabilities.completion_chat === true;
  return chats || able.includes('chat') ? undefined : otherUseOf(id);
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
    fields.context_size,
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
