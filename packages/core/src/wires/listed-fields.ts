import { hexDigestOf } from '../chat/digest.ts';
import { isObject, type JsonObject, present } from './read-values.ts';
import type { ListedModel, ServerQuestion } from './wire.ts';

/** A longer id is a mistake of the list, or an attempt on our memory. */
const longestId = 256;
const longestName = 200;
/** Of numbers above it nobody can say whether they mean seconds or milliseconds. */
const lastSecond = 100_000_000_000;

/** The first of the values that is a whole number of at least one. */
export function firstCount(...values: readonly unknown[]): number | undefined {
  return values.find((value): value is number => Number.isSafeInteger(value) && Number(value) >= 1);
}

/** The first of the values that is true or false. */
export function firstFlag(...values: readonly unknown[]): boolean | undefined {
  return values.find((value) => typeof value === 'boolean');
}

/** The first of the values that can name a model: a text without control characters. */
export function firstId(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => {
    if (typeof value !== 'string' || value === '' || value.length > longestId) return false;
    return [...value].every((character) => character >= ' ' && (character < '\u007f' || character > '\u009f'));
  });
}

/** What a list calls a model, cut to what a list of models has room for; nothing where it only repeats the id. */
export function readName(value: unknown, id: string): string | undefined {
  if (typeof value !== 'string' || value.trim() === '' || value === id) return undefined;
  return value.trim().slice(0, longestName);
}

/** Seconds since 1970, out of seconds, milliseconds or a date. */
export function readMoment(value: unknown): number | undefined {
  const given = typeof value === 'string' ? Date.parse(value) / 1000 : value;
  if (typeof given !== 'number' || !(given > 0)) return undefined;
  const seconds = Math.floor(given < lastSecond ? given : given / 1000);
  return seconds < lastSecond ? seconds : undefined;
}

/** A longer template is none. */
const longestTemplate = 200_000;

/** A chat template, if it is one. */
export function readTemplate(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= longestTemplate ? value : undefined;
}

/** An object, or an empty one in place of anything else. */
export function fieldsOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Whether a list of words has the word; undefined when it is no list. */
export function includes(list: unknown, ...words: readonly string[]): boolean | undefined {
  return Array.isArray(list) ? words.some((word) => list.includes(word)) : undefined;
}

/** Says only what is so: many lists name what a model can do and not what it can't. */
export function onlyTrue(value: unknown): true | undefined {
  return value === true ? true : undefined;
}

/** The model without the fields that its list does not tell. */
export function withoutGaps(
  model: { readonly [Field in keyof ListedModel]?: ListedModel[Field] | undefined } & { readonly id: string },
): ListedModel {
  return { ...present(model), id: model.id };
}

/**
 * What llama.cpp's server says of the one model that it runs: the window of a slot, of which its list may say that of all
 * slots together, and whether the chat template takes tools, which are left out without a word where it does not. Source:
 * https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md
 */
export const llamaProps: ServerQuestion = { path: '/props', fromRoot: true, read };

/** Whether the entries of a list are those of such a server. One that runs several models tells nothing of them together. */
export function isLlamaServer(entries: readonly unknown[]): boolean {
  return entries.length === 1 && fieldsOf(entries[0]).owned_by === 'llamacpp';
}

function read(body: unknown): (model: ListedModel) => ListedModel {
  const props = fieldsOf(body);
  const template = readTemplate(props.chat_template);
  const caps = fieldsOf(props.chat_template_caps);
  const contextWindow = firstCount(fieldsOf(props.default_generation_settings).n_ctx);
  const images = firstFlag(fieldsOf(props.modalities).vision);
  const toolCalling = toolCallingOf(caps.supports_tools, caps.supports_tool_calls);
  const reasoning = onlyTrue(caps.supports_reasoning_effort);
  const told = present({
    contextWindow,
    images,
    toolCalling,
    reasoning,
    template,
    version: template === undefined ? undefined : versionOf(template, props),
  });
  return (model) => ({ ...model, ...told });
}

/** It has to take the tools, and the calls of the history. */
function toolCallingOf(tools: unknown, calls: unknown): boolean | undefined {
  if (tools === false || calls === false) return false;
  return tools === true ? true : undefined;
}

/** Another build reads another file by another template. */
function versionOf(template: string, { build_info: build, model_path: path }: ReturnType<typeof fieldsOf>): string {
  return hexDigestOf(JSON.stringify([build, path, template]));
}

// What the name of a model tells where its list tells nothing.

/**
 * Beginnings of words in names of models that answer no chat, by what they are for. Sources: the lists of OpenAI, LocalAI and
 * LM Studio, and the families of models that are commonly served beside chat models.
 */
const otherUses: Readonly<Record<string, readonly string[]>> = {
  embeddings: ['embed', 'bge', 'minilm', 'e5', 'gte'],
  ranking: ['rerank'],
  transcription: ['whisper', 'transcribe', 'parakeet'],
  speech: ['tts', 'kokoro', 'piper', 'realtime'],
  images: ['dall', 'sdxl', 'flux', 'imagen', 'stablediffusion'],
  videos: ['sora', 'veo'],
  moderation: ['moderation'],
};

/** What a model is for, if its name says that it is not for chat, such as `embeddings`. */
export function otherUseOf(id: string): string | undefined {
  const words = lastOf(id)
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const uses = Object.entries(otherUses);
  return uses.find(([, beginnings]) => words.some((word) => beginnings.some((each) => begins(word, each))))?.[0];
}

/** Short words are whole: `e5` is one, `e5b` another. */
function begins(word: string, beginning: string): boolean {
  return beginning.length < 4 ? word === beginning : word.startsWith(beginning);
}

/**
 * A name for people and pickers, of a model that its server calls by the path of its file: the file without its ending, or
 * the model whose folder in the cache of Hugging Face it is. Undefined for what is no path.
 */
export function readableName(id: string): string | undefined {
  const isFile = /\.gguf$/i.test(id);
  if (!isFile && !/^([/\\~]|\.{1,2}[/\\]|[a-z]:[/\\])/i.test(id)) return undefined;
  const cached = id.split(/[/\\]/).find((each) => each.startsWith('models--'));
  const name = cached === undefined || isFile ? lastOf(id) : (cached.split('--').at(-1) ?? '');
  // A model in several files goes by the first.
  const plain = name.replace(/\.gguf$/i, '').replace(/-0*1-of-\d+$/, '');
  return plain === '' ? undefined : plain;
}

function lastOf(id: string): string {
  return id.split(/[/\\]/).findLast((each) => each !== '') ?? id;
}
