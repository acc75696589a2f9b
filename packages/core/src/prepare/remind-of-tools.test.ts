import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../chat/tool.ts';
import { dialects } from '../dialects/registry.ts';
import { runStage } from '../stream/stage.ts';
import { listTools, showCall } from './remind-of-tools.ts';

const tool = (description: string): ToolDefinition => ({
  name: 'read_file',
  description,
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
});

describe.each([...dialects.values()])('what $id is reminded of', (dialect) => {
  it('A-116: equal tools are written once, changed ones anew', () => {
    let asked = 0;
    const counting = {
      ...dialect,
      markers: (tools: readonly ToolDefinition[]) => {
        asked += 1;
        return dialect.markers(tools);
      },
    };
    const list = (description: string) => listTools(counting, [tool(description)], 'line');
    expect(list('Reads.')).toBe('read_file: Reads.');
    expect(list('Reads.')).toBe('read_file: Reads.');
    expect(asked).toBe(1);
    expect(list('Reads a file.')).toBe('read_file: Reads a file.');
    expect(asked).toBe(2);
  });

  it('A-102: the tools as short as wanted', () => {
    expect(listTools(dialect, [tool('Reads.'), tool('Reads too.')], 'signature')).toBe(
      'read_file(path: string)\nread_file(path: string)',
    );
    expect(listTools(dialect, [tool('Reads.')], 'schema')).toContain('"required"');
  });

  it('shows a call that reads as one, and no description can', () => {
    const tools = [tool(showCall(dialect, [tool('Reads.')]))];
    const callsIn = (text: string) =>
      runStage(dialect.createParser({ tools }), [text]).filter(({ kind }) => kind === 'call');
    expect(callsIn(showCall(dialect, tools))).toMatchObject([{ name: 'read_file' }]);
    for (const form of ['line', 'signature', 'stub'] as const)
      expect(callsIn(listTools(dialect, tools, form))).toEqual([]);
    expect(showCall(dialect, [])).toBe('');
  });
});
