export { type AiSdkTurn, collectAsAiSdk } from './clients/ai-sdk-collector.ts';
export { type CopilotTurn, collectAsCopilot } from './clients/copilot-collector.ts';
export { type CopilotOllamaDiscovery, type CopilotOllamaModel, discoverAsCopilot } from './clients/copilot-ollama.ts';
export { collectAsOllama, type OllamaTurn } from './clients/ollama-collector.ts';
export type { Departure, Level } from './departures.ts';
export { type AnthropicGrammarOptions, anthropicViolations } from './grammars/anthropic-grammar.ts';
export { type OllamaChatGrammarOptions, ollamaChatViolations } from './grammars/ollama-chat-grammar.ts';
export { type OpenaiChatGrammarOptions, openaiChatViolations } from './grammars/openai-chat-grammar.ts';
export { type OpenresponsesGrammarOptions, openresponsesViolations } from './grammars/openresponses-grammar.ts';
