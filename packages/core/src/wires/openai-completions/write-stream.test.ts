import { completionsViolations } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../../chat/event.ts';
import { EventWriter } from '../../chat/event-writer.ts';
import type { Warning } from '../../chat/warning.ts';
import { DragomanError } from '../../errors.ts';
import { runStage } from '../../stream/stage.ts';
import type { ReplyContext } from '../wire.ts';
import { readRequest } from './read-request.ts';
import { createStreamWriter, writeMessage } from './write-stream.ts';

const usage = { inputTokens: 3, outputTokens: 2, source: 'counted' } as const;

function events(write: (writer: EventWriter) => void): ChatEvent[] {
  const list: ChatEvent[] = [];
  const writer = new EventWriter((event) => list.push(event));
  writer.start('x', 'up');
  write(writer);
  return list;
}

function contextOf(fields: object = {}): ReplyContext & { readonly told: Warning[] } {
  const told: Warning[] = [];
  const request = readRequest({ model: 'm', prompt: 'Once ', ...fields });
  return { request, replyId: 'abc', created: 5, report: (warning) => told.push(warning), told };
}

const streamOf = (list: readonly ChatEvent[], context: ReplyContext) =>
  runStage(createStreamWriter(context), list).join('');

const said = events((writer) => {
  writer.text('upon ');
  writer.text('a time');
  writer.usage(usage);
  writer.end('stop');
});

/** All that this API cannot say, around what it can. */
const unsaid = events((writer) => {
  writer.reasoning('hm');
  writer.text('I read.');
  writer.reasoning('hm again');
  writer.callStart('call_1', 'read');
  writer.callDelta('{}');
  writer.callEnd();
  writer.end('tool-calls');
});

describe('a stream', () => {
  it('is chunks with text, one reason, usage where it was asked for, and [DONE]', () => {
    const head = 'data: {"id":"cmpl-abc","object":"text_completion","created":5,"model":"m","choices":[';
    const chunk = (text: string, reason = 'null') =>
      `${head}{"text":"${text}","index":0,"logprobs":null,"finish_reason":${reason}}]}\n\n`;
    const stream = streamOf(said, contextOf({ stream_options: { include_usage: true } }));
    expect(stream).toBe(
      `${chunk('upon ')}${chunk('a time')}${chunk('', '"stop"')}${head}],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}\n\ndata: [DONE]\n\n`,
    );
    expect(completionsViolations(stream, { includeUsage: true })).toEqual([]);
    expect(completionsViolations(streamOf(said, contextOf()))).toEqual([]);
  });

  it('keeps a character in one piece', () => {
    const cut = events((writer) => {
      writer.text('\ud83d');
      writer.text('\ude00');
      writer.end('stop');
    });
    const stream = streamOf(cut, contextOf());
    expect(completionsViolations(stream)).toEqual([]);
    expect(stream).toContain('"text":"😀"');
  });

  it('leaves out reasoning and calls, tells each once, and ends as any text does', () => {
    const context = contextOf();
    const stream = streamOf(unsaid, context);
    expect(completionsViolations(stream)).toEqual([]);
    expect(stream).toContain('I read.');
    for (const lost of ['hm', 'call_1', 'tool']) expect(stream).not.toContain(lost);
    expect(context.told).toEqual([
      {
        code: 'field-dropped',
        message:
          'Reasoning was left out of the reply: openai-completions has no field for it. Clients of the other APIs get it.',
      },
      {
        code: 'field-dropped',
        message:
          'A call was left out of the reply: openai-completions has no field for it. Clients of the other APIs get it.',
      },
    ]);
  });

  it('that fails says so before its last chunk, and never "stop"', () => {
    const failed = events((writer) => {
      writer.text('Half');
      writer.fail(new DragomanError('upstream-cut', 'It broke.'));
    });
    const stream = streamOf(failed, contextOf({ stream_options: { include_usage: true } }));
    expect(completionsViolations(stream, { includeUsage: true })).toEqual([]);
    expect(stream.indexOf('upstream_cut')).toBeLessThan(stream.indexOf('"finish_reason":"length"'));
    const open = runStage(createStreamWriter(contextOf()), said.slice(0, 3)).join('');
    expect(open).toContain('The reply ended without saying how.');
  });

  it('echoes the prompt once, with the first text or, without any, at the end', () => {
    const echo = contextOf({ echo: true });
    expect(streamOf(said, echo)).toContain('[{"text":"Once upon ","index"');
    expect(streamOf(said, echo).match(/Once/g)).toHaveLength(1);
    const silent = events((writer) => writer.end('length'));
    expect(streamOf(silent, echo)).toContain('{"text":"Once ","index":0,"logprobs":null,"finish_reason":"length"}');
    const failed = events((writer) => writer.fail(new DragomanError('upstream-cut', 'It broke.')));
    expect(streamOf(failed, echo)).not.toContain('Once');
  });
});

describe('a whole answer', () => {
  it('has the text, the reason and the usage', () => {
    expect(writeMessage(said, contextOf())).toEqual({
      id: 'cmpl-abc',
      object: 'text_completion',
      created: 5,
      model: 'm',
      choices: [{ text: 'upon a time', index: 0, logprobs: null, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    });
    expect(writeMessage(said, contextOf({ echo: true })).choices[0]?.text).toBe('Once upon a time');
  });

  it('leaves out and tells what a stream does', () => {
    const context = contextOf();
    expect(writeMessage(unsaid, context).choices).toEqual([
      { text: 'I read.', index: 0, logprobs: null, finish_reason: 'stop' },
    ]);
    expect(context.told).toHaveLength(2);
  });
});
