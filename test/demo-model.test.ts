import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planCalls } from '../packages/server/src/transports/scripted/demo-model/plan-calls.ts';
import { codingTools } from '../packages/server/test/coding-tools.ts';

// What docs/demo-model.md says that the demo model understands.

const page = readFileSync(new URL('../docs/demo-model.md', import.meta.url), 'utf8');
const [, table = ''] = page.split('| say | and it calls | |\n');
const lines = table.slice(0, table.indexOf('\n\n')).split('\n').slice(1);
const quoted = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
const rows = lines.map((line) => {
  const [, say = '', calls = ''] = line.split('|');
  return [quoted(say)[0] ?? '', quoted(calls)] as const;
});

/** Only the words of the tools are read, none of them runs. */
const unused = () => expect.fail('a tool ran');
const folder = { path: '', inside: unused, read: unused, write: unused, remove: unused };
const weather = {
  name: 'get_weather',
  description: 'The weather of a city.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const tools = [
  ...codingTools(folder).map(({ name, description, parameters }) => ({ name, description, inputSchema: parameters })),
  weather,
];

describe('docs/demo-model.md', () => {
  it('has a table of what to say', () => {
    expect(rows.length).toBeGreaterThan(6);
  });

  it.each(rows)('%s calls %s', (say, names) => {
    const planned = planCalls(say, tools, 'none');
    expect(planned.map(({ tool }) => tool.name)).toEqual(names);
  });
});
