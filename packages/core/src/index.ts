export { ActiveSet } from './active-set.ts';
export { answer } from './answer.ts';
export { createCallParser, parseContextOf } from './calls/parse-text.ts';
export { searchedCharacters } from './calls/plain-signs.ts';
export { createCallValidator, type ValidateOptions } from './calls/validate.ts';
export { type CollectedMessage, collect } from './chat/collect.ts';
export type { ChatEvent, FinishReason, Usage } from './chat/event.ts';
export { EventWriter } from './chat/event-writer.ts';
export { KnownTexts } from './chat/known-texts.ts';
export type * from './chat/message.ts';
export { textOf } from './chat/message.ts';
export { replayMessage } from './chat/replay.ts';
export type { ChatRequest, OutputFormat, Sampling } from './chat/request.ts';
export type * from './chat/tool.ts';
export type { Warning, WarningCode } from './chat/warning.ts';
export { type Checks, checkOptions, refuse } from './check-value.ts';
export { type History, readHistory } from './conversation/decide-lineage.ts';
export { countRequestTokens, type TokenCount } from './count-request.ts';
export type * from './dialects/dialect.ts';
export { dialectOfModel, type KnownModel, knownModels, taughtDialect } from './dialects/known-models.ts';
export { type DialectId, dialects } from './dialects/registry.ts';
export { asDialect } from './dialects/render/render-table.ts';
export {
  type ResponseTemplateReading,
  readResponseTemplate,
} from './dialects/response-template/read-response-template.ts';
export { checkTable, defineTable } from './dialects/table/define-table.ts';
export type { Fields, Kind } from './dialects/table/fields.ts';
export type { TableDialect, TableParser } from './dialects/table/table-dialect.ts';
export type { TableProblem } from './dialects/table/table-shape.ts';
export type * from './dialects/table.ts';
export { dialectTable } from './dialects/table.ts';
export { alsoReadBy, type DialectSample, dialectSample } from './dialects/together/dialect-sample.ts';
export { anyDialect, commonestFirst, readAny } from './dialects/together/read-any.ts';
export type { FoundCall, RecognitionContext } from './dialects/together/recognise-dialect.ts';
export { type FindOptions, type FoundServer, findServers, identifyServer } from './discovery/find-servers.ts';
export { isVendorOfApi, pathOfHost, quirksOfHost, quirksOfModel, wireOfAddress } from './discovery/known-hosts.ts';
export { type LocalServer, localServers, ollamaAddress, type ServerKind } from './discovery/local-servers.ts';
export { mostModels, readList, retryAfterOf } from './discovery/read-list.ts';
export { isNearby, usualTimeouts } from './discovery/silences.ts';
export { type Vendor, vendors } from './discovery/vendors.ts';
export { type Blame, type ErrorKind, errorKindOf, errorKinds } from './error-kinds.ts';
export { DragomanError, type DragomanErrorOptions, type ErrorCode, toDragomanError } from './errors.ts';
export { type ExplainedConversation, type Explanation, explain } from './explain.ts';
export { closeArguments } from './json/close-arguments.ts';
export { jsonOf, parseBounded, parseJson, rememberNumbers, withExactNumbers } from './json/exact-json.ts';
export { findMisfit, type Misfit, misfitWords } from './json/find-misfit.ts';
export { writeJsonBytes, writtenCharacters } from './json/json-bytes.ts';
export { deepestJson, nestsTooDeeply } from './json/json-depth.ts';
export { JsonText, writeJson } from './json/json-text.ts';
export { callSignature } from './json/long-numbers.ts';
export { textRuleChecks } from './library/check-text-rule.ts';
export { type DialectFacts, dialectFacts } from './library/dialect-facts.ts';
export type { ExplainedRange, ExplainedReply, RangeOutcome } from './library/explain-reply.ts';
export { type KnownForm, knownForms } from './library/known-forms.ts';
export {
  type CallCheck,
  type ClientTag,
  createParserStream,
  createReplyParser,
  explainReply,
  extractInjectedSystem,
  findCalls,
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
} from './library/library.ts';
export type { Conversation, TextRule } from './library/options.ts';
export { askTextModel, type TextModelOptions, type TextModelTurn } from './library/text-model.ts';
export { describeModel, type ModelDescription } from './plan/model-description.ts';
export { defaultModelOf, findModel, listModels, type ModelEntry } from './plan/model-entries.ts';
export { writeOpenaiModel } from './plan/openai-model.ts';
export { acceptedConstraints, checkBodyCounts, type Plan, planRequest } from './plan/plan.ts';
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
export type * from './plan/relay.ts';
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
export type * from './plan/setup.ts';
export { CallIds, nativeIdsIn, storableIdsIn, wireIdsIn } from './prepare/call-ids.ts';
export { nativeIdOf } from './prepare/carried-ids.ts';
export { forgetTexts, rememberedCharacters } from './prepare/escaped-speech.ts';
export type { PromptNotes } from './prepare/prompt-notes.ts';
export { shortSystemText } from './prepare/system-field.ts';
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
export { TurnQueue, type TurnRules } from './stores/turn-queue.ts';
export { decodeNdjson } from './stream/ndjson-decoder.ts';
export { decodeSse, parseSse, type SseFrame } from './stream/sse-decoder.ts';
export { encodeSse } from './stream/sse-encoder.ts';
export { runStage, type Sink, type Stage, type StageFactory, through } from './stream/stage.ts';
export type * from './stream/transport.ts';
export type * from './upstream/answer-sink.ts';
export { type ExchangeWatch, watchBoth } from './upstream/watch-exchange.ts';
export { type PreparedRequest, prepareRequest } from './upstream/write-rendered.ts';
export {
  anthropicMessagesClient,
  anthropicMessagesUpstream,
  createAnthropicMessagesClient,
} from './wires/anthropic-messages/index.ts';
export {
  type ConversationDescription,
  createConversationUpstream,
  type RequestTemplate,
} from './wires/conversation/index.ts';
export {
  ollamaChatClient,
  ollamaChatUpstream,
  ollamaGenerateClient,
} from './wires/ollama-chat/index.ts';
export {
  createOpenaiChatClient,
  openaiChatClient,
  openaiChatUpstream,
} from './wires/openai-chat/index.ts';
export { openaiCompletionsClient, openaiCompletionsUpstream } from './wires/openai-completions/index.ts';
export { createOpenaiResponsesCompaction } from './wires/openai-responses/compaction.ts';
export {
  createOpenaiResponsesClient,
  type OpenaiResponsesClientOptions,
  openaiResponsesClient,
  openaiResponsesUpstream,
} from './wires/openai-responses/index.ts';
export { inputItems, type LookUps, lookUpsOf } from './wires/openai-responses/look-ups.ts';
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
export { createDirectClient, type DirectClient, type DirectClientOptions } from './without-gateway/direct.ts';
export { type OpenServer, openServer, type ServerAccess } from './without-gateway/open-server.ts';
