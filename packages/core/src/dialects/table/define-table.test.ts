import { bareTables, exampleTables } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { formMarkers } from '../parser/markers/form-markers.ts';
import { dialects } from '../registry.ts';
import { checkTable, defineTable } from './define-table.ts';
import type { TableDialect } from './table-dialect.ts';

const past = { callId: 'c', name: 'read', arguments: '{"path": "a.md"}', ordinal: 0 };

describe('a dialect of a table', () => {
  it.each([...Object.entries(exampleTables), ...Object.entries(bareTables)])(
    'like %s has nothing wrong in it',
    (_, table) => {
      expect(checkTable(table)).toEqual([]);
    },
  );

  it.each([...dialects])(
    'with all that there is reads what the built-in %s reads, which has all that its table needs',
    (id, dialect) => {
      const tools = [{ name: 'read', inputSchema: { type: 'object', properties: { path: {} } } }];
      const markersOf = ({ grammar }: TableDialect) =>
        [...formMarkers(grammar({ tools }))].map(([literal, { kind }]) => `${kind} ${literal}`);
      expect(markersOf(dialect)).toEqual(markersOf(defineTable(id, dialect.table)));
    },
  );

  it.each(['hermes', 'qwen3-coder', 'anthropic-xml', 'glm'])('writes calls as the built-in %s does', (id) => {
    const calls = [past, { ...past, ordinal: 1, arguments: '{}' }];
    const table = exampleTables[id];
    if (table === undefined) throw new Error(id);
    expect(defineTable(id, table).renderCalls(calls, [])).toBe(dialects.get(id)?.renderCalls(calls, []));
  });

  it('teaches the tools and shows the form of a call', () => {
    const dialect = defineTable('x', { call: { form: 'json', opener: '<c>', closer: '</c>' } });
    const taught = dialect.renderTools([{ name: 'read', inputSchema: {} }], { choice: 'auto', parallel: false });
    expect(taught).toContain('{"type":"function","function":{"name":"read","parameters":{}}}');
    expect(taught).toContain('<c>{"name": "TOOL_NAME", "arguments": {"PARAMETER": "VALUE"}}</c>');
    expect(dialect.renderTools([], { choice: 'auto', parallel: true })).toBe('');
  });

  it('shows several calls as they are written, below their rule', () => {
    const dialect = defineTable('x', { call: { form: 'json', opener: '<c>', closer: '</c>' } });
    const tools = [{ name: 'read', inputSchema: {} }];
    const call = (name: string) => `<c>{"name": "${name}", "arguments": {"PARAMETER": "VALUE"}}</c>`;
    const shown = `\n- Several calls are together like this:\n${call('TOOL_NAME')}\n${call('OTHER_TOOL')}\n- `;
    expect(dialect.renderTools(tools, { choice: 'auto', parallel: true })).toContain(shown);
    expect(dialect.renderTools(tools, { choice: 'auto', parallel: false })).not.toContain('OTHER_TOOL');
  });

  it('describes the tools as the table says, also those without a description', () => {
    const call = { form: 'json', opener: '<c>', closer: '</c>' } as const;
    const tools = [
      { name: 'read', description: 'Reads.', inputSchema: {} },
      { name: 'now', inputSchema: {} },
    ];
    const taught = (tool: string) =>
      defineTable('x', { call, lesson: { tools: { opener: '<all>\n', closer: '\n</all>', tool } } }).renderTools(
        tools,
        {
          choice: 'auto',
          parallel: true,
        },
      );
    expect(taught('{name}: {description}\n  takes {parameters}')).toContain(
      'You can call the tools between <all> and </all>.\n\n<all>\nread: "Reads."\n  takes {}\nnow: \n  takes {}\n</all>',
    );
    expect(taught('// {description}\ntool {name}')).toContain('<all>\n// "Reads."\ntool read\ntool now\n</all>');
    expect(taught('fields')).toContain('<all>\n{"name":"read","description":"Reads.","parameters":{}}\n');
  });

  it('puts the name and the id of a call into the frame of its result', () => {
    const call = { form: 'json', opener: '<c>', closer: '</c>' } as const;
    const framed = defineTable('x', { call, result: { opener: '[RES {name} {id}] ', closer: ' [/R]' } });
    expect(framed.renderResults([{ status: 'ok', text: 'fine', call: { ...past, nativeId: 'i7' } }])).toBe(
      '[RES read i7] fine [/R]',
    );
    expect(framed.markers([])).toContain('[RES');
    const plain = defineTable('x', { call });
    expect(plain.renderResults([{ status: 'error', text: 'no', call: past }])).toBe(
      '<tool_response>\nError: no\n</tool_response>',
    );
  });
});
