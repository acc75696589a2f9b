// A table: the servers that people run models with on their own machine.

/** What a server is found to be; `other` lists models as OpenAI does and is none that is known. */
export type ServerKind =
  | 'llama.cpp'
  | 'vllm'
  | 'sglang'
  | 'koboldcpp'
  | 'text-generation-webui'
  | 'lm-studio'
  | 'localai'
  | 'mlx'
  | 'jan'
  | 'ollama'
  | 'dragoman'
  | 'other';

/** One kind of server: where it listens unless it is told otherwise, and what tells it apart. */
export interface LocalServer {
  readonly kind: ServerKind;
  /** For people. */
  readonly name: string;
  readonly ports: readonly number[];
  /** The upstream wire that is best for it; all have Chat Completions as well. */
  readonly api: string;
  /** What it writes as the owner of each model in `GET /v1/models`. */
  readonly owner?: string;
  /**
   * A question that it answers, and the field that its answer has, at its root or in the entries of a list. Where nothing
   * tells its owner, it counts only at one of its ports.
   */
  readonly question?: { readonly path: string; readonly field: string };
  /** The answer to the question is its list of models, and says more than `/v1/models` does. */
  readonly listsThere?: true;
}

/**
 * Servers that are started for one model come first, the one that most probably runs all day last: the first model that is
 * found is the default. Two that share a port are told apart by what they answer. Jan tells nothing of itself but its port.
 */
export const localServers: readonly LocalServer[] = [
  // The default moves from 8080 to 9931, as the server itself announces. The owner: tools/server/server-context.cpp.
  { kind: 'llama.cpp', name: 'llama.cpp', ports: [8080, 9931], api: 'openai-chat', owner: 'llamacpp' },
  // vllm/entrypoints/openai/engine/protocol.py: `owned_by: str = "vllm"`.
  { kind: 'vllm', name: 'vLLM', ports: [8000], api: 'openai-chat', owner: 'vllm' },
  // sglang/srt/entrypoints/openai/protocol.py: `owned_by: str = "sglang"`; server_args.py: `port: int = 30000`.
  { kind: 'sglang', name: 'SGLang', ports: [30000], api: 'openai-chat', owner: 'sglang' },
  // koboldcpp.py: `"owned_by":"koboldcpp"`. It answers as Ollama, too, so the owner counts for more.
  { kind: 'koboldcpp', name: 'KoboldCpp', ports: [5001], api: 'openai-chat', owner: 'koboldcpp' },
  // modules/api/script.py and models.py; it lists nothing until a model is loaded.
  {
    kind: 'text-generation-webui',
    name: 'text-generation-webui',
    ports: [5000],
    api: 'openai-chat',
    question: { path: '/v1/internal/model/info', field: 'model_name' },
  },
  // https://lmstudio.ai/docs/developer/rest/endpoints: types, windows and abilities; since 0.3.6.
  {
    kind: 'lm-studio',
    name: 'LM Studio',
    ports: [1234],
    api: 'openai-chat',
    owner: 'organization_owner',
    question: { path: '/api/v0/models', field: 'type' },
    listsThere: true,
  },
  // core/http/endpoints/openai/list_capabilities.go; /v1/models has ids alone.
  {
    kind: 'localai',
    name: 'LocalAI',
    ports: [8080],
    api: 'openai-chat',
    question: { path: '/v1/models/capabilities', field: 'capabilities' },
    listsThere: true,
  },
  // mlx_lm/server.py has next to nothing else; after all others with that port, which have this, too.
  {
    kind: 'mlx',
    name: 'MLX',
    ports: [8080],
    api: 'openai-chat',
    question: { path: '/health', field: 'status' },
  },
  // https://jan.ai/docs/local-api; it wants a key until its settings say otherwise.
  { kind: 'jan', name: 'Jan', ports: [1337], api: 'openai-chat' },
  // https://docs.ollama.com/api; only its own API can be asked for a window.
  { kind: 'ollama', name: 'Ollama', ports: [11434], api: 'ollama-chat' },
  // A gateway steps aside for Ollama and others.
  { kind: 'dragoman', name: 'Dragoman', ports: [11434, 11435, 11436, 11437], api: 'openai-chat' },
];

/** Where clients of Ollama find it, by the variable `OLLAMA_HOST` as Ollama itself reads it; empty means the default. */
export function ollamaAddress(host: string): string {
  const given = host.trim();
  if (given === '') return 'http://127.0.0.1:11434';
  const hasScheme = given.includes('://');
  // A port alone, and one without a port, are both names of a place.
  const text = hasScheme ? given : `http://${given.startsWith(':') ? `127.0.0.1${given}` : given}`;
  if (!URL.canParse(text)) return 'http://127.0.0.1:11434';
  const url = new URL(text);
  if (url.port === '' && !hasScheme) url.port = '11434';
  // What a server listens on is not where it is asked.
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  return url.origin;
}
