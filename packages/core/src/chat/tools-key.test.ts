import { expect, it } from 'vitest';
import type { ToolDefinition } from './tool.ts';
import { keyOfTools } from './tools-key.ts';

const tools = (name: string): readonly ToolDefinition[] => [{ name, inputSchema: { type: 'object', properties: {} } }];

it('is the same for tools of the same content, and another for others', () => {
  expect(keyOfTools(tools('read'))).toBe(keyOfTools(tools('read')));
  expect(keyOfTools(tools('read'))).not.toBe(keyOfTools(tools('write')));
  expect(keyOfTools([])).not.toBe(keyOfTools(tools('read')));
});

it('is never that of other tools, however many there have been', () => {
  const long = 'x'.repeat(100_000);
  const keys = Array.from({ length: 100 }, (_, at) => keyOfTools(tools(`${at}${long}`)));
  expect(new Set(keys).size).toBe(100);
  expect(keyOfTools(tools(`99${long}`))).toBe(keys[99]);
  // The first ones are forgotten.
  expect(keys).not.toContain(keyOfTools(tools(`0${long}`)));
});
