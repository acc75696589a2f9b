// A table: vendors of models whose API we speak, by the environment variable that commonly holds their key.

export interface Vendor {
  /** What its upstream is called. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** The first that is set holds the key. */
  readonly keys: readonly string[];
  readonly baseUrl: string;
  /** An upstream wire's id. */
  readonly api: string;
  /** A variable that sends the vendor's own programs elsewhere: where it is set, the key is perhaps not the vendor's. */
  readonly elsewhere?: string;
}

export const vendors: readonly Vendor[] = [
  // https://platform.openai.com/docs/api-reference
  {
    id: 'openai',
    name: 'OpenAI',
    keys: ['OPENAI_API_KEY'],
    baseUrl: 'https://api.openai.com/v1',
    api: 'openai-chat',
    elsewhere: 'OPENAI_BASE_URL',
  },
  // https://docs.claude.com/en/api/overview
  {
    id: 'anthropic',
    name: 'Anthropic',
    keys: ['ANTHROPIC_API_KEY'],
    baseUrl: 'https://api.anthropic.com/v1',
    api: 'anthropic-messages',
    elsewhere: 'ANTHROPIC_BASE_URL',
  },
  // https://openrouter.ai/docs/api-reference/overview
  {
    id: 'openrouter',
    name: 'OpenRouter',
    keys: ['OPENROUTER_API_KEY'],
    baseUrl: 'https://openrouter.ai/api/v1',
    api: 'openai-chat',
  },
  // https://ai.google.dev/gemini-api/docs/openai, and /docs/api-key for the variables
  {
    id: 'gemini',
    name: 'Gemini',
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    api: 'openai-chat',
  },
  // https://docs.mistral.ai/api
  {
    id: 'mistral',
    name: 'Mistral',
    keys: ['MISTRAL_API_KEY'],
    baseUrl: 'https://api.mistral.ai/v1',
    api: 'openai-chat',
  },
  // https://console.groq.com/docs/openai
  { id: 'groq', name: 'Groq', keys: ['GROQ_API_KEY'], baseUrl: 'https://api.groq.com/openai/v1', api: 'openai-chat' },
  // https://api-docs.deepseek.com
  {
    id: 'deepseek',
    name: 'DeepSeek',
    keys: ['DEEPSEEK_API_KEY'],
    baseUrl: 'https://api.deepseek.com/v1',
    api: 'openai-chat',
  },
  // https://docs.x.ai/docs/api-reference
  { id: 'xai', name: 'xAI', keys: ['XAI_API_KEY'], baseUrl: 'https://api.x.ai/v1', api: 'openai-chat' },
  // https://docs.together.ai/docs/openai-api-compatibility
  {
    id: 'together',
    name: 'Together',
    keys: ['TOGETHER_API_KEY'],
    baseUrl: 'https://api.together.xyz/v1',
    api: 'openai-chat',
  },
  // https://docs.fireworks.ai/tools-sdks/openai-compatibility
  {
    id: 'fireworks',
    name: 'Fireworks',
    keys: ['FIREWORKS_API_KEY'],
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    api: 'openai-chat',
  },
  // https://inference-docs.cerebras.ai/resources/openai
  {
    id: 'cerebras',
    name: 'Cerebras',
    keys: ['CEREBRAS_API_KEY'],
    baseUrl: 'https://api.cerebras.ai/v1',
    api: 'openai-chat',
  },
];
