import { createDirectClient, dialects, type PastCall } from '@dragoman/core';
import { chatStream, sample } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { gatewayForTest, upstreamForTest } from '../../server/test/for-test.ts';
import { createVaultTools } from '../src/index.ts';
import { startWorld, type World } from './scripted-model.ts';

// The agent over the real gateway, in front of a server whose model writes its calls as text.

type Call = readonly [name: string, values: object];

interface Scenario {
  readonly title: string;
  readonly notes: Readonly<Record<string, string>>;
  /** What the model calls, a reply each; after them it answers. */
  readonly calls: readonly Call[];
  readonly expect: (world: World, results: readonly string[]) => void | Promise<void>;
}

const scenarios: readonly Scenario[] = [
  {
    title: 'D-096, D-097: a file is read, once, with one result',
    notes: { 'a.md': 'Alpha' },
    calls: [['read', { path: 'a.md' }]],
    expect: ({ vault }, results) => expect([vault.reads, results]).toEqual([['a.md'], ['Alpha']]),
  },
  {
    title: 'D-096, D-098: listed first, then read, in nested folders',
    notes: { 'deep/er/plan.md': 'The plan', 'deep/x.png': '' },
    calls: [
      ['list', { filter: '.md' }],
      ['read', { path: 'deep/er/plan.md' }],
    ],
    expect: (_, results) => expect(results).toEqual(['deep/er/plan.md', 'The plan']),
  },
  {
    title: 'D-098: not found, and an empty folder, are told',
    notes: {},
    calls: [
      ['read', { path: 'a.md' }],
      ['list', {}],
    ],
    expect: (_, results) =>
      expect(results).toEqual([expect.stringContaining('There is nothing at "a.md"'), 'There are no files here yet.']),
  },
  {
    title: 'D-096, D-098: created, added to, edited in several steps with consent, and taken back',
    notes: {},
    calls: [
      ['write', { path: 'todo.md', text: '# To do\nmilk\n' }],
      ['append', { path: 'todo.md', text: 'tea' }],
      ['line_edit', { path: 'todo.md', old: 'milk', new: 'oat milk' }],
    ],
    expect: async ({ vault, session, proposed }) => {
      expect(proposed).toEqual(['todo.md', 'todo.md', 'todo.md']);
      expect(vault.files.get('todo.md')).toBe('# To do\noat milk\ntea');
      await session.undo();
      expect(vault.files.get('todo.md')).toBe('# To do\nmilk\ntea');
    },
  },
  {
    title: 'D-051, D-098: a model that reads the same file again and again reads it once',
    notes: { 'a.md': 'Alpha' },
    calls: [1, 2, 3, 4, 5, 6].map(() => ['read', { path: 'a.md' }] as const),
    expect: ({ vault }, results) => {
      expect(vault.reads).toEqual(['a.md']);
      expect(results).toHaveLength(3);
    },
  },
];

describe.each(sample(['hermes', 'qwen3-coder', 'mistral-json', 'llama3-json', 'glm'], 2))(
  'a model that writes %s',
  (id) => {
    it.each(scenarios)('$title', async ({ notes, calls, expect: check }) => {
      const dialect = dialects.get(id);
      if (dialect === undefined) throw new Error(id);
      const upstream = await upstreamForTest({ fallback: chatStream('That is all.') });
      const models = { m: { toolCalling: { dialect: id } } };
      const up = { wire: 'openai-chat', baseUrl: upstream.baseUrl, models };
      const gateway = await gatewayForTest({ config: { upstreams: { up } } });
      const tools = createVaultTools();
      const texts = calls.map(([name, values], ordinal) => {
        const call: PastCall = { callId: `c${ordinal}`, ordinal, name, arguments: JSON.stringify(values) };
        return chatStream(dialect.renderCalls([call], tools), { pieces: 9 });
      });
      upstream.next(...texts);
      const model = createDirectClient({ url: `http://127.0.0.1:${gateway.port}/v1` });
      const world = startWorld(model, { notes });
      await world.session.send('Go on.', { model, settings: { model: 'up/m' }, signal: new AbortController().signal });
      const { messages } = world.session.chat;
      await check(
        world,
        messages.filter(({ role }) => role === 'tool').map(({ content }) => content),
      );
      const { length } = messages.filter((message) => message.role === 'assistant' && message.tool_calls !== undefined);
      expect(length).toBe(Math.min(calls.length, 3));
    });
  },
);
