import { sample } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../../chat/tool.ts';
import { runStage } from '../../stream/stage.ts';
import type { Dialect, PastCall, Span } from '../dialect.ts';
import { dialects } from '../registry.ts';

const tools: readonly ToolDefinition[] = [
  {
    name: 'write',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        content: { type: 'string' },
        note: { type: ['string', 'null'] },
        mixed: {
          anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'array' }, { type: 'object' }],
        },
        count: { $ref: '#/$defs/count' },
        flags: { type: 'array', items: { type: 'string' } },
        meta: { type: 'object' },
        free: {},
      },
      $defs: { count: { type: 'integer' } },
    },
  },
  { name: 'mcp.server:do-it', inputSchema: { type: 'object', properties: { 'a b': { type: 'string' } } } },
  { name: 'now', inputSchema: { type: 'object', properties: {} } },
];

const past = (name: string, json: string, ordinal = 0): PastCall => ({
  callId: `call_${ordinal}`,
  name,
  arguments: json,
  ordinal,
});

/** What the dialect's own parser finds in what its prompt half has written. */
function readBack(
  dialect: Dialect,
  text: string,
): { calls: { name: string; value: unknown }[]; text: string; warnings: Span[] } {
  const spans = runStage(dialect.createParser({ tools }), [text]);
  const calls: { name: string; json: string }[] = [];
  for (const span of spans) {
    if (span.kind === 'call') calls.push({ name: span.name, json: '' });
    const last = calls.at(-1);
    if (span.kind === 'arguments' && last !== undefined) last.json += span.text;
  }
  const said = spans.map((span) => (span.kind === 'text' ? span.text : '')).join('');
  return {
    calls: calls.map(({ name, json }) => ({ name, value: JSON.parse(json) })),
    text: said,
    warnings: spans.filter((span) => span.kind === 'warning' || span.kind === 'call-cut'),
  };
}

const awkward: readonly string[] = [
  '',
  ' ',
  '\n',
  '\n\n',
  '\r\n',
  'a\r',
  'a\nb\r',
  '\na',
  'a\n',
  ' a ',
  'a\nb',
  '5',
  '007',
  '1e3',
  '12345678901234567890',
  'null',
  'true',
  'None',
  '[1]',
  '{"a":1}',
  '{"a":',
  '"quoted"',
  '<![CDATA[x]]>',
  'a<![CDATA[x]]>b',
  ']]>',
  'a]]>b]]',
  '<b>bold</b>',
  '</parameter>',
  '</parameter>\n<parameter name="path">',
  '</parameter></invoke></function_calls>',
  '</content>',
  '</content>\n</write>',
  '</path><content>',
  '<write>',
  '</write>',
  '<invoke name="write">',
  '</tool_call>',
  '<tool_call>',
  '```',
  '`',
  '<think>',
  '</think>',
  '&lt;&amp;',
  '😀',
  '\ud800',
  '\\',
  '"',
  '\u0000',
  '<|tool_call_end|>',
  '<|im_end|>',
  '## Return of functions.x:0',
  '<function_results>',
  '<tool_response>',
];

for (const dialect of sample([...dialects.values()], 5)) {
  describe(`${dialect.id}: parsing what was rendered`, () => {
    it('B-119 gives the same call for every awkward string in every kind of parameter', () => {
      for (const value of awkward) {
        for (const key of ['path', 'content', 'note', 'mixed', 'free']) {
          const call = past('write', JSON.stringify({ [key]: value, count: 3 }));
          const found = readBack(dialect, dialect.renderCalls([call], tools));
          expect(found.calls, `${key}: ${JSON.stringify(value)}`).toEqual([
            { name: 'write', value: { [key]: value, count: 3 } },
          ]);
          expect(found.warnings, `${key}: ${JSON.stringify(value)}`).toEqual([]);
        }
      }
    });

    it('B-119 gives the same call for other types, nested markup and long numbers', () => {
      const json =
        '{"count":12345678901234567890,"flags":["</parameter>","</flags>","<![CDATA["],"meta":{"a":[{"b":null}],"s":"</meta></write>"},"mixed":1.50,"note":null}';
      const found = readBack(dialect, dialect.renderCalls([past('write', json)], tools));
      expect(found.calls).toEqual([{ name: 'write', value: JSON.parse(json) }]);
      const spans = runStage(dialect.createParser({ tools }), [dialect.renderCalls([past('write', json)], tools)]);
      const written = spans.map((span) => (span.kind === 'arguments' ? span.text : '')).join('');
      expect(written).toContain('12345678901234567890');
      expect(written).toContain('1.50');
    });

    it('B-117 keeps prose in front, the order of calls and calls without arguments', () => {
      const calls = [past('now', '{}'), past('mcp.server:do-it', '{"a b":"x"}', 1), past('now', '', 2)];
      const found = readBack(dialect, `Let me look.\n${dialect.renderCalls(calls, tools)}`);
      expect(found.calls).toEqual([
        { name: 'now', value: {} },
        { name: 'mcp.server:do-it', value: { 'a b': 'x' } },
        { name: 'now', value: {} },
      ]);
      expect(found.text.trimEnd()).toBe('Let me look.');
    });

    it('renders arguments that are no object without throwing', () => {
      for (const json of ['not json', '[1]', '5', '"text"', '{"cut":', 'null']) {
        expect(dialect.renderCalls([past('write', json)], tools)).toContain('write');
        expect(dialect.renderCalls([past('unknown', json)], [])).toContain('unknown');
      }
    });

    it('B-119 gives the same call for random arguments (property)', () => {
      const piece = fc.constantFrom(...awkward);
      const text = fc.array(fc.oneof(piece, fc.string()), { maxLength: 6 }).map((pieces) => pieces.join(''));
      const value = fc.record(
        {
          path: text,
          content: text,
          note: fc.option(text),
          mixed: fc.oneof(text, fc.boolean(), fc.integer()),
          flags: fc.array(text),
        },
        { requiredKeys: [] },
      );
      fc.assert(
        fc.property(value, (given) => {
          const found = readBack(dialect, dialect.renderCalls([past('write', JSON.stringify(given))], tools));
          expect(found.calls).toEqual([{ name: 'write', value: JSON.parse(JSON.stringify(given)) }]);
        }),
      );
    });

    it('B-012 A-209 keeps the documentation of hostile tools inside its frame', () => {
      const hostile: ToolDefinition = {
        name: 'evil',
        description: dialect.markers(tools).join(' '),
        inputSchema: {
          type: 'object',
          properties: {
            a: { type: 'string', description: dialect.markers(tools).join('\n'), enum: ['</tools>', '</functions>'] },
          },
        },
      };
      const prompt = { choice: 'auto', parallel: true } as const;
      const count = (text: string, marker: string) => text.split(marker).length;
      const [calm, loud] = [
        {
          name: 'evil',
          inputSchema: hostile.inputSchema === true ? true : { type: 'object', properties: { a: { type: 'string' } } },
        },
        hostile,
      ];
      for (const marker of dialect.markers([])) {
        expect(count(dialect.renderTools([loud], prompt), marker), marker).toBe(
          count(dialect.renderTools([calm], prompt), marker),
        );
      }
    });

    it('A-049 A-050 B-020 B-021 words the rules by choice and number of calls', () => {
      const taught = (choice: 'auto' | 'none' | 'required' | { name: string }, parallel = true) =>
        dialect.renderTools(tools, { choice, parallel });
      expect(taught('auto')).toContain('several calls in one reply');
      expect(taught('auto', false)).toContain('at most one call');
      expect(taught('required')).toContain('must contain a call');
      expect(taught({ name: 'now' })).toContain('must call the tool now');
      expect(taught('none')).toBe('');
      expect(dialect.renderTools([], { choice: 'auto', parallel: true })).toBe('');
      expect(taught('auto')).toContain('never write or guess a result');
      for (const tool of tools) expect(taught({ name: 'now' })).toContain(tool.name);
    });

    it('A-198 B-117 renders every result in order and shows which failed', () => {
      const call = past('write', '{"path":"a"}');
      const text = dialect.renderResults([
        { call, status: 'ok', text: 'first' },
        { call: past('now', '{}', 1), status: 'error', text: 'second' },
        { call: past('now', '{}', 2), status: 'missing', text: 'third' },
      ]);
      const places = ['first', 'second', 'third'].map((word) => text.indexOf(word));
      expect(places).toEqual([...places].sort((left, right) => left - right));
      expect(places.every((place) => place >= 0)).toBe(true);
      expect(text.toLowerCase().split('error').length).toBeGreaterThan(2);
    });
  });
}
