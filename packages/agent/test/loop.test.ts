import { DragomanError } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import type { ChatMessage, Tool } from '../src/index.ts';
import { ScriptedModel, startWorld } from './scripted-model.ts';

const notes = { 'a.md': 'Alpha', 'b.md': 'Beta', 'inbox/c.md': 'Gamma' };
const read = (path: string) => ['read', { path }] as const;
const roles = (messages: readonly ChatMessage[]) => messages.map(({ role }) => role);
const toolTexts = (messages: readonly ChatMessage[]) =>
  messages.filter(({ role }) => role === 'tool').map(({ content }) => content);

describe('the loop', () => {
  it('D-050, D-097: asks, runs, tells the result by its id, until there is an answer; one file is read once', async () => {
    const model = new ScriptedModel({ text: 'I look.', calls: [read('a.md')] }, { text: 'It says Alpha.' });
    const { session, vault, send, events } = startWorld(model, { notes });
    expect(await send('What is in a.md?')).toEqual({ reason: 'answer' });
    expect(vault.reads).toEqual(['a.md']);
    expect(session.chat.messages).toEqual([
      { role: 'user', content: 'What is in a.md?' },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [{ id: 'call_1', name: 'read', arguments: { path: 'a.md' } }],
      },
      { role: 'tool', content: 'Alpha', tool_call_id: 'call_1' },
      { role: 'assistant', content: 'It says Alpha.' },
    ]);
    expect(model.asked[1]?.messages.slice(-2)).toMatchObject([
      { role: 'assistant', content: [{ type: 'text' }, { type: 'tool-call', callId: 'call_1' }] },
      { role: 'tool', callId: 'call_1', name: 'read', status: 'ok' },
    ]);
    expect(events.map(({ type }) => type)).toEqual([
      'reply',
      'text',
      'call-start',
      'message',
      'running',
      'message',
      'reply',
      'text',
      'message',
    ]);
  });

  it('D-053: messages have content and snake_case, and no other fields', async () => {
    const { session, send } = startWorld(new ScriptedModel({ think: 'Hm.', calls: [read('a.md')] }), { notes });
    await send('Read.');
    const keys = new Set(session.chat.messages.flatMap((message) => Object.keys(message)));
    expect([...keys].sort()).toEqual(['content', 'role', 'think', 'tool_call_id', 'tool_calls']);
  });

  it('D-050: ends at the limit of steps, and the model answers in words without tools', async () => {
    const replies = ['a.md', 'b.md', 'inbox/c.md'].map((path) => ({ calls: [read(path)] }));
    const model = new ScriptedModel(...replies);
    const { send, session } = startWorld(model, { notes, maxSteps: 2 });
    expect(await send('Read all.')).toEqual({ reason: 'steps' });
    expect(model.asked.map(({ toolChoice }) => toolChoice)).toEqual(['auto', 'auto', 'none']);
    expect(roles(session.chat.messages)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool']);
  });

  it('D-051: the same call again is answered from what is known, a third one ends the loop', async () => {
    const again = { calls: [read('a.md')] };
    const model = new ScriptedModel(again, { calls: [['read', { ...{ path: 'a.md' } }]] }, again, {
      text: 'Alpha it is.',
    });
    const { send, vault, session } = startWorld(model, { notes });
    expect(await send('Read a.md.')).toEqual({ reason: 'repeats' });
    expect(vault.reads).toEqual(['a.md']);
    expect(toolTexts(session.chat.messages)).toEqual([
      'Alpha',
      expect.stringContaining('before'),
      expect.stringContaining('before'),
    ]);
    expect(session.chat.messages.at(-1)).toEqual({ role: 'assistant', content: 'Alpha it is.' });
  });

  it('D-052: after a change the same call runs again, but not the change itself', async () => {
    const write = ['write', { path: 'a.md', text: 'New' }] as const;
    const model = new ScriptedModel(
      { calls: [read('a.md')] },
      { calls: [write] },
      { calls: [read('a.md')] },
      { calls: [write] },
    );
    const { send, session, proposed } = startWorld(model, { notes });
    expect(await send('Change it.')).toEqual({ reason: 'answer' });
    const results = toolTexts(session.chat.messages);
    expect([results[0], results[2]]).toEqual(['Alpha', 'New']);
    expect(results[3]).toContain('before');
    expect(proposed).toEqual(['a.md']);
  });

  it('D-060: an unknown tool is told with those that there are', async () => {
    const model = new ScriptedModel({ calls: [['foo', {}]] });
    const { send, session } = startWorld(model);
    await send('Go.');
    expect(session.chat.messages[2]).toMatchObject({ role: 'tool', tool_result: { status: 'error' } });
    expect(model.lastResult).toContain('active_file, list, read, search, write, append, line_edit, move, delete');
  });

  it('D-055: arguments that do not fit are told with the parameter, and nothing runs', async () => {
    const model = new ScriptedModel({ calls: [['read', { path: 7 }]] });
    const { send, vault } = startWorld(model, { notes });
    await send('Go.');
    expect(model.lastResult).toContain('$.path');
    expect(vault.reads).toEqual([]);
  });

  const tool = (run: Tool['run'], more: Partial<Tool> = {}): Tool => ({
    name: 'own',
    description: 'A tool of a test.',
    inputSchema: { type: 'object', properties: {} },
    reads: true,
    run,
    ...more,
  });

  it('D-015, D-055: a tool gets the arguments and the vault to read, and no way to write', async () => {
    let seen: unknown;
    const own = tool(async (values, context) => {
      seen = [values, Object.keys(context).sort(), Object.keys(context.vault).sort()];
      return context.vault.read('a.md');
    });
    const model = new ScriptedModel({ calls: [['own', { deep: { list: [1, 'x'] } }]] });
    await startWorld(model, { notes, tools: [own] }).send('Go.');
    expect(seen).toEqual([
      { deep: { list: [1, 'x'] } },
      ['change', 'signal', 'vault'],
      ['active', 'confine', 'list', 'read', 'stat'],
    ]);
    expect(model.lastResult).toBe('Alpha');
  });

  it('D-061: a tool that throws, gives nothing or takes too long is an error that the model reads', async () => {
    const runs: readonly (readonly [Tool['run'], string])[] = [
      [() => Promise.reject(new Error('broken pipe')), 'own failed: broken pipe'],
      [
        () => {
          throw new TypeError('at once');
        },
        'own failed: at once',
      ],
      [async () => JSON.parse('null'), 'own failed: it gave no text.'],
      [() => new Promise(() => {}), 'own took longer than 0.005 s and was broken off.'],
    ];
    for (const [run, told] of runs) {
      const model = new ScriptedModel({ calls: [['own', {}]] });
      const { send, session } = startWorld(model, { tools: [tool(run, { timeout: 5 })] });
      expect(await send('Go.')).toEqual({ reason: 'answer' });
      expect(session.chat.messages[2]).toMatchObject({ content: told, tool_result: { status: 'error' } });
    }
  });

  it('D-064: a long result is cut, with a note', async () => {
    const model = new ScriptedModel({ calls: [read('big.md')] });
    await startWorld(model, { notes: { 'big.md': 'x'.repeat(1_000_000) } }).send('Go.');
    expect(model.lastResult.length).toBeLessThan(20_200);
    expect(model.lastResult).toContain('of 1000000 characters');
  });

  it('D-062: cancelling keeps the partial text and runs nothing more', async () => {
    const stop = new AbortController();
    const during = (piece: number) => {
      if (piece === 2) stop.abort();
    };
    const model = new ScriptedModel({ text: 'One |two |three', during, calls: [read('a.md')] });
    const { send, session, vault } = startWorld(model, { notes });
    expect(await send('Go.', { signal: stop.signal })).toEqual({ reason: 'cancelled' });
    expect(session.chat.messages.at(-1)).toEqual({ role: 'assistant', content: 'One two ' });
    expect([vault.reads, model.asked.length]).toEqual([[], 1]);
  });

  it('D-062: cancelling while a tool runs and a person is asked pairs every call, and writes nothing', async () => {
    const stop = new AbortController();
    const calls = [['write', { path: 'n.md', text: 'x' }], read('a.md')] as const;
    const model = new ScriptedModel({ calls });
    const { send, session, vault } = startWorld(model, {
      notes,
      ask: () => {
        stop.abort();
        return new Promise(() => {});
      },
    });
    expect(await send('Go.', { signal: stop.signal })).toEqual({ reason: 'cancelled' });
    expect(session.chat.messages.slice(2)).toMatchObject([
      { role: 'tool', tool_call_id: 'call_1', tool_result: { status: 'cancelled' } },
      { role: 'tool', tool_call_id: 'call_2', tool_result: { status: 'cancelled' } },
    ]);
    expect(vault.writes).toEqual([]);
  });

  it('D-006: a call that cannot be read is told to the model, once', async () => {
    const cut = { type: 'warning', warning: { code: 'call-cut', message: 'The JSON breaks off.' } } as const;
    const broken = { text: '<tool_call>{"name":', events: [cut] };
    const model = new ScriptedModel(broken, broken, { text: 'never asked' });
    const { send, session } = startWorld(model);
    expect(await send('Go.')).toEqual({ reason: 'answer' });
    expect(model.asked).toHaveLength(2);
    expect(session.chat.messages[2]).toEqual({
      role: 'system',
      content: expect.stringContaining('could not be read: The JSON breaks off.'),
    });
  });

  it('independent reads run side by side, and results are in the order of their calls', async () => {
    const order: string[] = [];
    let release = () => {};
    const slow = tool(
      async () => {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        order.push('slow');
        return 'slow';
      },
      { name: 'slow' },
    );
    const quick = tool(
      async () => {
        order.push('quick');
        release();
        return 'quick';
      },
      { name: 'quick' },
    );
    const model = new ScriptedModel({
      calls: [
        ['slow', {}],
        ['quick', {}],
      ],
    });
    const { send, session } = startWorld(model, { tools: [slow, quick] });
    await send('Go.');
    expect(order).toEqual(['quick', 'slow']);
    expect(toolTexts(session.chat.messages)).toEqual(['slow', 'quick']);
  });

  it('an error of the server keeps what came and names itself', async () => {
    const error = new DragomanError('upstream-cut', 'The server broke off.');
    const { send, session } = startWorld(new ScriptedModel({ text: 'Half', error }));
    expect(await send('Go.')).toEqual({ reason: 'error', error });
    expect(session.chat.messages.at(-1)).toEqual({ role: 'assistant', content: 'Half' });
  });

  it('D-080: a reply without an answer is told as such', async () => {
    const { send } = startWorld(new ScriptedModel({ think: 'I only think.' }));
    expect(await send('Go.')).toEqual({ reason: 'empty' });
  });

  it('retry goes back to what a person said, in other words where they want', async () => {
    const model = new ScriptedModel({ text: 'One.' }, { text: 'Two.' });
    const { send, session } = startWorld(model);
    await send('First.');
    const request = { model, settings: { model: 'm' }, signal: new AbortController().signal };
    await session.retry(0, { ...request, text: 'Other.' });
    expect(session.chat.messages).toEqual([
      { role: 'user', content: 'Other.' },
      { role: 'assistant', content: 'Two.' },
    ]);
    expect(() => session.retry(1, request)).toThrow(RangeError);
  });
});

describe('a session', () => {
  it('D-055: tools that come while a chat is open are there for its next task', async () => {
    const tools: Tool[] = [];
    const model = new ScriptedModel({ text: 'Hello.' }, { calls: [['late', {}]] });
    const world = startWorld(model, { tools });
    await world.send('One.');
    tools.push({
      name: 'late',
      description: 'Comes late.',
      inputSchema: { type: 'object' },
      reads: true,
      run: async () => 'Here.',
    });
    await world.send('Two.');
    expect(model.asked.map((request) => request.tools.some(({ name }) => name === 'late'))).toEqual([
      false,
      true,
      true,
    ]);
    expect(model.lastResult).toBe('Here.');
  });

  it('D-033: a title and settings that are given at any moment stay, and so do the messages', async () => {
    const given: Promise<unknown>[] = [];
    const model = new ScriptedModel({
      text: 'One|two.',
      calls: [read('a.md')],
      during: () => void given.push(world.session.update({ title: 'Mine', settings: { model: 'other' } })),
    });
    const world = startWorld(model, { notes });
    const { session, send, store } = world;
    await session.update({ settings: { model: 'first' } });
    expect(await store.list()).toEqual([]);
    await send('Go.');
    await Promise.all(given);
    expect(given).toHaveLength(2);
    const saved = await store.open(session.chat.id);
    expect(saved).toMatchObject({ title: 'Mine', settings: { model: 'other' } });
    expect(roles(saved.messages)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    await session.update({ title: 'Yours' });
    await send('Again.');
    expect((await store.list()).map(({ title }) => title)).toEqual(['Yours']);
  });
});
