// The entry `@dragoman/core/parse`: reads and writes text for dialects that are handed in, and nothing else is loaded.

export { type CollectedMessage, collect } from './chat/collect.ts';
export type { ChatEvent, FinishReason } from './chat/event.ts';
export type * from './chat/message.ts';
export { textOf } from './chat/message.ts';
export type * from './chat/tool.ts';
export type { Warning, WarningCode } from './chat/warning.ts';
export type * from './dialects/dialect.ts';
export { asDialect } from './dialects/render/render-table.ts';
export type { TableParser } from './dialects/table/table-dialect.ts';
export { DragomanError, type ErrorCode } from './errors.ts';
export { type ConversationOptions, conversationOf } from './library/conversation-of.ts';
export {
  createParserStream,
  createReplyParser,
  parseAllToolCalls,
  parseStream,
  parseToolCalls,
  type ReadingOptions,
  type ReplyConversation,
} from './library/create-reply-parser.ts';
export type { Conversation, RenderingOptions } from './library/options.ts';
export { renderMessages } from './library/render-messages.ts';
export type { TextMessages } from './prepare/render-history.ts';
export type { CallIdStore } from './stores/call-id-store.ts';
export { MemoryCallIdStore } from './stores/memory-call-id-store.ts';
export { runStage, type Sink, type Stage, type StageFactory } from './stream/stage.ts';
