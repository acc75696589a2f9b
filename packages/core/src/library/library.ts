import type { CollectedMessage } from '../chat/collect.ts';
import type { ChatEvent } from '../chat/event.ts';
import type { ToolCall, ToolDefinition } from '../chat/tool.ts';
import { type Check, refuse } from '../check-value.ts';
import type { Dialect, ParseContext } from '../dialects/dialect.ts';
import { taughtDialect } from '../dialects/known-models.ts';
import { type DialectId, dialects } from '../dialects/registry.ts';
import { asDialect } from '../dialects/render/render-table.ts';
import type { TableParser } from '../dialects/table/table-dialect.ts';
import { anyDialect, readAny } from '../dialects/together/read-any.ts';
import {
  type FoundCall,
  findCalls as find,
  type RecognitionContext,
  recogniseDialect as recognise,
} from '../dialects/together/recognise-dialect.ts';
import { DragomanError } from '../errors.ts';
import { SchemaView } from '../json/schema.ts';
import { isKeywords } from '../json/schema-document.ts';
import { nearNames } from '../plan/near-names.ts';
import type { TextMessages } from '../prepare/render-history.ts';
import type { StageFactory } from '../stream/stage.ts';
import { checkContext, checkReading } from './check-reading.ts';
import { dialectCheck } from './check-rendering.ts';
import { checkTools } from './check-tools.ts';
import { type ConversationOptions, conversationChecks, conversationOf } from './conversation-of.ts';
import * as parsing from './create-reply-parser.ts';
import { type ExplainedReply, explainReply as explain } from './explain-reply.ts';
import type * as given from './options.ts';
import * as rendering from './render-messages.ts';

export { transformToolsToXML } from '../dialects/readers/tool-manual.ts';
export type { ToolDocForm } from '../plan/prompt-template.ts';
export {
  type ClientTag,
  readClientTags,
  type TaggedPiece,
  type TaggedText,
} from '../prepare/client-tags.ts';
export { extractInjectedSystem, injectSystemIntoUserMessage } from '../prepare/inject-system.ts';
export { validateToolResults } from '../prepare/match-results.ts';
export { readTurn, type Turn } from '../prepare/read-turn.ts';
export { formatToolResults } from '../prepare/render-results.ts';
export { renderToolDoc } from '../prepare/tool-docs.ts';

/** A dialect: the id of a built-in one, `auto` for all of them, or one of your own. `findDialect` takes ids from elsewhere. */
export type NamedDialect = DialectId | typeof anyDialect | Dialect | TableParser;

/** Options with a dialect that is named. */
type Named<Options extends { readonly dialect: unknown }> = Omit<Options, 'dialect'> & {
  readonly dialect: NamedDialect;
};

/** How a text is to be read, with the dialect by its id or as an object, and in which conversation. */
export type ReadingOptions = Named<Omit<parsing.ReadingOptions, 'conversation'>> & ConversationOptions;

/** How a conversation is to be written, with the dialect by its id or as an object. */
export type RenderingOptions = Named<given.RenderingOptions>;

/** As in `@dragoman/core/parse`. Throws DragomanError `config-invalid` for a dialect that does not exist. */
export function createReplyParser(options: ReadingOptions): StageFactory<string, ChatEvent> {
  return parsing.createReplyParser(reading(options));
}

/** As in `@dragoman/core/parse`. Throws DragomanError `config-invalid` for a dialect that does not exist. */
export function parseAllToolCalls(text: string, options: ReadingOptions): CollectedMessage {
  return parsing.parseAllToolCalls(text, reading(options));
}

/** As in `@dragoman/core/parse`. Throws DragomanError `config-invalid` for a dialect that does not exist. */
export function parseToolCalls(text: string, options: ReadingOptions): readonly ToolCall[] {
  return parsing.parseToolCalls(text, reading(options));
}

/** As in `@dragoman/core/parse`. Throws DragomanError `config-invalid` at once for a dialect that does not exist. */
export function parseStream(
  pieces: AsyncIterable<string> | Iterable<string>,
  options: ReadingOptions,
): AsyncGenerator<ChatEvent, void, undefined> {
  return parsing.parseStream(pieces, reading(options));
}

/** As in `@dragoman/core/parse`. Throws DragomanError `config-invalid` for a dialect that does not exist. */
export function createParserStream(options: ReadingOptions): TransformStream<string, ChatEvent> {
  return parsing.createParserStream(reading(options));
}

/** As in `@dragoman/core/parse`. Throws DragomanError `config-invalid` as well, for a dialect that does not exist. */
export function renderMessages(conversation: given.Conversation, options: RenderingOptions): TextMessages {
  return rendering.renderMessages(conversation, found(options));
}

/**
 * Reads a reply and tells of every character what became of it, with what was repaired where, and why what looks like a
 * call is none. Never throws on what the model wrote; throws DragomanError `config-invalid` for a dialect that does not exist,
 * tools of another shape and a context that would not do what it says.
 */
export function explainReply(text: string, dialect: NamedDialect, context: ParseContext): ExplainedReply {
  return explain(text, findDialect(dialect), checked(context));
}

/** The whole calls that a dialect would deliver of a reply. Throws as `explainReply` does. */
export function findCalls(text: string, dialect: NamedDialect, context: ParseContext): readonly FoundCall[] {
  return find(text, findDialect(dialect), checked(context));
}

/**
 * The dialect that a reply is written in, of the built-in ones and those of `own`: the one that finds the most calls in it,
 * whether or not their tools are declared. Undefined where none finds a call. Throws as `explainReply` does.
 */
export function recogniseDialect(text: string, context: RecognitionContext): Dialect | undefined {
  checkContext(context, 'the context', { own: ownDialects });
  return recognise(text, context);
}

const ownDialects: Check = (value, path) => {
  if (!Array.isArray(value)) refuse(path, value, 'give it a list of Dialects, or leave it out.');
  for (const [at, each] of value.entries()) dialectCheck('a Dialect')(each, `${path}[${at}]`);
};

function checked(context: ParseContext): ParseContext {
  checkContext(context, 'the context');
  return context;
}

/** Whether a call can run, and in one sentence each why not. */
export interface CallCheck {
  readonly valid: boolean;
  readonly errors: readonly string[];
}

/**
 * Checks a call against the declared tools: it names one of them, its arguments are JSON text of an object, and no
 * required parameter is missing. Values are not compared with their schemas. Throws DragomanError `config-invalid` for tools
 * of another shape.
 */
export function validateToolCall(
  call: Pick<ToolCall, 'name' | 'arguments'>,
  tools: readonly ToolDefinition[],
): CallCheck {
  checkTools(tools);
  const errors: string[] = [];
  const tool = tools.find(({ name }) => name === call.name);
  if (call.name === '') errors.push('The call has no name.');
  else if (tool === undefined) errors.push(`There is no tool "${call.name}".`);
  const keys = keysOf(call.arguments);
  if (keys === undefined) errors.push('The arguments are not a JSON object.');
  else if (tool !== undefined) {
    const missing = SchemaView.of(tool.inputSchema).required.filter((name) => !keys.has(name));
    errors.push(...missing.map((name) => `The required parameter "${name}" is missing.`));
  }
  return { valid: errors.length === 0, errors };
}

function keysOf(json: string): ReadonlySet<string> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isKeywords(value) ? new Set(Object.keys(value)) : undefined;
  } catch {
    return undefined;
  }
}

function reading(options: ReadingOptions): parsing.ReadingOptions {
  const all = found(options);
  checkReading(all, conversationChecks);
  const { messages, callIds, escaped, ...others } = all;
  return { ...others, conversation: conversationOf({ messages, callIds, escaped }) };
}

function found<Options extends { readonly dialect: NamedDialect }>(options: Options) {
  // Callers without types may give nothing at all.
  return { ...options, dialect: findDialect(Object(options).dialect) };
}

/**
 * The dialect with this id, or the given one; for `auto`, what most models know is taught, and every form is read. Throws
 * DragomanError `config-invalid`, which names those that there are.
 */
export function findDialect(named: string | Dialect | TableParser): Dialect {
  // Callers without types may name nothing at all.
  if (typeof named === 'object' && named !== null) return asDialect(named);
  if (named === anyDialect) return readAny(findDialect(taughtDialect));
  const dialect = dialects.get(named);
  if (dialect !== undefined) return dialect;
  throw new DragomanError(
    'config-invalid',
    `${noDialect(named)}; there are ${[...dialects.keys()].join(', ')} and ${anyDialect}.`,
  );
}

function noDialect(named: unknown): string {
  if (typeof named !== 'string') return 'The options name no dialect';
  const near = nearNames(named, [...dialects.keys()]).map((id) => `"${id}"`);
  return `There is no dialect "${named}"${near.length === 0 ? '' : `. Near are ${near.join(', ')}`}`;
}
