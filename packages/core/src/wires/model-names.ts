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
  pictures: ['dall', 'sdxl', 'flux', 'imagen', 'stablediffusion'],
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
