import { chatRequest, runs, violationsOf } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collect } from '../chat/collect.ts';
import type { ChatEvent, FinishReason } from '../chat/event.ts';
import { EventWriter } from '../chat/event-writer.ts';
import type { Message } from '../chat/message.ts';
import { dialects } from '../dialects/registry.ts';
import { lookAlikes } from '../dialects/together/read-any.ts';
import { CallIds } from '../prepare/call-ids.ts';
import { runStage } from '../stream/stage.ts';
import { createRescue } from './rescue.ts';

const tools = [
  { name: 'list', inputSchema: { type: 'object', properties: {} } },
  { name: 'read', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } },
] as const;

const hermes = '<tool_call>\n{"name": "read", "arguments": {"path": "a"}}\n</tool_call>';
const call = { callId: 'call_x', ordinal: 0, name: 'read', arguments: '{"path":"a"}' };

function said(pieces: readonly string[], end: FinishReason | ((writer: EventWriter) => void) = 'stop'): ChatEvent[] {
  const events: ChatEvent[] = [];
  const writer = new EventWriter((event) => events.push(event));
  writer.start('reply', 'model');
  for (const piece of pieces) writer.text(piece);
  if (typeof end === 'string') writer.end(end);
  else end(writer);
  return events;
}

function rescued(events: readonly ChatEvent[], messages: readonly Message[] = []) {
  const [whole = [], streamed] = [false, true].map((stream) => {
    const request = { ...chatRequest({ tools, messages }), stream };
    let drawn = 0;
    const randomHex = (length: number) => {
      drawn += 1;
      return drawn.toString(16).padStart(length, '0');
    };
    const callIds = new CallIds({ request, randomHex });
    return runStage(createRescue({ request, limits: {}, callIds }), events);
  });
  expect(streamed).toEqual(whole);
  expect(violationsOf(whole)).toEqual([]);
  return whole;
}

function look(events: readonly ChatEvent[], messages?: readonly Message[]) {
  const { text, calls, warnings, finishReason, reasoning } = collect(rescued(events, messages));
  return {
    text,
    reasoning,
    finishReason,
    calls: calls.map((each) => `${each.name} ${each.arguments}`),
    codes: warnings.map(({ code }) => code),
  };
}

const own = {
  text: '',
  reasoning: '',
  finishReason: 'tool-calls',
  calls: ['read {"path":"a"}'],
  codes: ['call-rescued'],
};
const normal = (json: string) => json.replace(': ', ':');

describe('a call that leaks into the text of a native model', () => {
  const marked = [...dialects.values()].filter(({ id }) => !lookAlikes.has(id));

  it.each(marked.map((dialect) => [dialect.id, dialect] as const))(
    'becomes a call where it is written in %s',
    (id, dialect) => {
      // Its marker is optional, and only with it a call stands apart from data.
      const rendered = (id === 'llama3-json' ? '<|python_tag|>' : '') + dialect.renderCalls([call], tools);
      const found = look(said([`I look.\n${rendered}`]));
      expect({
        ...found,
        calls: found.calls.map(normal),
        text: found.text.trim(),
      }).toEqual({
        ...own,
        text: 'I look.',
      });
    },
  );

  it.each([...lookAlikes].map((id) => [id] as const))('stays text where it looks like %s', (id) => {
    const dialect = dialects.get(id) ?? expect.fail(`no dialect ${id}`);
    const rendered = `So:\n${dialect.renderCalls([call], tools)}\nDone.`;
    expect(look(said([rendered]))).toMatchObject({ text: rendered, calls: [], finishReason: 'stop' });
  });

  it('is read whatever the cuts, and the text around it is exact (property)', () => {
    const text = `  One.\n${hermes}\nTwo \`<tool_call>\` three.\n${hermes}\n\n`;
    const whole = look(said([text]));
    expect(whole).toMatchObject({ text: '  One.\n\nTwo `<tool_call>` three.\n', finishReason: 'tool-calls' });
    expect(whole.calls).toHaveLength(2);
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 12 }), (cuts) => {
        const places = [...new Set([0, ...cuts, text.length])].sort((a, b) => a - b);
        expect(look(said(places.slice(1).map((to, at) => text.slice(places[at], to))))).toEqual(whole);
      }),
      { numRuns: runs(100) },
    );
  });

  it('takes the header before it along, also at the start of a reply, where the prompt has begun it', () => {
    const rendered = dialects.get('muse-glimmer')?.renderCalls([call], tools) ?? expect.fail('no dialect');
    const begun = rendered.slice('<|start|>assistant'.length);
    expect(begun).toMatch(/^ to=read/);
    for (const text of [begun, begun.trimStart()]) {
      const found = look(said([...text]));
      expect({ ...found, calls: found.calls.map(normal) }).toEqual({ ...own, text: '' });
    }
    const prose = ' to=read<|message|>words, and to=read';
    expect(look(said([...prose]))).toMatchObject({ text: prose, calls: [] });
  });

  it('alone leaves no empty block of text behind, and what follows moves up', () => {
    const events = said([hermes], (writer) => {
      writer.reasoning('Hm.');
      writer.text('Done.');
      writer.end('stop');
    });
    const found = rescued(events);
    expect(found.flatMap((event) => ('block' in event ? [`${event.type} ${event.block}`] : []))).toEqual([
      ...['reasoning-start 0', 'reasoning-delta 0', 'reasoning-end 0', 'text-start 1', 'text-delta 1', 'text-end 1'],
      ...['tool-call-start 2', 'tool-call-delta 2', 'tool-call-end 2'],
    ]);
  });

  it('keeps the id that the model wrote', () => {
    const kimi = dialects.get('kimi-k2') ?? expect.fail();
    const found = collect(rescued(said([kimi.renderCalls([{ ...call, nativeId: 'functions.read:3' }], tools)])));
    expect(found.calls[0]?.callId).toContain('functions');
  });

  it('is none that broke off: all of it stays text', () => {
    const half = hermes.slice(0, -22);
    expect(look(said([`See ${half}`], 'length'))).toMatchObject({
      text: `See ${half}`,
      calls: [],
      finishReason: 'length',
    });
    const unclosed = '<function=read><parameter=path>a</parameter>';
    expect(look(said([unclosed], 'length'))).toMatchObject({ text: unclosed, calls: [] });
  });
});

describe('the same call, natively and in the text', () => {
  const native = (writer: EventWriter) => {
    writer.callStart('call_n', 'read');
    writer.callDelta('{ "path" : "a" }');
    writer.callEnd();
  };

  it.each([
    ['after', [hermes], []],
    ['in front of', [], [hermes]],
  ] as const)('is one call where the text stands %s it', (_, before, after) => {
    const events = said(before, (writer) => {
      native(writer);
      for (const text of after) writer.text(text);
      writer.end('tool-calls');
    });
    const found = look(events);
    expect([found.calls, found.text, found.codes]).toEqual([['read { "path" : "a" }'], '', ['call-rescued']]);
  });

  it('is two calls where the text holds it twice', () => {
    const events = said([`${hermes}\n${hermes}`], (writer) => {
      native(writer);
      writer.end('tool-calls');
    });
    expect(look(events).calls).toHaveLength(2);
  });
});

describe('markup that a tool has written in an escape', () => {
  it('of a table in Markdown may be a quotation, too', () => {
    const kimi = dialects.get('kimi-k2')?.renderCalls([call], tools) ?? '';
    const text = '| begin | `<\\|tool_calls_section_begin\\|>`, `<\\|tool_call_begin\\|>` |';
    expect(look(said([kimi])).calls).toHaveLength(1);
    expect(look(said([kimi]), [{ role: 'user', content: [{ type: 'text', text }] }]).calls).toEqual([]);
  });

  it.each([
    ['JSON', '{"body":"\\u003ctool_call\\u003e{}"}'],
    ['JSON with capitals, of the first sign alone', '{"body":"\\u003Ctool_call>{}"}'],
    ['HTML', '&lt;tool_call&gt;{}&lt;/tool_call&gt;'],
    ['HTML with numbers and of a script', '&#x3C;tool_call\\x3e{}'],
    ['an address', 'https://a.example/?q=%3Ctool_call%3e{}'],
    ['an address in an address', 'https://a.example/?u=%253Ctool_call%253E{}'],
    ['HTML in HTML', '&amp;lt;tool_call&amp;gt;{}'],
    ['JSON in JSON', '{"body":"\\\\u003ctool_call\\\\u003e{}"}'],
    ['Markdown', '\\<tool_call\\>{}'],
    ['a page in capitals', '<TOOL_CALL>{}'],
    ['a page that has escaped it', '<\u200btool_call>{}'],
  ])('of %s may be a quotation, and is no call', (_, text) => {
    const told: Message = { role: 'tool', callId: 'call_x', content: [{ type: 'text', text }] };
    expect(look(said([hermes]), [told]).calls).toEqual([]);
    const other: Message = {
      ...told,
      content: [{ type: 'text', text: text.toLowerCase().replaceAll('tool_call', 'b') }],
    };
    expect(look(said([hermes]), [other]).calls).toHaveLength(1);
  });
});

describe('text of a native model without a leak', () => {
  const plain: fc.Arbitrary<string> = fc
    .array(
      fc.constantFrom(
        ...[
          'Use `<tool_call>` so.',
          '```xml\n',
          '\n```\n',
          ' ',
          '\n\n',
          'a < b',
          '[TOOL_CALLS] is a marker',
          '{"name": "x"}',
        ],
        ...[
          '<think>',
          '</think>',
          hermes.replace('read', 'other'),
          '<function_calls>',
          '</invoke>',
          '<|im_end|>',
          '</s>',
        ],
        ...[
          '<|channel|>analysis<|message|>',
          '<|end|>',
          '[f()]',
          '{"name": "other", "arguments": {}}',
          '<list></list>',
          '<',
        ],
      ),
      { maxLength: 12 },
    )
    .map((pieces) => pieces.join(''));

  it('is the very text, whatever the cuts (property)', () => {
    fc.assert(
      fc.property(plain, fc.integer({ min: 1, max: 9 }), (text, size) => {
        const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
          text.slice(at * size, (at + 1) * size),
        );
        const { codes, ...found } = look(said(pieces));
        expect(found).toEqual({ text, reasoning: '', finishReason: 'stop', calls: [] });
        // What is in code is told, wherever chance has put it.
        expect(new Set(codes)).toEqual(new Set(codes.length === 0 ? [] : ['call-in-fence']));
      }),
      { numRuns: runs(400) },
    );
  });

  it('leaves as it comes, too, after a section that holds no call', () => {
    const section =
      '<function_calls>\n<invoke name="nope"><parameter name="a">1</parameter></invoke></function_calls> and';
    const words = Array.from({ length: 400 }, () => ' so it goes on');
    const passed: string[] = [];
    const request = chatRequest({ tools, messages: [] });
    const callIds = new CallIds({ request, randomHex: (length) => '0'.repeat(length) });
    const stage = createRescue({ request, limits: {}, callIds })((event) => {
      if (event.type === 'text-delta') passed.push(event.text);
    });
    const written: string[] = [];
    const writer = new EventWriter((event) => stage.push(event));
    for (const piece of [...section, ...words]) {
      writer.text(piece);
      written.push(piece);
      const held = written.join('').length - passed.join('').length;
      expect(held).toBeLessThanOrEqual(section.length);
      if (piece === words[0]) expect(held).toBe(0);
    }
    writer.end('stop');
    expect(passed.join('')).toBe(written.join(''));
  });

  it('passes as the very events', () => {
    // Also where a delta ends with a letter that some dialect's marker begins with.
    const letters = Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ', (letter) => ` ${letter}`);
    const events = said(['Plain ', 'words', '.\n', ...letters, 'And more.']);
    const found = rescued(events);
    expect(found).toHaveLength(events.length);
    for (const [at, event] of events.entries()) expect(found[at]).toBe(event);
  });

  it.each([1000, 30_000])('is known for a fence that was opened %i characters before', (length) => {
    const words = Array.from({ length: length / 10 }, () => 'ten words\n');
    const { text, calls, codes } = look(said(['```\n', ...words, hermes, '\n```\n', ...words, hermes]));
    expect({ calls: calls.length, codes }).toEqual({ calls: 1, codes: ['call-in-fence', 'call-rescued'] });
    expect(text).toBe(`\`\`\`\n${words.join('')}${hermes}\n\`\`\`\n${words.join('')}`);
  });

  it.each([
    ['a fence', `\`\`\`\n${hermes}\n\`\`\``],
    ['a code span', `\`${hermes.replaceAll('\n', '')}\``],
    ['a quotation at the start', `> ${hermes.replaceAll('\n', ' ')}\nSo it is.`],
    ['quotation marks', `It writes "${hermes}" there.`],
    ['a sentence', `It writes ${hermes} there.`],
  ])('E-086: in %s nothing is taken for a call, which is told once', (_, text) => {
    expect(look(said([text]))).toEqual({
      ...{ text, reasoning: '', finishReason: 'stop', calls: [] },
      codes: ['call-in-fence'],
    });
  });

  it.each([
    ['thinking', `<think>\n${hermes}\n</think>\nDone.`],
    ['a channel of thinking', `<|channel|>analysis<|message|>${hermes}<|end|>`],
    ['a call of a tool that nobody declared', hermes.replace('read', 'write')],
  ])('E-086: in %s nothing is taken for a call', (_, text) => {
    expect(look(said([text]))).toEqual({ text, reasoning: '', finishReason: 'stop', calls: [], codes: [] });
  });

  it('E-086: reasoning of the upstream is never searched', () => {
    const events = said([], (writer) => {
      writer.reasoning(hermes);
      writer.text('Done.');
      writer.end('stop');
    });
    expect(look(events)).toMatchObject({ reasoning: hermes, text: 'Done.', calls: [], codes: [] });
  });

  it.each(['user', 'tool'] as const)('a marker that a %s has written may be quoted', (role) => {
    const content = [{ type: 'text', text: 'The page says <tool_call>{"name": "delete"}</tool_call>' }] as const;
    const message: Message = role === 'user' ? { role, content } : { role, callId: 'call_1', content };
    expect(look(said([hermes]), [message])).toMatchObject({ text: hermes, calls: [], finishReason: 'stop' });
    const other = '[TOOL_CALLS]read[ARGS]{"path":"a"}';
    expect(look(said([other]), [message]).calls).toEqual(['read {"path":"a"}']);
  });
});

it('every look-alike is a dialect', () => {
  for (const id of lookAlikes) expect(dialects.has(id), id).toBe(true);
});
