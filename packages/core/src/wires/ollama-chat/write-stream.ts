import { collect } from '../../chat/collect.ts';
import type { ChatEvent, FinishReason, Usage } from '../../chat/event.ts';
import type { ToolCall } from '../../chat/tool.ts';
import type { DragomanError } from '../../errors.ts';
import { compactJson } from '../../json/compact-json.ts';
import type { Sink, StageFactory } from '../../stream/stage.ts';
import { finishWithoutCalls } from '../finish-reasons.ts';
import { ReplyWriter } from '../reply-writer.ts';
import type { ReplyContext } from '../wire.ts';
import type { Surface } from './types.ts';

/**
 * Chat events as the lines of `/api/chat` or `/api/generate`. Each output is one whole line.
 *
 * A call leaves when it is whole, as its arguments are an object here; one that was cut never shows. The last line says
 * `done` with counts and durations, or it is an error, never both.
 */
export function createStreamWriter(context: ReplyContext, surface: Surface): StageFactory<ChatEvent, string> {
  return (sink) => new StreamWriter(sink, context, surface);
}

/** A line that shows nothing. Clients parse every line, blank ones too, so a comment or an empty line won't do. */
export function writeKeepAlive(context: ReplyContext, surface: Surface): string {
  return new LineWriter(context, surface).part({});
}

class StreamWriter extends ReplyWriter {
  readonly #lines: LineWriter;
  #call: { readonly callId: string; readonly name: string } | undefined;
  #wholeCalls = 0;
  #firstAt: number | undefined;

  constructor(sink: Sink<string>, context: ReplyContext, surface: Surface) {
    super(sink, context);
    this.#lines = new LineWriter(context, surface);
  }

  protected override text(text: string): void {
    if (text !== '') this.#part({ text });
  }

  protected override reasoning(reasoning: string): void {
    if (reasoning !== '') this.#part({ reasoning });
  }

  protected override beginCall({ callId, name }: { readonly callId: string; readonly name: string }): void {
    this.#call = { callId, name };
  }

  protected override endCall(json: string): void {
    if (this.#call === undefined) return;
    this.#part({ calls: [writeCall({ ...this.#call, arguments: json }, this.#wholeCalls)] });
    this.#call = undefined;
    this.#wholeCalls += 1;
  }

  protected override cutCall(): void {
    this.#call = undefined;
  }

  protected override finish({ finishReason: reason }: { readonly finishReason: FinishReason }): void {
    this.sink(this.#lines.last({}, { reason, usage: this.usage, firstAt: this.#firstAt }));
  }

  protected override fail(error: DragomanError): void {
    this.sink(`${JSON.stringify(writeError(error))}\n`);
  }

  #part(content: LineContent): void {
    this.#firstAt ??= this.context.elapsed?.();
    this.sink(this.#lines.part(content));
  }
}

/** What a line shows of the reply. */
interface LineContent {
  readonly text?: string;
  readonly reasoning?: string;
  /** Calls as `writeCall` writes them. */
  readonly calls?: readonly string[];
}

/** What the last line tells besides. */
interface Ending {
  readonly reason: FinishReason;
  /** Absent when nobody counted: then the line has no counts rather than wrong ones. */
  readonly usage: Usage | undefined;
  /** Milliseconds from the request to the first thing to see; absent when that is not known. */
  readonly firstAt: number | undefined;
}

/**
 * Writes the lines of one reply, each with its end. A line is made of JSON text, not of values: arguments are in it as
 * objects and still keep the digits of their numbers.
 */
class LineWriter {
  readonly #context: ReplyContext;
  readonly #surface: Surface;
  readonly #head: string;

  constructor(context: ReplyContext, surface: Surface) {
    this.#context = context;
    this.#surface = surface;
    const created = new Date(context.created * 1000).toISOString();
    this.#head = JSON.stringify({ model: context.request.model, created_at: created }).slice(0, -1);
  }

  /** A line before the last. */
  part(content: LineContent): string {
    return `${this.#head},${this.#content(content)},"done":false}\n`;
  }

  last(content: LineContent, ending: Ending): string {
    const fields = JSON.stringify({ done_reason: finishWithoutCalls(ending.reason), ...this.#metrics(ending) });
    return `${this.#head},${this.#content(content)},"done":true,${fields.slice(1)}\n`;
  }

  #content({ text = '', reasoning = '', calls = [] }: LineContent): string {
    const thinking = reasoning === '' ? '' : `,"thinking":${JSON.stringify(reasoning)}`;
    const toolCalls = calls.length === 0 ? '' : `,"tool_calls":[${calls.join(',')}]`;
    const rest = `${JSON.stringify(text)}${thinking}${toolCalls}`;
    return this.#surface === 'generate' ? `"response":${rest}` : `"message":{"role":"assistant","content":${rest}}`;
  }

  /** Durations are nanoseconds. Clients divide by that of the answer, so it is never zero. */
  #metrics({ usage, firstAt }: Ending): Readonly<Record<string, number>> {
    const total = this.#context.elapsed?.();
    const prompt = Math.min(firstAt ?? 0, total ?? 0);
    return {
      ...(total === undefined ? {} : { total_duration: nanoseconds(total), load_duration: 0 }),
      ...(usage === undefined ? {} : { prompt_eval_count: usage.inputTokens }),
      ...(total === undefined ? {} : { prompt_eval_duration: nanoseconds(prompt) }),
      ...(usage === undefined ? {} : { eval_count: usage.outputTokens }),
      ...(total === undefined ? {} : { eval_duration: nanoseconds(total - prompt) }),
    };
  }
}

/** A whole call. Newer servers number calls and give them ids; older clients pass over both. */
function writeCall(call: ToolCall, index: number): string {
  const { callId, name } = call;
  const json = compactJson(call.arguments);
  return `{"id":${JSON.stringify(callId)},"function":{"index":${index},"name":${JSON.stringify(name)},"arguments":${json}}}`;
}

function nanoseconds(milliseconds: number): number {
  return Math.max(1, Math.round(milliseconds * 1e6));
}

/** A whole answer out of its events, as JSON text: one last line that also says everything before it. */
export function writeMessage(events: readonly ChatEvent[], context: ReplyContext, surface: Surface): string {
  const { text, reasoning, calls, usage, finishReason } = collect(events);
  const line = new LineWriter(context, surface).last(
    { text, reasoning, calls: calls.map(writeCall) },
    { reason: finishReason ?? 'length', usage, firstAt: undefined },
  );
  return line.slice(0, -1);
}

/**
 * The body of an error answer, and the last line of a stream that broke. Clients show the string as it is, so the id under
 * which the log holds the error is beside it.
 */
export function writeError(error: DragomanError): { readonly error: string; readonly error_id?: string } {
  return { error: error.message, ...(error.errorId === undefined ? {} : { error_id: error.errorId }) };
}
