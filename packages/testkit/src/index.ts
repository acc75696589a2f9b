// The checkers of streams and the models of clients, which also ship with the command; tests find them here.
export * from '@dragoman/conformance';
export { casesOf, type PlacedCase } from './cases/cases-of.ts';
export { type Finding, findingsOf, mergeFindings } from './cases/finding.ts';
export { type CasePage, type ParseCase, readCasePage } from './cases/read-case-page.ts';
export { readFinding, writeFinding } from './cases/read-finding.ts';
export { readTools } from './cases/read-tools.ts';
export { checkCase, cutShort, runCases, titleOf } from './cases/run-cases.ts';
export { exceptedIn, isAbout, sharedPages, singleCases } from './cases/shared-cases.ts';
export { checkEvents, violationsOf } from './check-events.ts';
export { loadOpenresponsesSchema, type OpenresponsesSchema } from './clients/openresponses-schema.ts';
export { countSteps, growthOf } from './conformance/count-steps.ts';
export { type CallIdStores, describeCallIdStore } from './conformance/describe-call-id-store.ts';
export {
  type ConversationStores,
  conversationPointOf,
  describeConversationStore,
  pointsUnder,
} from './conformance/describe-conversation-store.ts';
export { neededParts } from './conformance/describe-parts.ts';
export { describeResponseStore, storedResponseOf } from './conformance/describe-response-store.ts';
export { describeTables } from './conformance/describe-tables.ts';
export { describeDialect } from './conformance/dialect-conformance.ts';
export { type Cuts, cutText, everySingleCut, nameCuts } from './cutters/cut-text.ts';
export { randomInteger, seededRandom } from './cutters/seeded-random.ts';
export { anySample, awkward, type Sample } from './gbnf/any-sample.ts';
export { Grammar } from './gbnf/gbnf.ts';
export { isDrawn, isWhole, runs, sample, sized } from './how-much.ts';
export { numberMintedIds } from './number-minted-ids.ts';
export { chatRequest } from './requests/chat-request.ts';
export { anyTable } from './tables/any-table.ts';
export { bareTables, exampleTables } from './tables/example-tables.ts';
export { type ChatPlatform, startChatPlatform } from './upstreams/chat-platform.ts';
export {
  createPlatform,
  type Platform,
  type PlatformOptions,
  type PlatformQuestion,
  type PlatformTurn,
} from './upstreams/platform.ts';
export { type PlatformFault, pageWords } from './upstreams/platform-faults.ts';
export { type QwenChat, type QwenChatOptions, type QwenTurn, startQwenChat } from './upstreams/qwen-chat.ts';
export {
  type ChatStreamOptions,
  type CompletionOptions,
  chatFrames,
  chatMessage,
  chatStream,
  completionMessage,
  completionStream,
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
