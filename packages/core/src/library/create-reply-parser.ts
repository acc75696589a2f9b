import { type CallIdSource, SpanWriter } from '../calls/span-writer.ts';
import { BlockWriter } from '../chat/block-writer.ts';
import type { ChatEvent } from '../chat/event.ts';
import { type CollectedMessage, ReplyCollection } from '../chat/reply-collection.ts';
import type { ToolCall } from '../chat/tool.ts';
import { refuse } from '../check-value.ts';
import type { DialectParser, ParseContext } from '../dialects/dialect.ts';
import { DragomanError } from '../errors.ts';
import { randomHex } from '../random-hex.ts';
import { runStage, type Sink, type StageFactory } from '../stream/stage.ts';
import { checkReading, checkText } from './check-reading.ts';

/** How a text is to be read: the declared tools, and what else a parser may decide by. */
export interface ReadingOptions extends ParseContext {
  /** The dialect that the model writes. */
  readonly dialect: DialectParser;
  /** The conversation that the reply goes on with, made by `conversationOf`. Default: none, and ids of calls say nothing. */
  readonly conversation?: ReplyConversation;
}

/** What makes a reply part of a conversation: what gives its calls their ids, and a sink for its events before `sink`. */
export type ReplyConversation = (
  sink: Sink<ChatEvent>,
  read: { readonly dialect: DialectParser; readonly context: ParseContext },
) => { readonly callIds: CallIdSource; readonly sink: Sink<ChatEvent> };

const ownIds: CallIdSource = { mint: () => `call_${randomHex(24)}`, remember: () => {} };

/**
 * Reads one reply of a text model as it arrives: text in, chat events out, the same whatever the cuts. `end()` ends the reply
 * well; `end(cut)` says that it stopped short, and ends with `error`. Never throws because of what the model wrote; throws
 * DragomanError `config-invalid`, with the name and what is possible, for options that would not do what they say, and in `push`
 * for what is no text.
 */
export function createReplyParser(options: ReadingOptions): StageFactory<string, ChatEvent> {
  checkReading(options);
  const { dialect, conversation, ...context } = options;
  if (conversation === undefined && context.policy?.reasoning === 'fire') {
    refuse('policy.reasoning', 'fire', 'give the option conversation, too.');
  }
  return (sink) => {
    const to = conversation?.(sink, { dialect, context }) ?? { callIds: ownIds, sink };
    const writer = new BlockWriter(to.sink);
    const spans = new SpanWriter(writer, to);
    const parser = dialect.createParser(context)((span) => spans.write(span));
    writer.start(randomHex(24), dialect.id);
    return {
      // After the end comes nothing: exactly one terminal event is the last.
      push: (text) => {
        checkText(text);
        if (!writer.ended) parser.push(text);
      },
      end: (cut) => {
        if (writer.ended) return;
        parser.end(cut);
        if (cut === undefined) writer.end(spans.finishReason);
        else writer.fail(cut);
      },
    };
  };
}

/**
 * Everything in a whole reply: its text without the calls, its reasoning, all calls in order, and what was repaired or
 * left as text. A whole reply is a collected stream, so this says what `createReplyParser` says.
 */
export function parseAllToolCalls(text: string, options: ReadingOptions): CollectedMessage {
  const reply = new ReplyCollection();
  for (const event of runStage(createReplyParser(options), [text])) reply.take(event);
  return reply.message();
}

/** Only the calls of a whole reply, in order. Those that broke off are not among them. */
export function parseToolCalls(text: string, options: ReadingOptions): readonly ToolCall[] {
  return parseAllToolCalls(text, options).calls;
}

/**
 * The events of a reply whose text comes in pieces, each as soon as it is certain. Exactly one terminal event comes last:
 * where `pieces` throws it is `error`, after everything that was read till then, and its `cause` is what was thrown; so it is
 * where a piece is no text (`config-invalid`).
 * Whoever stops reading stops `pieces`, too.
 */
export async function* parseStream(
  pieces: AsyncIterable<string> | Iterable<string>,
  options: ReadingOptions,
): AsyncGenerator<ChatEvent, void, undefined> {
  let events: ChatEvent[] = [];
  const parser = createReplyParser(options)((event) => events.push(event));
  const letOut = (): readonly ChatEvent[] => {
    const out = events;
    events = [];
    return out;
  };
  let cut: DragomanError | undefined;
  try {
    for await (const piece of pieces) {
      parser.push(piece);
      yield* letOut();
    }
  } catch (thrown) {
    cut = isMistake(thrown) ? thrown : textStopped(thrown);
  }
  parser.end(cut);
  yield* letOut();
}

/** What the caller has to change. */
function isMistake(thrown: unknown): thrown is DragomanError {
  return thrown instanceof DragomanError && thrown.code === 'config-invalid';
}

function textStopped(cause: unknown): DragomanError {
  return new DragomanError('upstream-cut', 'The text stopped before the reply was finished.', { cause });
}

/**
 * The same as a web stream, for `pipeThrough`. Where the stream of text fails, this one fails with it, and what was held
 * back is lost: `parseStream` delivers it.
 */
export function createParserStream(options: ReadingOptions): TransformStream<string, ChatEvent> {
  let parser: ReturnType<StageFactory<string, ChatEvent>> | undefined;
  return new TransformStream({
    start: (controller) => {
      parser = createReplyParser(options)((event) => controller.enqueue(event));
    },
    transform: (piece) => parser?.push(piece),
    flush: () => parser?.end(),
  });
}
