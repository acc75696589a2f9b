import type { FinishReason, Usage } from '../../chat/event.ts';
import type { ToolCall } from '../../chat/tool.ts';
import { compactJson } from '../../json/compact-json.ts';
import { finishWithoutCalls } from '../finish-without-calls.ts';
import type { ReplyContext } from '../wire.ts';
import type { Surface } from './types.ts';

/** What a line shows of the reply. */
export interface LineContent {
  readonly text?: string;
  readonly reasoning?: string;
  /** Calls as `writeCall` writes them. */
  readonly calls?: readonly string[];
}

/** What the last line tells besides. */
export interface Ending {
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
export class LineWriter {
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
export function writeCall(call: ToolCall, index: number): string {
  const { callId, name } = call;
  const json = compactJson(call.arguments);
  return `{"id":${JSON.stringify(callId)},"function":{"index":${index},"name":${JSON.stringify(name)},"arguments":${json}}}`;
}

function nanoseconds(milliseconds: number): number {
  return Math.max(1, Math.round(milliseconds * 1e6));
}
