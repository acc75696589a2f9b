import { dialects } from '@dragoman/core/dialects';
import {
  type ChatEvent,
  collect,
  createParserStream,
  type ParseContext,
  parseAllToolCalls,
  parseStream,
  renderMessages,
} from '@dragoman/core/parse';

// What a program does with the library wherever it runs: bundled into one script, run there, and compared with Node.

/** A reply to be read; JSON can hold it. */
export interface PlatformCase {
  readonly dialect: string;
  readonly output: string;
  readonly context: ParseContext;
}

/** What was read of each, without the ids, which are random. */
export async function readCases(cases: readonly PlatformCase[]): Promise<readonly unknown[]> {
  const results: unknown[] = [];
  for (const { dialect: id, output, context } of cases) {
    const dialect = dialects.get(id);
    if (dialect === undefined) throw new Error(`There is no dialect ${id}.`);
    const options = { ...context, dialect };
    const whole = parseAllToolCalls(output, options);
    const pieces = piecesOf(output);
    const events: ChatEvent[] = [];
    for await (const event of parseStream(pieces, options)) events.push(event);
    const piped: ChatEvent[] = [];
    await streamOf(pieces).pipeThrough(createParserStream(options)).pipeTo(writingTo(piped));
    const { messages } = renderMessages(
      { messages: [{ role: 'user', content: [{ type: 'text', text: output }] }], tools: context.tools },
      { dialect },
    );
    results.push([contentOf(whole), contentOf(collect(events)), contentOf(collect(piped)), messages]);
  }
  return results;
}

function contentOf({ text, reasoning, calls, warnings, finishReason }: ReturnType<typeof collect>) {
  return { text, reasoning, warnings, finishReason, calls: calls.map(({ name, arguments: json }) => [name, json]) };
}

/** Short enough that markers and pairs of surrogates are cut. */
function piecesOf(text: string): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / 11) }, (_, index) => text.slice(index * 11, index * 11 + 11));
}

function streamOf(pieces: readonly string[]): ReadableStream<string> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

function writingTo(events: ChatEvent[]): WritableStream<ChatEvent> {
  return new WritableStream({ write: (event) => void events.push(event) });
}
