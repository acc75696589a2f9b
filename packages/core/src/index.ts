export { closeArguments } from './arguments/close-arguments.ts';
export { checkEvents, violationsOf } from './chat/check-events.ts';
export { type CollectedMessage, collect } from './chat/collect.ts';
export type { ChatEvent, FinishReason, Usage } from './chat/event.ts';
export { EventWriter } from './chat/event-writer.ts';
export { type Issue, type IssueCode, issueCodes } from './chat/issue.ts';
export type * from './chat/message.ts';
export { textOf } from './chat/message.ts';
export { replay } from './chat/replay.ts';
export type { ChatRequest, OutputFormat, Sampling } from './chat/request.ts';
export type * from './chat/tool.ts';
export { type Checks, checkOptions, refuse } from './check-value.ts';
export type * from './dialects/dialect.ts';
export { type DialectFacts, dialectFacts } from './dialects/dialect-facts.ts';
export { alsoReadBy, type DialectSample, dialectSample } from './dialects/dialect-sample.ts';
export type {
  ExplainedReply,
  ExplainedStretch,
  StretchFate,
} from './dialects/explain-reply.ts';
export { formSources } from './dialects/form-sources.ts';
export {
  type ResponseTemplateReading,
  readResponseTemplate,
} from './dialects/kit/response-template/read-response-template.ts';
export { checkTable, type TableProblem } from './dialects/kit/table/check-table.ts';
export { defineTable } from './dialects/kit/table/define-table.ts';
export type * from './dialects/kit/table/dialect-table.ts';
export { dialectOfModel, type KnownModel, knownModels, taughtDialect } from './dialects/models.ts';
export { anyDialect, commonestFirst, readAny } from './dialects/read-any.ts';
export type { FoundCall, RecognitionContext } from './dialects/recognise-dialect.ts';
export { type DialectId, dialects } from './dialects/registry.ts';
export { createDirect, type Direct, type DirectOptions } from './direct/direct.ts';
export { type OpenServer, openServer, type ServerAccess } from './direct/open-server.ts';
export { answer } from './engine/answer.ts';
export type * from './engine/answer-sink.ts';
export { type AskOptions, askJson } from './engine/ask-json.ts';
export { CallIds, nativeIdsIn, storableIdsIn, wireIdsIn } from './engine/call-ids.ts';
export { signatureOf } from './engine/call-signature.ts';
export { nativeIdOf } from './engine/carried-ids.ts';
export { textRuleChecks } from './engine/check-text-rule.ts';
export { countRequestTokens, type TokenCount } from './engine/count-request.ts';
export { type ExplainedConversation, type Explanation, explain } from './engine/explain.ts';
export { defaultModelOf, findModel, listModels, type ModelEntry } from './engine/models.ts';
export { writeOpenaiModel } from './engine/openai-model.ts';
export { createParse, parseContextOf } from './engine/parse.ts';
export { checkBodyCounts, type Plan, planRequest } from './engine/plan.ts';
export { type PreparedRequest, prepareRequest } from './engine/prepare.ts';
export type * from './engine/relay.ts';
export { createSettle, type SettleOptions } from './engine/settle.ts';
export type * from './engine/setup.ts';
export { askTextModel, type TextModelOptions, type TextModelTurn, type TextRule } from './engine/text-model.ts';
export { type ToldModel, tellModel } from './engine/told-model.ts';
export type * from './engine/transport.ts';
export { TurnQueue, type TurnRules } from './engine/turn-queue.ts';
export { type ExchangeWatch, watchBoth } from './engine/watch-exchange.ts';
export {
  type Blame,
  DragomanError,
  type DragomanErrorOptions,
  type ErrorCode,
  errorKinds,
  toDragomanError,
} from './errors.ts';
export { findMisfit, type Misfit, misfitWords } from './fitting/find-misfit.ts';
export { decodeText } from './framing/decode-text.ts';
export { exactly, jsonOf, parseJson } from './framing/exact-json.ts';
export { deepestJson, excessOf, nestsTooDeeply } from './framing/json-depth.ts';
export { JsonText, writeJson } from './framing/json-text.ts';
export { decodeNdjson } from './framing/ndjson-decoder.ts';
export { defaultMaxFrame, type FrameLimit } from './framing/split-lines.ts';
export { decodeSse, parseSse, type SseFrame } from './framing/sse-decoder.ts';
export { encodeSse, encodeSseComment } from './framing/sse-encoder.ts';
export {
  type CallCheck,
  type ClientTag,
  clientTags,
  createParserStream,
  createReplyParser,
  explainReply,
  extractInjectedSystem,
  findCalls,
  findClientTags,
  findDialect,
  formatToolResults,
  injectSystemIntoUserMessage,
  type NamedDialect,
  parseAllToolCalls,
  parseStream,
  parseToolCalls,
  type ReadingOptions,
  type RenderingOptions,
  readClientTags,
  readTurn,
  recogniseDialect,
  renderMessages,
  renderToolDoc,
  type TaggedPiece,
  type TaggedText,
  type ToolDocForm,
  type Turn,
  transformToolsToXML,
  validateToolCall,
  validateToolResults,
} from './library.ts';
export { type History, readHistory } from './lineage/decide-lineage.ts';
export {
  type Prompts,
  type PromptTemplate,
  type PromptValues,
  type PromptVariable,
  promptTemplates,
  promptVariables,
  requiredVariables,
  type TemplateName,
} from './plan/prompt-template.ts';
export type * from './plan/rules.ts';
export {
  callPolicyWords,
  defaultCallPolicy,
  defaultModelRule,
  finalAnswerWords,
  nudgedAnswers,
  resultWords,
  ruleWords,
} from './plan/rules.ts';
export type { PromptNotes } from './prompting/prompt-notes.ts';
export { shortSystemText } from './prompting/system-field.ts';
export type { Conversation } from './render-messages.ts';
export { run, type Sink, type Stage, type StageFactory, through } from './stage.ts';
export type { CallIdStore, ForeignId } from './stores/call-id-store.ts';
export type {
  ConversationPoint,
  ConversationStore,
  FoundPoints,
  KnownPoint,
  Standing,
} from './stores/conversation-store.ts';
export type { FactStore, ModelFacts, ModelKey } from './stores/fact-store.ts';
export { MemoryCallIdStore } from './stores/memory-call-id-store.ts';
export { MemoryConversationStore } from './stores/memory-conversation-store.ts';
export { type KeptFacts, MemoryFactStore, nameOfModel } from './stores/memory-fact-store.ts';
export { MemoryResponseStore } from './stores/memory-response-store.ts';
export type { ResponseStore, StoredResponse } from './stores/response-store.ts';
export { type FindOptions, type FoundServer, findServers, identifyServer } from './upstreams/find-servers.ts';
export { callIdsOfHost, isVendor, pathOfHost, quirksOfModel, wireOfAddress } from './upstreams/known-hosts.ts';
export { type LocalServer, localServers, ollamaAddress, type ServerKind } from './upstreams/local-servers.ts';
export { mostModels, readList } from './upstreams/read-list.ts';
export { retryAfterOf } from './upstreams/retry-after.ts';
export { isNearby, silencesOf } from './upstreams/silences.ts';
export { type Vendor, vendors } from './upstreams/vendors.ts';
export {
  anthropicMessagesClient,
  anthropicMessagesUpstream,
  createAnthropicMessagesClient,
  createAnthropicMessagesUpstream,
} from './wires/anthropic-messages/index.ts';
export { anthropicMessagesQuirks } from './wires/anthropic-messages/quirks.ts';
export { type CallIdFormName, callIdForms } from './wires/call-id-forms.ts';
export {
  type ConversationDescription,
  createConversationUpstream,
  type RequestTemplate,
} from './wires/conversation/index.ts';
export {
  createOllamaChatUpstream,
  ollamaChatClient,
  ollamaChatUpstream,
  ollamaGenerateClient,
} from './wires/ollama-chat/index.ts';
export { ollamaChatQuirks } from './wires/ollama-chat/quirks.ts';
export {
  createOpenaiChatClient,
  createOpenaiChatUpstream,
  openaiChatClient,
  openaiChatUpstream,
} from './wires/openai-chat/index.ts';
export { openaiChatQuirks } from './wires/openai-chat/quirks.ts';
export { openaiCompletionsClient, openaiCompletionsUpstream } from './wires/openai-completions/index.ts';
export { openaiCompletionsQuirks } from './wires/openai-completions/quirks.ts';
export { createOpenaiResponsesCompaction } from './wires/openai-responses/compaction.ts';
export {
  createOpenaiResponsesClient,
  createOpenaiResponsesUpstream,
  type OpenaiResponsesClientOptions,
  openaiResponsesClient,
  openaiResponsesUpstream,
} from './wires/openai-responses/index.ts';
export { inputItems, type LookUps, lookUpsOf } from './wires/openai-responses/look-ups.ts';
export { openaiResponsesQuirks } from './wires/openai-responses/quirks.ts';
export {
  readSocketMessage,
  type SocketError,
  type SocketMessage,
  writeSocketError,
} from './wires/openai-responses/socket-messages.ts';
export type { WireResponse } from './wires/openai-responses/types.ts';
export { isBackground } from './wires/openai-responses/write-response.ts';
export {
  createQwenChatUpstream,
  type QwenChatSettings,
  qwenChatDefaults,
  qwenChatUpstream,
} from './wires/qwen-chat/index.ts';
export { clientWires, describedWires, upstreamWires } from './wires/registry.ts';
export type { JsonPath } from './wires/value-at.ts';
export type * from './wires/wire.ts';
