export * from './chat/chat.ts';
export * from './chat/message.ts';
export { type ChatReading, readChat } from './chat/migrate-chat.ts';
export { fromOpenaiMessages, type OpenaiCall, type OpenaiMessage, toOpenaiMessages } from './chat/openai-form.ts';
export { pairCalls } from './chat/pair-calls.ts';
export { type MessageReading, readMessage } from './chat/read-message.ts';
export { withoutStateLines } from './chat/state-lines.ts';
export type * from './loop/events.ts';
export type { Model, RequestSettings } from './loop/model.ts';
export type { CallResult } from './loop/run-call.ts';
export { runTask, type TaskOptions } from './loop/run-task.ts';
export * from './prompt/build-prompt.ts';
export { Session, type SessionOptions, type TaskRequest } from './session.ts';
export { ChangeLog } from './store/change-log.ts';
export { ChatError, type ChatErrorCode } from './store/chat-error.ts';
export {
  type ChatChange,
  ChatStore,
  type ChatStoreOptions,
  type FoundChat,
  type ListedChat,
} from './store/chat-store.ts';
export { type FileStat, type Files, MemoryFiles } from './store/files.ts';
export { keepFacts } from './store/kept-facts.ts';
export { ToolRegistry, withoutNamesakes } from './tools/registry.ts';
export type * from './tools/tool.ts';
export { createVaultTools } from './tools/vault-tools.ts';
export {
  type AskConsent,
  type CallProposal,
  type Change,
  type ChangeRequest,
  type Decision,
  diffOf,
  type FileProposal,
  type Proposal,
} from './vault/change.ts';
export { confinedPath, foldedPath, startsWithDot } from './vault/confined-path.ts';
export { MemoryVault } from './vault/memory-vault.ts';
export { createReadView, type ReadView } from './vault/read-view.ts';
export { ToolFault, type Vault, type VaultEntry } from './vault/vault.ts';
export { type GateOutcome, WriteGate, type WriteGateOptions } from './vault/write-gate.ts';
export { type Activity, type ActivityStatus, activitiesOf, activityText } from './view/activity.ts';
export { Batch } from './view/batch.ts';
export { chatMarkdown } from './view/chat-markdown.ts';
export { crowdedByToolsText, cureOf, endText, errorText } from './view/end-text.ts';
export { isAtBottom, type ScrollMeasure, ScrollRule } from './view/scroll-rule.ts';
