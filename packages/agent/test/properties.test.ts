import { DragomanError } from '@dragoman/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Chat, ChatStore, type Decision, type Files, MemoryFiles, pairCalls, Session } from '../src/index.ts';
import { CountedVault, ScriptedModel, type ScriptedReply } from './scripted-model.ts';

const notes = { 'a.md': 'Alpha', 'b.md': 'Beta', 'inbox/c.md': 'Gamma' };

const path = fc.constantFrom(
  'a.md',
  'b.md',
  'inbox/c.md',
  'new.md',
  'inbox',
  '../x',
  '.obsidian/app.json',
  'nowhere.md',
);
const text = fc.constantFrom('one', 'two', 'Alpha', '');
const call = fc.oneof(
  fc.tuple(fc.constantFrom('read', 'delete'), fc.record({ path })),
  fc.tuple(fc.constantFrom('write', 'append'), fc.record({ path, text })),
  fc.tuple(fc.constant('move'), fc.record({ path, to: path })),
  fc.tuple(fc.constant('line_edit'), fc.record({ path, old: text, new: text })),
  fc.tuple(fc.constant('list'), fc.record({})),
  fc.constantFrom(['foo', {}] as const, ['read', { path: 7 }] as const, ['write', {}] as const),
);
const cut = { type: 'warning', warning: { code: 'call-cut', message: 'It breaks off.' } } as const;
const reply: fc.Arbitrary<ScriptedReply> = fc
  .record(
    {
      think: fc.constant('Hm.'),
      text: fc.constantFrom('One |two |three', 'STATE: idle\nHello', '<tool_call>{'),
      // Ids of models come twice, and are empty.
      calls: fc.array(fc.tuple(call, fc.constantFrom('same', '', 'other')), { maxLength: 4 }),
      events: fc.constantFrom([], [cut]),
      error: fc.constant(new DragomanError('upstream-cut', 'The server broke off.')),
    },
    { requiredKeys: [] },
  )
  .map(({ calls = [], error, ...rest }) => ({
    ...rest,
    calls: calls.map(([[name, values], id]) => [name, values, id] as const),
    ...(error !== undefined && rest.text !== undefined && { error }),
  }));

const story = fc.record({
  replies: fc.array(reply, { minLength: 1, maxLength: 6 }),
  decisions: fc.array(fc.constantFrom<Decision>('approve', 'reject'), { minLength: 1, maxLength: 4 }),
  /** After so many events its person cancels; after so many writes the program ends. */
  cancelAt: fc.option(fc.nat({ max: 25 })),
  crashAt: fc.option(fc.nat({ max: 40 })),
});

type Story = typeof story extends fc.Arbitrary<infer Value> ? Value : never;

class Crash extends Error {}

/** What happened, and what is left on the disk. */
async function live({ replies, decisions, cancelAt, crashAt }: Story) {
  const files = new MemoryFiles();
  let writes = 0;
  let isOver = false;
  const step = () => {
    writes += 1;
    if (crashAt !== null && writes > crashAt) isOver = true;
    if (isOver) throw new Crash();
  };
  const guarded = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    step();
    return work();
  };
  const disk: Files = {
    read: (name) => files.read(name),
    list: (folder) => files.list(folder),
    stat: (name) => files.stat(name),
    write: (name, content) => guarded(() => files.write(name, content)),
    rename: (from, to) => guarded(() => files.rename(from, to)),
    delete: (name) => guarded(() => files.delete(name)),
  };
  const made: string[] = [];
  const allowed: string[] = [];
  class Vault extends CountedVault {
    override async write(name: string, content: string) {
      step();
      made.push(`write ${name} ${content}`);
      return super.write(name, content);
    }
    override async rename(from: string, to: string) {
      step();
      made.push(`rename ${from} ${to}`);
      return super.rename(from, to);
    }
    override async delete(name: string) {
      step();
      made.push(`delete ${name}`);
      return super.delete(name);
    }
  }
  const vault = new Vault(notes);
  const stop = new AbortController();
  let asked = 0;
  let events = 0;
  const model = new ScriptedModel(...replies);
  const store = new ChatStore({ files: disk, newId: () => 'chat' });
  const session = new Session({
    chat: store.create(),
    store,
    files: disk,
    vault,
    maxSteps: 8,
    ask: async (proposal) => {
      if (proposal.kind === 'call') return 'reject';
      const { kind, path: at, to, after } = proposal;
      const decision = decisions[asked % decisions.length] ?? 'reject';
      asked += 1;
      const what = {
        create: `write ${at} ${after}`,
        change: `write ${at} ${after}`,
        move: `rename ${at} ${to}`,
        delete: `delete ${at}`,
      };
      if (decision === 'approve') allowed.push(what[kind]);
      return decision;
    },
  });
  const request = {
    model,
    settings: { model: 'm' },
    signal: stop.signal,
    emit: () => {
      events += 1;
      if (cancelAt !== null && events > cancelAt) stop.abort(new Error('enough'));
    },
  };
  const end = await session.send('Go.', request).catch((error: unknown) => {
    if (error instanceof Crash) return undefined;
    throw error;
  });
  return { files, vault, made, allowed, end, session, events, stop };
}

function expectPaired({ messages }: Chat): void {
  expect(pairCalls(messages)).toEqual(messages);
  const ids = messages.flatMap((each) =>
    each.role === 'assistant' ? (each.tool_calls ?? []).map(({ id }) => id) : [],
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(messages.flatMap((each) => (each.role === 'tool' ? [each.tool_call_id] : []))).toEqual(ids);
}

describe('whatever a model, a person and a disk do', () => {
  it('the chat loads with every call paired, and nothing was written that its person did not approve', async () => {
    await fc.assert(
      fc.asyncProperty(story, async (told) => {
        const { files, made, allowed, end, session, vault } = await live(told);
        if (told.crashAt === null) expect(end).toBeDefined();
        const left = [...allowed];
        for (const change of made) {
          expect(left).toContain(change);
          left.splice(left.indexOf(change), 1);
        }
        expect([...vault.files.keys()].filter((name) => name.startsWith('.') || name.includes('..'))).toEqual([]);
        if (end !== undefined) expectPaired(session.chat);
        const store = new ChatStore({ files });
        for (const { id, fault } of await store.list()) {
          expect(fault).toBeUndefined();
          expectPaired(await store.open(id));
        }
      }),
    );
  });

  it('without a crash all that was changed is taken back, newest first', async () => {
    await fc.assert(
      fc.asyncProperty(story, async (told) => {
        const { session, vault } = await live({ ...told, crashAt: null });
        const changes = (await session.changes()).length;
        for (let left = changes; left > 0; left -= 1) await session.undo();
        expect(Object.fromEntries(vault.files)).toEqual(notes);
      }),
    );
  });

  it('every change of a program that ended is in the log, so that it can be taken back', async () => {
    await fc.assert(
      fc.asyncProperty(story, async (told) => {
        const { files, vault: left } = await live(told);
        const vault = new CountedVault(Object.fromEntries(left.files));
        const store = new ChatStore({ files });
        const [listed] = await store.list();
        if (listed === undefined) {
          expect(Object.fromEntries(vault.files)).toEqual(notes);
          return;
        }
        const chat = await store.open(listed.id);
        const session = new Session({ chat, store, files, vault, ask: async () => 'reject' });
        // The last one may have been logged and not made: then the file is not what the change made of it, and stays.
        for (const { id } of (await session.changes()).toReversed()) await session.undo(id).catch(() => {});
        expect(Object.fromEntries(vault.files)).toEqual(notes);
      }),
    );
  });
});
