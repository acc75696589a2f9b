import { type DragomanError, decodeSse, type Frame, runStage, type UpstreamRequest } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { countTextTokens } from '../../tokens/count-text-tokens.ts';
import { createScriptedTransport, type ScriptedTransportOptions } from './scripted-transport.ts';

interface Heard {
  status: number;
  contentType: string;
  body: string;
  pieces: number;
  outcome: 'running' | 'ended' | 'failed';
  error: DragomanError | undefined;
}

const words = (texts: readonly string[]): number => texts.join(' ').split(' ').length;

function ask(options: Partial<ScriptedTransportOptions>, body: unknown) {
  return askWith(options, { upstream: 'demo', path: '/chat/completions', body });
}

function askWith(options: Partial<ScriptedTransportOptions>, request: UpstreamRequest) {
  const transport = createScriptedTransport({ model: () => 'Hello, wörld 😀!', countTokens: words, ...options });
  const heard: Heard = { status: 0, contentType: '', body: '', pieces: 0, outcome: 'running', error: undefined };
  const decoder = new TextDecoder();
  let settle = (): void => {};
  const over = new Promise<void>((resolve) => {
    settle = resolve;
  });
  let onPiece = (): void => {};
  const connection = transport.send(request, {
    start: (status, contentType) => {
      heard.status = status;
      heard.contentType = contentType;
    },
    data: (chunk) => {
      heard.body += decoder.decode(chunk, { stream: true });
      heard.pieces += 1;
      onPiece();
    },
    end: () => {
      heard.outcome = 'ended';
      settle();
    },
    fail: (error) => {
      heard.outcome = 'failed';
      heard.error = error;
      settle();
    },
  });
  const whenPiece = (listener: () => void): void => {
    onPiece = listener;
  };
  return { heard, connection, over, whenPiece };
}

const request = (extra: object = {}) => ({
  model: 'm',
  stream: true,
  messages: [{ role: 'user', content: 'Hi' }],
  ...extra,
});

function contentOf(body: string): string {
  return framesOf(body)
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data).choices[0]?.delta?.content ?? '')
    .join('');
}

function framesOf(body: string): string[] {
  return body
    .split('\n\n')
    .filter((frame) => frame !== '')
    .map((frame) => frame.slice('data: '.length));
}

describe('scripted transport', () => {
  it('streams the reply in small frames that add up to it, after send has returned', async () => {
    const { heard, over } = ask({}, request());
    expect(heard.status).toBe(0);
    await over;
    expect([heard.status, heard.contentType, heard.outcome]).toEqual([200, 'text/event-stream', 'ended']);
    expect(contentOf(heard.body)).toBe('Hello, wörld 😀!');
    expect(heard.pieces).toBeGreaterThan(5);
    const frames = framesOf(heard.body);
    expect(frames.at(-1)).toBe('[DONE]');
    expect(JSON.parse(frames.at(-2) ?? '')).toMatchObject({ choices: [{ delta: {}, finish_reason: 'stop' }] });
  });

  it('can be read by the gateway’s own decoder', async () => {
    const { heard, over } = ask({}, request());
    await over;
    const fail = (error: DragomanError): never => {
      throw error;
    };
    const decoded: Frame[] = runStage(decodeSse({ fail }), [new TextEncoder().encode(heard.body)]);
    expect(decoded.map((frame) => frame.data)).toEqual(framesOf(heard.body));
  });

  it('answers in one piece of JSON without stream', async () => {
    const { heard, over } = ask({}, request({ stream: false }));
    await over;
    expect(heard.contentType).toBe('application/json');
    expect(JSON.parse(heard.body)).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant', content: 'Hello, wörld 😀!' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 },
    });
  });

  it('reads the bytes of a body where they are all that is sent', async () => {
    const bytes = Buffer.from(JSON.stringify(request({ stream: false })));
    const { heard, over } = askWith({}, { upstream: 'demo', path: '/chat/completions', body: undefined, bytes });
    await over;
    expect(JSON.parse(heard.body)).toMatchObject({ choices: [{ message: { content: 'Hello, wörld 😀!' } }] });
  });

  it('reports usage in a frame without choices, only when asked', async () => {
    const { heard, over } = ask({}, request({ stream_options: { include_usage: true } }));
    await over;
    const frame: unknown = JSON.parse(framesOf(heard.body).at(-2) ?? '');
    expect(frame).toMatchObject({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 3 } });
    const without = ask({}, request());
    await without.over;
    expect(without.heard.body).not.toContain('usage');
  });

  it('counts with the tokenizer by default, special tokens as plain text', async () => {
    const { heard, over } = ask(
      { model: () => 'one <|endoftext|> two', countTokens: countTextTokens },
      request({ stream: false }),
    );
    await over;
    const { usage } = JSON.parse(heard.body);
    expect(usage.completion_tokens).toBeGreaterThan(2);
    expect(usage.completion_tokens).toBeLessThan(15);
  });

  it('stops at max_tokens with finish reason length, and at a stop text with stop', async () => {
    const limited = ask({ model: () => 'one two three four' }, request({ max_tokens: 2 }));
    const stopped = ask({ model: () => 'one two three four' }, request({ stop: [' three'] }));
    await Promise.all([limited.over, stopped.over]);
    expect(contentOf(limited.heard.body).trim()).toBe('one two');
    expect(limited.heard.body).toContain('"finish_reason":"length"');
    expect(contentOf(stopped.heard.body)).toBe('one two');
    expect(stopped.heard.body).toContain('"finish_reason":"stop"');
  });

  it('sends nothing while it is paused, and everything after resume', async () => {
    const { heard, connection, over, whenPiece } = ask({}, request());
    await new Promise<void>((resolve) =>
      whenPiece(() => {
        if (heard.pieces !== 3) return;
        connection.pause();
        resolve();
      }),
    );
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(heard.pieces).toBe(3);
    connection.resume();
    await over;
    expect(contentOf(heard.body)).toBe('Hello, wörld 😀!');
  });

  it('says nothing more after abort', async () => {
    const { heard, connection, whenPiece } = ask({}, request());
    await new Promise<void>((resolve) =>
      whenPiece(() => {
        connection.abort();
        resolve();
      }),
    );
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect([heard.pieces, heard.outcome]).toEqual([1, 'running']);
  });

  it('refuses a model that there is not, and fails when the model breaks', async () => {
    const other = ask({ model: () => undefined }, request());
    await other.over;
    expect(other.heard.status).toBe(404);
    expect(JSON.parse(other.heard.body)).toMatchObject({ error: { message: 'There is no model m.' } });
    const broken = ask(
      {
        model: () => {
          throw new Error('broken');
        },
      },
      request(),
    );
    await broken.over;
    expect(broken.heard.error?.code).toBe('internal');
  });

  it('shows the prompt and the reply to a tap', async () => {
    const turns: unknown[] = [];
    const { over } = ask({ tap: (turn) => turns.push(turn) }, request());
    await over;
    expect(turns).toEqual([{ model: 'm', messages: [{ role: 'user', text: 'Hi' }], reply: 'Hello, wörld 😀!' }]);
  });
});
