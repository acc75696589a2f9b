import { loadOpenresponsesSchema, openresponsesViolations, runs } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../../chat/event.ts';
import { EventWriter } from '../../chat/event-writer.ts';
import { DragomanError } from '../../errors.ts';
import { runStage } from '../../stream/stage.ts';
import type { ReplyContext } from '../wire.ts';
import { readRequest } from './read-request.ts';
import type { WireResponse } from './types.ts';
import { createStreamWriter, type StreamWriterOptions } from './write-stream.ts';

const schema = loadOpenresponsesSchema();

function contextOf(fields: object = {}): ReplyContext {
  return { request: readRequest({ model: 'm', input: 'Hi', ...fields }), replyId: 'abc', created: 100 };
}

function written(write: (writer: EventWriter) => void): ChatEvent[] {
  const events: ChatEvent[] = [];
  write(new EventWriter((event) => events.push(event)));
  return events;
}

interface Streamed {
  readonly text: string;
  readonly events: readonly Record<string, unknown>[];
  readonly types: readonly string[];
  /** The terminal event's response. */
  readonly response: Record<string, unknown>;
}

/** Streams events, and holds the stream to the schema and to the grammar. */
function stream(
  events: readonly ChatEvent[],
  options: StreamWriterOptions & {
    readonly context?: ReplyContext;
    readonly cut?: DragomanError;
    readonly free?: boolean;
  } = {},
): Streamed {
  const factory = createStreamWriter(options.context ?? contextOf(), { now: () => 107, ...options });
  const text = runStage(factory, events, options.cut).join('');
  expect(openresponsesViolations(text, { done: options.done === true })).toEqual([]);
  if (options.free !== true) expect(schema?.checkStream(text) ?? []).toEqual([]);
  const lines = text.split('\n').filter((line) => line.startsWith('data: {'));
  const parsed: Record<string, unknown>[] = lines.map((line) => JSON.parse(line.slice(6)));
  const response = parsed.at(-1)?.response;
  return {
    text,
    events: parsed,
    types: parsed.map(({ type }) => String(type)),
    response: JSON.parse(JSON.stringify(response)),
  };
}

const started = (write: (writer: EventWriter) => void) =>
  written((writer) => {
    writer.start('r', 'm');
    write(writer);
  });

describe('the stream writer', () => {
  it('C-132 writes a text in the order that the API gives, with rising numbers and named events', () => {
    const { types, events, response } = stream(
      started((writer) => {
        writer.text('Hello, ');
        writer.text('world');
        writer.usage({ inputTokens: 3, outputTokens: 2, cachedInputTokens: 1, reasoningTokens: 1, source: 'upstream' });
        writer.end('stop');
      }),
    );
    expect(types).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, at) => at));
    expect(response).toMatchObject({
      id: 'resp_abc',
      object: 'response',
      created_at: 100,
      completed_at: 107,
      status: 'completed',
      model: 'm',
      output: [
        {
          type: 'message',
          id: 'msg_abc0000',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hello, world', annotations: [] }],
        },
      ],
      usage: {
        input_tokens: 3,
        input_tokens_details: { cached_tokens: 1 },
        output_tokens: 2,
        output_tokens_details: { reasoning_tokens: 1 },
        total_tokens: 5,
      },
      error: null,
      incomplete_details: null,
    });
  });

  it('C-133 writes a call as added, argument deltas, arguments done, item done, one after the other', () => {
    const { types, events, response } = stream(
      started((writer) => {
        writer.callStart('call_1', 'read');
        writer.callDelta('{"path":');
        writer.callDelta('"a"}');
        writer.callEnd();
        writer.callStart('call_2', 'list');
        writer.callEnd();
        writer.end('tool-calls');
      }),
    );
    expect(types.slice(2, 7)).toEqual([
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
    ]);
    expect(events[2]?.item).toMatchObject({ type: 'function_call', call_id: 'call_1', name: 'read', arguments: '' });
    expect(response.output).toMatchObject([
      { id: 'fc_abc0000', call_id: 'call_1', arguments: '{"path":"a"}', status: 'completed' },
      { id: 'fc_abc0001', call_id: 'call_2', arguments: '{}', status: 'completed' },
    ]);
  });

  it('writes reasoning as a summary, sealed as well for clients that ask for it, and passes on what was sealed', () => {
    const events = started((writer) => {
      writer.reasoning('let me see');
      writer.text('Hi');
      writer.end('stop');
    });
    expect(stream(events).response.output).toMatchObject([
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'let me see' }] },
      { type: 'message' },
    ]);
    const context = contextOf({ include: ['reasoning.encrypted_content'] });
    const { response } = stream(events, { context });
    const again = readRequest({ model: 'm', input: response.output });
    expect(again.messages[0]?.content).toEqual([
      { type: 'reasoning', text: 'let me see' },
      { type: 'text', text: 'Hi' },
    ]);
    const sealed = stream(
      started((writer) => {
        writer.reasoningEnd({ 'openai-responses': { encrypted_content: 'xyz' } });
        writer.text('Hi');
        writer.end('stop');
      }),
    );
    expect(sealed.response.output).toMatchObject([{ type: 'reasoning', summary: [], encrypted_content: 'xyz' }, {}]);
  });

  it('tells length and content filter apart, and the text that was cut is incomplete', () => {
    const cut = (reason: 'length' | 'content-filter') =>
      stream(
        started((writer) => {
          writer.text('half');
          writer.end(reason);
        }),
      );
    expect(cut('length').response).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ status: 'incomplete' }],
      completed_at: null,
    });
    expect(cut('content-filter').response.incomplete_details).toEqual({ reason: 'content_filter' });
    expect(cut('length').types.at(-1)).toBe('response.incomplete');
  });

  it('ends a failed reply with response.failed, which holds what came before, and nothing else', () => {
    const error = new DragomanError('upstream-cut', 'gone');
    const { response, types } = stream(
      started((writer) => {
        writer.text('half');
        writer.fail(error);
      }),
    );
    expect(types.at(-1)).toBe('response.failed');
    expect(types).not.toContain('error');
    expect(response).toMatchObject({
      status: 'failed',
      error: { code: 'upstream_cut', message: 'gone' },
      output: [{ status: 'incomplete', content: [{ text: 'half' }] }],
    });
    const early = stream([{ type: 'error', error }]);
    expect(early.types).toEqual(['response.created', 'response.in_progress', 'response.failed']);
    expect(stream([], { cut: error }).response.error).toEqual({ code: 'upstream_cut', message: 'gone' });
    expect(stream([]).response.error).toMatchObject({ code: 'internal' });
  });

  it('a call that is cut is never done and is not in the output; one cut before its arguments never shows', () => {
    const { types, response } = stream(
      started((writer) => {
        writer.callStart('call_1', 'read');
        writer.callCut();
        writer.callStart('call_2', 'read');
        writer.callDelta('{"pa');
        writer.callCut();
        writer.text('{"pa');
        writer.end('stop');
      }),
    );
    expect(types.filter((type) => type === 'response.output_item.added')).toHaveLength(2);
    expect(types.filter((type) => type === 'response.output_item.done')).toHaveLength(1);
    expect(response.output).toMatchObject([{ type: 'message', content: [{ text: '{"pa' }] }]);
  });

  it('never cuts a character in two', () => {
    const { events } = stream(
      started((writer) => {
        writer.text('a\ud83e');
        writer.text('\udd9cb');
        writer.end('stop');
      }),
    );
    expect(events.flatMap(({ delta }) => delta ?? [])).toEqual(['a', '🦜b']);
  });

  it('leaves [DONE] out unless it is asked for', () => {
    const events = started((writer) => writer.end('stop'));
    expect(stream(events).text).not.toContain('[DONE]');
    expect(stream(events, { done: true }).text.endsWith('\n\ndata: [DONE]\n\n')).toBe(true);
  });

  it('as lines of JSON it holds the same events', () => {
    const events = started((writer) => {
      writer.text('Hello');
      writer.end('stop');
    });
    const lines = runStage(createStreamWriter(contextOf(), { now: () => 107, framing: 'ndjson', done: true }), events);
    expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
    expect(lines.map((line) => JSON.parse(line))).toEqual(stream(events).events);
  });

  describe('in the background', () => {
    const request = readRequest({ model: 'm', input: 'Hi', background: true }, { background: true });
    const context = { request, replyId: 'abc', created: 100 };

    it('a response is queued at once, and in progress when the upstream answers', () => {
      const frames: string[] = [];
      const stage = createStreamWriter(context)((frame) => frames.push(frame.split('\n')[0] ?? ''));
      expect(frames).toEqual(['event: response.created', 'event: response.queued']);
      stage.push({ type: 'message-start', id: 'r', model: 'm' });
      expect(frames.slice(2)).toEqual(['event: response.in_progress']);
    });

    it('every status is told, and the stream is one that clients can read', () => {
      const told: string[] = [];
      const events = started((writer) => {
        writer.text('Hello');
        writer.end('stop');
      });
      const { response } = stream(events, { context, onResponse: ({ status }) => told.push(status) });
      expect(told).toEqual(['queued', 'in_progress', 'completed']);
      expect(response).toMatchObject({ background: true, status: 'completed' });
    });

    it('cancelled is a status of its own, and a failure for those who read the stream', () => {
      const cut = new DragomanError('response-cancelled', 'The response was cancelled.');
      const events = started((writer) => writer.text('Hel'));
      const { response, types } = stream(events, { context, cut });
      expect(response).toMatchObject({ status: 'cancelled', error: { code: 'response_cancelled' } });
      expect(types.at(-1)).toBe('response.failed');
    });
  });

  it('tells of the response before it leaves', () => {
    const order: string[] = [];
    const onResponse = ({ id, status }: WireResponse) => order.push(`${id} ${status}`);
    const factory = createStreamWriter(contextOf(), { onResponse });
    const stage = factory((frame) => order.push(frame.split('\n')[0] ?? ''));
    for (const event of started((writer) => writer.end('stop'))) stage.push(event);
    expect(order).toEqual([
      'resp_abc in_progress',
      'event: response.created',
      'event: response.in_progress',
      'resp_abc completed',
      'event: response.completed',
    ]);
  });

  it('calls tools of a group and tools with free input as the client declared them', () => {
    const context = contextOf({
      tools: [
        { type: 'custom', name: 'apply_patch', description: 'Edits.' },
        { type: 'namespace', name: 'mcp__db', tools: [{ type: 'function', name: 'query', parameters: {} }] },
      ],
    });
    const { response, types } = stream(
      started((writer) => {
        writer.callStart('c1', 'apply_patch');
        writer.callDelta('{"input":"*** Begin');
        writer.callDelta(' Patch\\n"}');
        writer.callEnd();
        writer.callStart('c2', 'mcp__db__query');
        writer.callEnd();
        writer.end('tool-calls');
      }),
      { context, free: true },
    );
    expect(response.output).toMatchObject([
      { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: '*** Begin Patch\n' },
      { type: 'function_call', call_id: 'c2', name: 'query', namespace: 'mcp__db', arguments: '{}' },
    ]);
    expect(types).toContain('response.custom_tool_call_input.done');
  });

  it('says the request again, with a value for every field', () => {
    const context = contextOf({
      instructions: 'Be brief.',
      metadata: { a: 'b' },
      temperature: 0.5,
      max_output_tokens: 99,
      reasoning: { effort: 'low', summary: 'auto' },
      text: { format: { type: 'json_schema', name: 'n', schema: { type: 'object' } }, verbosity: 'low' },
      store: false,
      truncation: 'auto',
      tools: [{ type: 'function', name: 'read', parameters: { type: 'object' }, strict: true }],
      tool_choice: { type: 'allowed_tools', tools: [{ type: 'function', name: 'read' }] },
    });
    const { response } = stream(
      started((writer) => writer.end('stop')),
      { context },
    );
    expect(response).toMatchObject({
      instructions: 'Be brief.',
      metadata: { a: 'b' },
      temperature: 0.5,
      max_output_tokens: 99,
      reasoning: { effort: 'low', summary: 'auto' },
      text: { format: { type: 'json_schema', name: 'n' }, verbosity: 'low' },
      store: false,
      truncation: 'auto',
      tools: [{ type: 'function', name: 'read', description: null, parameters: { type: 'object' }, strict: true }],
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'read' }] },
    });
  });

  it('keeps the grammar and the schema for any reply', () => {
    const piece = fc.string({ unit: 'binary', minLength: 1, maxLength: 4 });
    const block = fc.oneof(
      fc.record({ kind: fc.constantFrom('text', 'reasoning'), pieces: fc.array(piece, { maxLength: 3 }) }),
      fc.record({ kind: fc.constantFrom('call', 'cut'), pieces: fc.array(piece, { maxLength: 3 }) }),
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 6 }), fc.constantFrom('stop', 'length', 'fail'), (blocks, ending) => {
        const events = started((writer) => {
          blocks.forEach(({ kind, pieces }, at) => {
            if (kind === 'text') for (const text of pieces) writer.text(text);
            else if (kind === 'reasoning') for (const text of pieces) writer.reasoning(text);
            else {
              writer.callStart(`call_${at}`, 'read');
              writer.callDelta('{"a":');
              writer.callDelta(`${JSON.stringify(pieces)}}`);
              if (kind === 'call') writer.callEnd();
              else writer.callCut();
            }
            writer.closeBlock();
          });
          if (ending === 'fail') writer.fail(new DragomanError('upstream-cut', 'x'));
          else writer.end(ending === 'stop' ? 'stop' : 'length');
        });
        stream(events);
      }),
      { numRuns: runs(60) },
    );
  });
});
