import { chatRequest, violationsOf } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collect } from '../chat/collect.ts';
import type { ChatEvent } from '../chat/event.ts';
import { EventWriter } from '../chat/event-writer.ts';
import type { Dialect, ParseContext, Span } from '../dialects/dialect.ts';
import { dialects } from '../dialects/registry.ts';
import { DragomanError } from '../errors.ts';
import { defaultCallPolicy, defaultModelRule } from '../plan/rules.ts';
import { CallIds, nativeIdsIn } from '../prepare/call-ids.ts';
import { nativeIdOf } from '../prepare/carried-ids.ts';
import { MemoryCallIdStore } from '../stores/memory-call-id-store.ts';
import { runStage, type Sink } from '../stream/stage.ts';
import { createCallParser, parseContextOf } from './parse-text.ts';

const request = chatRequest({
  tools: [{ name: 'read', inputSchema: { type: 'object', properties: {} } }],
});

/**
 * A dialect for tests, one letter a marker: `[` opens a call of `read`, what follows is its arguments, `]` closes it;
 * `~` is held back until the next letter. Everything else is text.
 */
const brackets: Dialect = {
  id: 'brackets',
  summary: 'for tests',
  markers: () => ['['],
  renderTools: () => '',
  renderCalls: () => '',
  renderResults: () => '',
  createParser: () => (sink) => new BracketParser(sink),
};

class BracketParser {
  readonly #sink: Sink<Span>;
  #raw: string | undefined;
  #held = '';
  #count = 0;

  constructor(sink: Sink<Span>) {
    this.#sink = sink;
  }

  push(text: string): void {
    for (const letter of text) this.#letter(letter);
  }

  end(cut?: DragomanError): void {
    if (this.#held !== '') this.#sink({ kind: 'text', text: this.#held });
    if (this.#raw === undefined) return;
    if (cut === undefined) this.#sink({ kind: 'call-end' });
    else this.#sink({ kind: 'call-cut', text: this.#raw });
  }

  #letter(letter: string): void {
    if (letter === '[') {
      this.#raw = '[';
      this.#count += 1;
      this.#sink({ kind: 'call', name: 'read', nativeId: `functions.read:${this.#count}` });
    } else if (letter === ']') {
      this.#raw = undefined;
      this.#sink({ kind: 'call-end' });
    } else if (this.#raw !== undefined) {
      this.#raw += letter;
      this.#sink({ kind: 'arguments', text: letter });
    } else if (letter === '~') {
      this.#held += letter;
    } else {
      this.#sink({ kind: 'text', text: this.#held + letter });
      this.#held = '';
    }
  }
}

let drawn = 0;
const randomHex = (length: number): string => {
  drawn += 1;
  return drawn.toString(16).padStart(length, '0');
};

function parsed(write: (writer: EventWriter) => void, cut?: DragomanError): ChatEvent[] {
  const input: ChatEvent[] = [];
  const writer = new EventWriter((event) => input.push(event));
  writer.start('reply', 'model');
  write(writer);
  const context: ParseContext = { tools: request.tools };
  const out = runStage(
    createCallParser({ dialect: brackets, context, callIds: new CallIds({ request, randomHex }) }),
    input,
    cut,
  );
  expect(violationsOf(out)).toEqual([]);
  return out;
}

describe('parse', () => {
  it('A-126 E-009 turns text into text and calls in their order, with ids that lead back', () => {
    const out = parsed((writer) => {
      writer.text('one [{"a"');
      writer.text(':1}] two []');
      writer.end('stop', 'stop');
    });
    const message = collect(out);
    expect(message.content.map((part) => (part.type === 'tool-call' ? part.arguments : part.text))).toEqual([
      'one ',
      '{"a":1}',
      ' two ',
      '{}',
    ]);
    expect(message.calls.map(({ callId, name }) => nativeIdOf(callId, name))).toEqual([
      'functions.read:1',
      'functions.read:2',
    ]);
    expect([message.finishReason, message.rawFinishReason]).toEqual(['tool-calls', 'stop']);
  });

  it('E-061 an id that a model writes behind the arguments leads back from the store', () => {
    const store = new MemoryCallIdStore({ maxSize: 1000 }).of('caller');
    const callIds = new CallIds({ request, randomHex, store });
    const dialect = dialects.get('mistral-json') ?? brackets;
    const input: ChatEvent[] = [];
    const writer = new EventWriter((event) => input.push(event));
    writer.start('reply', 'model');
    writer.text(
      '[TOOL_CALLS] [{"name": "read", "arguments": {}, "id": "a1B2c3D4e"}, {"name": "read", "arguments": {}}]',
    );
    writer.end('stop', 'stop');
    const { calls } = collect(
      runStage(createCallParser({ dialect, context: { tools: request.tools }, callIds }), input),
    );
    expect(calls.map(nativeIdsIn(store))).toEqual(['a1B2c3D4e', undefined]);
  });

  it('reads the text blocks of the wire as one stream', () => {
    const out = parsed((writer) => {
      writer.text('a~');
      writer.reasoning('hm');
      writer.text('b[{}');
      writer.reasoning('in between');
      writer.reasoningEnd({ wire: { signature: 's' } });
      writer.text(']');
      writer.end('stop');
    });
    const message = collect(out);
    expect([message.text, message.reasoning, message.calls.length]).toEqual(['a~b', 'hmin between', 1]);
    expect(out).toContainEqual({ type: 'reasoning-end', block: 4, extra: { wire: { signature: 's' } } });
  });

  it('finds no call in what the upstream itself calls a refusal, and breaks no call apart for it', () => {
    const out = parsed((writer) => {
      writer.text('[{}');
      writer.marked({ text: 'No [{}].', refusal: true });
      writer.text(']b');
      writer.end('stop');
    });
    const message = collect(out);
    expect(message.calls).toHaveLength(1);
    expect(message.content.slice(1)).toEqual([
      { type: 'text', text: 'No [{}].', refusal: true },
      { type: 'text', text: 'b' },
    ]);
  });

  it('A-163 length stays length: a whole call stays, an open one is cut and comes as text', () => {
    for (const finishReason of ['length', 'content-filter'] as const) {
      const message = collect(
        parsed((writer) => {
          writer.text('[{}][{"a"');
          writer.end(finishReason, finishReason);
        }),
      );
      expect([message.calls.length, message.text, message.finishReason]).toEqual([1, '[{"a"', finishReason]);
    }
  });

  it('says stop when the upstream speaks of calls and there are none', () => {
    const out = parsed((writer) => {
      writer.text('nothing');
      writer.end('tool-calls');
    });
    expect(out.at(-1)).toEqual({ type: 'message-end', finishReason: 'stop' });
  });

  it('A-171 lets out what was held back before an error, and cuts an open call', () => {
    const error = new DragomanError('upstream-failed', 'no');
    const failed = collect(
      parsed((writer) => {
        writer.text('a~');
        writer.fail(error);
      }),
    );
    expect([failed.text, failed.error]).toEqual(['a~', error]);
    const cut = collect(parsed((writer) => writer.text('x[{"a"'), error));
    expect([cut.text, cut.calls, cut.error]).toEqual(['x[{"a"', [], error]);
  });

  it('a stream that just stops is an error', () => {
    const message = collect(parsed((writer) => writer.text('half')));
    expect([message.text, message.error?.code]).toEqual(['half', 'upstream-cut']);
  });

  it('passes usage, warnings and native calls', () => {
    const out = parsed((writer) => {
      writer.warning({ code: 'event-unreadable', message: 'one frame' });
      writer.text('[{');
      writer.callStart('native', 'read');
      writer.callDelta('{"b":2}');
      writer.callEnd();
      writer.text('}]');
      writer.usage({ inputTokens: 1, outputTokens: 2, source: 'upstream' });
      writer.end('stop');
    });
    const message = collect(out);
    expect(message.calls.map((call) => call.arguments)).toEqual(['{}', '{"b":2}']);
    expect(message.calls[1]?.callId).toBe('native');
    expect([message.usage?.outputTokens, message.warnings.length]).toEqual([2, 1]);
  });

  it('A-155 gives the same message whatever the cuts', () => {
    const text = 'a~b [{"x":1}] c~~d [] e';
    const whole = collect(
      parsed((writer) => {
        writer.text(text);
        writer.end('stop');
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 9 }), (cuts) => {
        const places = [...cuts].sort((a, b) => a - b);
        const message = collect(
          parsed((writer) => {
            [0, ...places].forEach((from, index) => {
              writer.text(text.slice(from, places[index]));
            });
            writer.end('stop');
          }),
        );
        expect(message.content.map((part) => ({ ...part, callId: '' }))).toEqual(
          whole.content.map((part) => ({ ...part, callId: '' })),
        );
      }),
    );
  });
});

describe('what a parser may decide by', () => {
  it('follows the request: no calls, one call, or as many as the rule allows', () => {
    const { textAfterCalls: _, ...policy } = defaultCallPolicy;
    const rule = { ...defaultModelRule, policy: { ...defaultCallPolicy, maxCalls: 3, names: 'exact' as const } };
    const own = { ...policy, maxCalls: 3, names: 'exact' };
    expect(parseContextOf(request, rule)).toEqual({ tools: request.tools, policy: own, limits: {} });
    expect(parseContextOf({ ...request, toolChoice: 'none' }, rule).policy).toEqual({ ...own, maxCalls: 0 });
    expect(parseContextOf({ ...request, parallelToolCalls: false }, rule).policy).toEqual({ ...own, maxCalls: 1 });
    expect(parseContextOf({ ...request, parallelToolCalls: false }, defaultModelRule).policy).toEqual({
      ...policy,
      maxCalls: 1,
    });
    const declaredOnly = { ...policy, undeclared: 'text' };
    expect(parseContextOf({ ...request, tools: [] }, defaultModelRule).policy).toEqual(declaredOnly);
    expect(parseContextOf({ ...request, toolsWithheld: true }, defaultModelRule).policy).toEqual(declaredOnly);
    expect(parseContextOf(request, { ...defaultModelRule, opened: 'reasoning' })).toEqual({
      tools: request.tools,
      policy,
      limits: {},
      opened: 'reasoning',
    });
  });
});
