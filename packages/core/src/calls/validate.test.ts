import { chatRequest, violationsOf } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collect } from '../chat/collect.ts';
import type { ChatEvent } from '../chat/event.ts';
import { EventWriter } from '../chat/event-writer.ts';
import type { ToolDefinition } from '../chat/tool.ts';
import { DragomanError } from '../errors.ts';
import { CallIds } from '../prepare/call-ids.ts';
import { runStage } from '../stream/stage.ts';
import { createCallValidator } from './validate.ts';

const tools: readonly ToolDefinition[] = [
  {
    name: 'readFile',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' }, line: { type: 'integer' }, deep: { type: 'boolean' } },
    },
  },
  {
    name: 'weather',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
  { name: 'get_time', inputSchema: { type: 'object', properties: {} } },
  { name: 'get-Time', inputSchema: { type: 'object', properties: {} } },
];

const request = chatRequest({
  tools,
});

/** Events as a reader writes them. */
function events(write: (writer: EventWriter) => void): ChatEvent[] {
  const written: ChatEvent[] = [];
  const writer = new EventWriter((event) => written.push(event));
  writer.start('reply', 'model');
  write(writer);
  return written;
}

/** Digits that count up. */
function countingHex(): (length: number) => string {
  let drawn = 0;
  return (length) => {
    drawn += 1;
    return drawn.toString(16).padStart(length, '0');
  };
}

function validated(input: readonly ChatEvent[]): ChatEvent[] {
  const out = runStage(
    createCallValidator({ tools, callIds: new CallIds({ request, randomHex: countingHex() }) }),
    input,
  );
  expect(violationsOf(out)).toEqual([]);
  return out;
}

/** One call with these slices of arguments. */
function call(name: string, slices: readonly string[], callId = 'call_upstream'): ChatEvent[] {
  return events((writer) => {
    writer.callStart(callId, name);
    for (const slice of slices) writer.callDelta(slice);
    writer.callEnd();
    writer.end('tool-calls');
  });
}

const callsOf = (out: readonly ChatEvent[]) => collect(out).calls;
const warningsOf = (out: readonly ChatEvent[]) => collect(out).warnings.map((warning) => warning.code);

const unmarked = (writer: EventWriter) => writer.endUnmarked();
const failed = (writer: EventWriter) => writer.fail(new DragomanError('upstream-cut', 'gone'));

describe('validate', () => {
  it('E-006 E-055 leaves a good call exactly as it is, each slice as the same event', () => {
    const input = call('readFile', ['{"path"', ': "a.txt",  "line":1.0e2,"deep":', 'true}']);
    const out = validated(input);
    expect(out).toEqual(input);
    expect(out[2]).toBe(input[2]);
  });

  it('E-050 E-051 brings names to the declared ones', () => {
    for (const written of [
      'readfile',
      'READ_FILE',
      'read-file',
      'functions.readFile:0',
      'functions.read_file',
      'readFile:12',
    ]) {
      const out = validated(call(written, ['{}']));
      expect(callsOf(out)[0]?.name, written).toBe('readFile');
      expect(warningsOf(out)).toEqual(['name-repaired']);
    }
    for (const written of ['GETTIME', 'functions.write:0', 'readFile:x', 'reedFile', 'functions.']) {
      const out = validated(call(written, ['{}']));
      expect(callsOf(out)[0]?.name, written).toBe(written);
      expect(warningsOf(out)).toEqual([]);
    }
    expect(callsOf(validated(call('get_time', ['{}'])))[0]?.name).toBe('get_time');
  });

  it('E-053 E-054 coerces by the schema and repairs what has one reading', () => {
    const out = validated(call('readFile', ['{"path":"5","line":"5', '","deep":True,}']));
    expect(callsOf(out)[0]?.arguments).toBe('{"path":"5","line":5,"deep":true}');
    expect(new Set(warningsOf(out))).toEqual(new Set(['value-coerced', 'json-repaired']));
    expect(callsOf(validated(call('readFile', ['"{\\"path\\":\\"{}\\"}"'])))[0]?.arguments).toBe('{"path":"{}"}');
    const kept = validated(call('readFile', ['{"path":"{\\"x\\":1}"}']));
    expect(callsOf(kept)[0]?.arguments).toBe('{"path":"{\\"x\\":1}"}');
  });

  it('E-035 empty arguments are an empty object', () => {
    for (const slices of [[], [''], [' \n'], ['{}']]) {
      expect(callsOf(validated(call('get_time', slices)))[0]?.arguments, JSON.stringify(slices)).toBe('{}');
    }
  });

  it('A-244 A-243 gives a call without an id one, with a warning', () => {
    const out = validated(call('readFile', ['{}'], ''));
    expect(callsOf(out)[0]?.callId).toMatch(/^call_[0-9a-f]{24}$/);
    expect(warningsOf(out)).toEqual(['id-repaired']);
  });

  it('E-066 tells two calls with one id apart', () => {
    const out = validated(
      events((writer) => {
        for (let index = 0; index < 2; index += 1) {
          writer.callStart('same', 'readFile');
          writer.callDelta('{}');
          writer.callEnd();
        }
        writer.end('tool-calls');
      }),
    );
    const [first, second] = callsOf(out);
    expect(first?.callId).toBe('same');
    expect(second?.callId).not.toBe('same');
    expect(warningsOf(out)).toEqual(['id-repaired']);
  });

  it('A-133 cuts a call whose arguments are not JSON; what was written follows as text', () => {
    const out = validated([
      ...events((writer) => {
        writer.text('before');
        writer.callStart('a', 'readFile');
        for (const slice of ['{"path"', ' = 5', ', "line": 1}']) writer.callDelta(slice);
        writer.callEnd();
        writer.callStart('b', 'readFile');
        writer.callDelta('{"path":"x"}');
        writer.callEnd();
        writer.end('tool-calls');
      }),
    ]);
    const message = collect(out);
    expect(message.calls.map(({ callId }) => callId)).toEqual(['b']);
    expect(message.content.map((part) => (part.type === 'tool-call' ? 'call' : part.text))).toEqual([
      'before',
      '{"path" = 5, "line": 1}',
      'call',
    ]);
    expect(warningsOf(out)).toEqual(['call-cut']);
    expect(message.finishReason).toBe('tool-calls');
  });

  it('E-034 E-041 a call that broke off is cut, at every place', () => {
    const text = '{"path":"a\\nb","line":12}';
    for (let at = 0; at < text.length; at += 1) {
      const out = validated(
        events((writer) => {
          writer.callStart('a', 'readFile');
          writer.callDelta(text.slice(0, at));
          writer.end('length');
        }),
      );
      const message = collect(out);
      expect([message.calls, message.text, message.finishReason]).toEqual([[], text.slice(0, at), 'length']);
      expect(warningsOf(out)).toEqual([]);
      if (at === 0) continue;
      // A reader that takes an unfinished call for whole is told so.
      const trusting = validated(call('readFile', [text.slice(0, at)]));
      expect([callsOf(trusting), warningsOf(trusting)]).toEqual([[], ['call-cut']]);
    }
  });

  it('says stop when no call was whole, and tool-calls when one was, whatever the upstream says', () => {
    const broken = validated(call('readFile', ['nonsense']));
    expect(collect(broken).finishReason).toBe('stop');
    const stop = validated([...call('readFile', ['{}']).slice(0, -1), { type: 'message-end', finishReason: 'stop' }]);
    expect(collect(stop).finishReason).toBe('tool-calls');
  });

  it('cuts the last call of a reply that stopped short, if it has no arguments and needs some', () => {
    const end = (slices: readonly string[], finish: (writer: EventWriter) => void, name = 'weather') =>
      validated(
        events((writer) => {
          writer.callStart('c1', 'weather');
          writer.callDelta('{"city":"Rome"}');
          writer.callEnd();
          writer.callStart('c2', name);
          for (const slice of slices) writer.callDelta(slice);
          writer.callEnd();
          finish(writer);
        }),
      );
    const atLimit = (writer: EventWriter) => writer.end('length');
    for (const slices of [['{}'], ['{', '}'], ['{ ', '\n}'], []]) {
      for (const finish of [atLimit, (writer: EventWriter) => writer.end('content-filter'), unmarked, failed]) {
        const out = end(slices, finish);
        expect(callsOf(out).map(({ callId }) => callId)).toEqual(['c1']);
        expect(out.some((event) => event.type === 'tool-call-delta' && event.text.startsWith('{}'))).toBe(false);
        expect(warningsOf(out).filter((code) => code !== 'end-unmarked')).toEqual(['call-cut']);
      }
      const meant = end(slices, (writer) => writer.end('tool-calls'));
      expect(callsOf(meant).map(({ callId }) => callId)).toEqual(['c1', 'c2']);
      expect(warningsOf(meant)).toEqual(['parameter-missing']);
      const before = end(slices, (writer) => {
        writer.text('and on');
        writer.end('length');
      });
      expect(callsOf(before)).toHaveLength(2);
    }
    expect(callsOf(end(['{}'], atLimit, 'get_time'))).toHaveLength(2);
    expect(callsOf(end(['{"', 'city":"Oslo"}'], atLimit))).toHaveLength(2);
  });

  it('leaves out what follows the arguments, and says so', () => {
    const out = validated(call('readFile', ['{"line":1}', ' ', '{"line":2}']));
    expect(callsOf(out)[0]?.arguments).toBe('{"line":1}');
    expect(warningsOf(out)).toEqual(['json-repaired']);
  });

  it('B-194 changes no valid arguments and gives no whole prefix, whatever the cuts', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.nat(), { maxLength: 6 }), (value, cuts) => {
        const text = JSON.stringify(value);
        const places = cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b);
        const slices = [0, ...places].map((from, index) => text.slice(from, places[index]));
        const out = validated(call('undeclared', slices));
        expect(callsOf(out)[0]?.arguments).toBe(text);
      }),
    );
  });
});
