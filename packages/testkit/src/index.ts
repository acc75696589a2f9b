export { type Finding, findingsOf, mergeFindings } from './cases/finding.ts';
export { type CasePage, type ParseCase, readCasePage } from './cases/read-case-page.ts';
export { readFinding, writeFinding } from './cases/read-finding.ts';
export { readTools } from './cases/read-tools.ts';
export { checkCase, cutShort, runCases } from './cases/run-cases.ts';
export { type AiSdkTurn, collectAsAiSdk } from './clients/ai-sdk-collector.ts';
export { type AnthropicGrammarOptions, anthropicViolations } from './clients/anthropic-grammar.ts';
export { type CopilotTurn, collectAsCopilot } from './clients/copilot-collector.ts';
export { type CopilotOllamaDiscovery, type CopilotOllamaModel, discoverAsCopilot } from './clients/copilot-ollama.ts';
export { type OllamaChatGrammarOptions, ollamaChatViolations } from './clients/ollama-chat-grammar.ts';
export { collectAsOllama, type OllamaTurn } from './clients/ollama-collector.ts';
export { type OpenaiChatGrammarOptions, openaiChatViolations } from './clients/openai-chat-grammar.ts';
export { type OpenresponsesGrammarOptions, openresponsesViolations } from './clients/openresponses-grammar.ts';
export { loadOpenresponsesSchema, type OpenresponsesSchema } from './clients/openresponses-schema.ts';
export { describeDialect } from './conformance/dialect-conformance.ts';
export { type Cuts, cutText, everySingleCut, nameCuts } from './cutters/cut-text.ts';
export { randomInteger, seededRandom } from './cutters/seeded-random.ts';
export { chatRequest } from './requests/chat-request.ts';
export {
  type ChatStreamOptions,
  chatFrames,
  chatMessage,
  chatStream,
  errorReply,
  jsonReply,
  type ScriptedReply,
  type Step,
} from './upstreams/scripted-reply.ts';
export {
  type NextReply,
  type ScriptedUpstream,
  type ScriptedUpstreamOptions,
  type SeenRequest,
  startScriptedUpstream,
} from './upstreams/scripted-upstream.ts';
