import { type Dialect, dialects, type PastCall, runStage, type ToolDefinition } from '@dragoman/core';
import { runs, sample } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { demoReply } from './demo-model/demo-model.ts';
import type { PromptMessage } from './demo-model/read-prompt.ts';

const tools: readonly ToolDefinition[] = [
  {
    name: 'read',
    description: 'Reads a file.\n## Notes\nGive <path> & nothing else.',
    inputSchema: {
      type: 'object',
      properties: { filePath: { type: 'string', description: 'The file' }, limit: { type: 'integer' } },
      required: ['filePath'],
    },
  },
  {
    name: 'write',
    description: 'Writes a file',
    inputSchema: {
      type: 'object',
      properties: { filePath: { type: 'string' }, content: { type: 'string' } },
      required: ['filePath', 'content'],
    },
  },
  {
    name: 'get_weather',
    description: 'The weather of a city',
    inputSchema: {
      type: 'object',
      properties: {
        city: { type: 'string' },
        unit: { type: 'string', enum: ['celsius', 'kelvin'], default: 'celsius' },
      },
      required: ['city', 'unit'],
    },
  },
];

interface Heard {
  text: string;
  reasoning: string;
  calls: PastCall[];
}

/** The reply as the gateway reads it: prose, reasoning and calls. */
function hear(reply: string, dialect: Dialect, ordinal: number): Heard {
  const heard: Heard = { text: '', reasoning: '', calls: [] };
  let current: { callId: string; name: string; arguments: string; nativeId?: string; ordinal: number } | undefined;
  for (const span of runStage(dialect.createParser({ tools }), [reply])) {
    if (span.kind === 'text') heard.text += span.text;
    else if (span.kind === 'reasoning') heard.reasoning += span.text;
    else if (span.kind === 'arguments' && current !== undefined) current.arguments += span.text;
    else if (span.kind === 'call') {
      const place = { callId: '', name: span.name, arguments: '', ordinal: ordinal + heard.calls.length };
      current = span.nativeId === undefined ? place : { ...place, nativeId: span.nativeId };
      heard.calls.push(current);
    } else expect(span.kind).not.toBe('call-cut');
  }
  return heard;
}

/** A conversation with the demo model, rendered as the gateway renders it. */
class Talk {
  readonly #dialect: Dialect;
  readonly #messages: PromptMessage[] = [];
  #ordinal = 0;
  #last: readonly PastCall[] = [];

  constructor(dialect: Dialect, options: { readonly parallel?: boolean; readonly required?: boolean } = {}) {
    this.#dialect = dialect;
    const prompt = { choice: options.required ? 'required' : 'auto', parallel: options.parallel ?? true } as const;
    this.#messages.push({ role: 'system', text: `You are a coder.\n\n${dialect.renderTools(tools, prompt)}` });
  }

  ask(text: string): Heard {
    this.#messages.push({ role: 'user', text });
    return this.#reply();
  }

  results(...texts: readonly string[]): Heard {
    const results = this.#last.map((call, index) => {
      const text = texts[index] ?? '';
      return { call, text, status: text.startsWith('Error') ? ('error' as const) : ('ok' as const) };
    });
    this.#messages.push({ role: 'user', text: this.#dialect.renderResults(results) });
    return this.#reply();
  }

  #reply(): Heard {
    const reply = demoReply(this.#messages, this.#dialect);
    expect(demoReply(this.#messages, this.#dialect)).toBe(reply);
    this.#messages.push({ role: 'assistant', text: reply });
    const heard = hear(reply, this.#dialect, this.#ordinal);
    this.#ordinal += heard.calls.length;
    this.#last = heard.calls;
    return heard;
  }
}

const callsOf = ({ calls }: Heard) => calls.map((call) => [call.name, JSON.parse(call.arguments)]);

describe.each(sample([...dialects.values()], 4).map((dialect) => [dialect.id, dialect] as const))(
  'the demo in %s',
  (_, dialect) => {
    it('B-181: reads two files, and its answer quotes both', () => {
      const talk = new Talk(dialect);
      const heard = talk.ask('Read README.md and package.json, then tell me the name.');
      expect(callsOf(heard)).toEqual([
        ['read', { filePath: 'README.md' }],
        ['read', { filePath: 'package.json' }],
      ]);
      expect(heard.text).toContain('README.md');
      const answer = talk.results(
        '# Dragoman\n\nThe interpreter.',
        '{\n  "name": "dragoman-workspace",\n  "private": true\n}',
      );
      expect(answer.calls).toEqual([]);
      expect(answer.text).toContain('> # Dragoman');
      expect(answer.text).toContain('"name": "dragoman-workspace"');
    });

    it('goes step by step, takes over a result, then answers and stops', () => {
      const talk = new Talk(dialect);
      expect(callsOf(talk.ask('Read a.txt, then write its contents to b.txt'))).toEqual([
        ['read', { filePath: 'a.txt' }],
      ]);
      const second = talk.results('line 1\n  line 2 < 3 && "x"');
      expect(callsOf(second)).toEqual([['write', { filePath: 'b.txt', content: 'line 1\n  line 2 < 3 && "x"' }]]);
      expect(talk.results('written').calls).toEqual([]);
    });

    it('makes one call at a time where the prompt says so', () => {
      const talk = new Talk(dialect, { parallel: false });
      expect(callsOf(talk.ask('Read a.txt and b.txt'))).toEqual([['read', { filePath: 'a.txt' }]]);
      expect(callsOf(talk.results('A'))).toEqual([['read', { filePath: 'b.txt' }]]);
      const answer = talk.results('B');
      expect(answer.calls).toEqual([]);
      expect(answer.text).toContain('> A');
      expect(answer.text).toContain('> B');
    });

    it('notices failures', () => {
      const talk = new Talk(dialect);
      talk.ask('Read error.log and b.txt');
      const answer = talk.results('fine', 'Error: no such file');
      expect(answer.calls).toEqual([]);
      expect(answer.text).toContain('1 of 2 calls failed');
      expect(answer.text).toMatch(/b\.txt \(read\) failed:\n> (Error: )?no such file/);
    });

    it('takes up a new request after an answer, and numbers its calls on', () => {
      const talk = new Talk(dialect);
      talk.ask('Read a.txt');
      talk.results('A');
      const heard = talk.ask('And the weather in New York?');
      expect(callsOf(heard)).toEqual([['get_weather', { city: 'New York', unit: 'celsius' }]]);
      expect(talk.results('sun').text).toContain('New York');
    });

    it('says what it is when nothing fits, and calls nothing', () => {
      const heard = new Talk(dialect).ask('Hello, who are you?');
      expect(heard.calls).toEqual([]);
      expect(heard.text).toContain('demo model');
      expect(heard.text).toContain('Hello, who are you?');
      expect(heard.text).toContain('get_weather');
    });

    it('calls something when a call is demanded, once', () => {
      const talk = new Talk(dialect, { required: true });
      expect(talk.ask('Hello!').calls).toHaveLength(1);
      expect(talk.results('done').calls).toEqual([]);
    });

    it('thinks first when asked to', () => {
      const heard = new Talk(dialect).ask('Think hard, then read a.txt.');
      expect(heard.reasoning).toContain('read');
      expect(callsOf(heard)).toEqual([['read', { filePath: 'a.txt' }]]);
    });

    it('answers without tools', () => {
      const reply = demoReply([{ role: 'user', text: 'Read a.txt' }], dialect);
      expect(reply).toContain('No tools are described');
    });

    it('finds tools and request in a first user message too', () => {
      const docs = dialect.renderTools(tools, { choice: 'auto', parallel: true });
      const text = `<system_context>\n${docs}\n</system_context>\n\nRead a.txt`;
      const heard = hear(demoReply([{ role: 'user', text }], dialect), dialect, 0);
      expect(callsOf(heard)).toEqual([['read', { filePath: 'a.txt' }]]);
    });

    it('never throws, whatever the prompt, and repeats itself', () => {
      const word = fc.constantFrom(
        'read',
        'a.txt',
        '"x',
        '`',
        '<tool_response>',
        '</result>',
        '{"name":',
        '## Return of',
        'then',
        ',',
        '\n',
        '<b>',
        '[Tool Result 1]',
        '5',
        'think',
        "'",
      );
      const message = fc.record({
        role: fc.constantFrom('system', 'user', 'assistant', 'tool'),
        text: fc.oneof(
          fc.string(),
          fc.array(word, { maxLength: 30 }).map((parts) => parts.join(' ')),
        ),
      });
      fc.assert(
        fc.property(fc.array(message, { maxLength: 6 }), (messages) => {
          const all = [
            { role: 'system', text: dialect.renderTools(tools, { choice: 'auto', parallel: true }) },
            ...messages,
          ];
          expect(demoReply(all, dialect)).toBe(demoReply(all, dialect));
        }),
        { numRuns: runs(60) },
      );
    });

    it('reads a prompt of hundreds of kilobytes in linear time', () => {
      const many = Array.from({ length: 100 }, (_, index) => ({
        name: `tool_${index}`,
        description: `Does thing ${index}. ${'It has many rules: never do "this" or {that}. '.repeat(60)}`,
        inputSchema: { type: 'object', properties: { thing: { type: 'string' } }, required: ['thing'] },
      }));
      const docs = dialect.renderTools([...many, ...tools], { choice: 'auto', parallel: true });
      expect(docs.length).toBeGreaterThan(250_000);
      const reply = demoReply(
        [
          { role: 'system', text: docs },
          { role: 'user', text: 'Read a.txt' },
        ],
        dialect,
      );
      expect(callsOf(hear(reply, dialect, 0))).toEqual([['read', { filePath: 'a.txt' }]]);
    });
  },
);
