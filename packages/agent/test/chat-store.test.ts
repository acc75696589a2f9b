import { describe, expect, it } from 'vitest';
import { type ChatMessage, ChatStore, type Files, MemoryFiles } from '../src/index.ts';

const user = (content: string): ChatMessage => ({ role: 'user', content });
const said = (content: string, think?: string): ChatMessage => ({
  role: 'assistant',
  content,
  ...(think !== undefined && { think }),
});

function openStore(files: Files = new MemoryFiles(), more: { readonly keepThink?: boolean } = {}) {
  let time = 1_000;
  const now = () => {
    time += 1;
    return time;
  };
  return new ChatStore({ files, now, newId: () => `c${now()}`, ...more });
}

const fileOf = async (files: Files, id: string) => JSON.parse(await files.read(`chats/${id}.json`));

describe('chats', () => {
  it('D-033: are created, listed newest first, opened and deleted', async () => {
    const files = new MemoryFiles();
    const store = openStore(files);
    const one = await store.save(store.create(), { messages: [user('One?')] });
    const two = await store.save(store.create({ model: 'own' }), { messages: [user('Two?')] });
    expect((await store.list()).map(({ title }) => title)).toEqual(['Two?', 'One?']);
    expect(await openStore(files).open(two.id)).toEqual(two);
    expect(two.settings).toEqual({ model: 'own' });
    await store.save(one, { messages: [...one.messages, said('1')] });
    await store.delete(two.id);
    expect((await openStore(files).list()).map(({ id }) => id)).toEqual([one.id]);
    await expect(store.open(two.id)).rejects.toMatchObject({ code: 'missing' });
    expect(await files.list('chats')).toEqual([`${one.id}.json`]);
  });

  it('D-033: the title is the first line that was asked, 50 characters at most, until its person gives one', async () => {
    const store = openStore();
    const long = `${'x'.repeat(48)}😀${'y'.repeat(9)}\nmore`;
    const chat = await store.save(store.create(), { messages: [user(long)] });
    expect(chat.title).toBe(`${'x'.repeat(48)}…`);
    const named = await store.rename(chat, 'Mine');
    expect((await store.save(named, { messages: [user('Other')] })).title).toBe('Mine');
    expect(store.create().title).toBe('New chat');
  });

  it('D-023: thoughts are kept only where that is wanted, and shown where a file has them', async () => {
    for (const keepThink of [false, true]) {
      const files = new MemoryFiles();
      const store = openStore(files, { keepThink });
      const chat = await store.save(store.create(), { messages: [user('?'), said('!', 'Hm.')] });
      expect(chat.messages[1]).toEqual(said('!', 'Hm.'));
      const { messages } = await fileOf(files, chat.id);
      expect(messages[1]).toEqual(keepThink ? said('!', 'Hm.') : said('!'));
      if (keepThink) expect((await openStore(files).open(chat.id)).messages[1]).toEqual(said('!', 'Hm.'));
    }
  });

  it('D-035: files have a version; one of a later version is refused and left as it is', async () => {
    const files = new MemoryFiles();
    const store = openStore(files);
    const chat = await store.save(store.create(), { messages: [user('?')] });
    expect((await fileOf(files, chat.id)).version).toBe(2);
    const newer = '{"version":3,"messages":[]}';
    await files.write(`chats/${chat.id}.json`, newer);
    await expect(store.open(chat.id)).rejects.toMatchObject({ code: 'newer' });
    await expect(store.save(chat, { messages: [] })).rejects.toMatchObject({ code: 'newer' });
    expect(await files.read(`chats/${chat.id}.json`)).toBe(newer);
    expect(await store.list()).toMatchObject([{ id: chat.id, fault: 'newer' }]);
  });

  it('D-034: a damaged file is listed as such and hides no other, nor does a damaged index', async () => {
    const files = new MemoryFiles();
    const store = openStore(files);
    const chat = await store.save(store.create(), { messages: [user('?')] });
    await files.write('chats/broken.json', '{"messages":[{');
    await files.write('index.json', 'no index');
    expect(await openStore(files).list()).toMatchObject([
      { id: chat.id, title: '?' },
      { id: 'broken', fault: 'unreadable' },
    ]);
    await expect(store.open('broken')).rejects.toMatchObject({ code: 'unreadable' });
    expect(await files.read('chats/broken.json')).toBe('{"messages":[{');
    await store.delete('broken');
    expect(await store.list()).toHaveLength(1);
  });

  it('D-034: whichever write fails, the old chat or the new one is there', async () => {
    for (let failing = 0; ; failing += 1) {
      const files = new MemoryFiles();
      const store = openStore(files);
      const chat = await store.save(store.create(), { messages: [user('old')] });
      let steps = 0;
      const fail = async <Result>(work: () => Promise<Result>): Promise<Result> => {
        steps += 1;
        if (steps === failing + 1) throw new Error('disk full');
        return work();
      };
      const flaky: Files = {
        read: (path) => files.read(path),
        list: (folder) => files.list(folder),
        stat: (path) => files.stat(path),
        write: (path, text) => fail(() => files.write(path, text)),
        rename: (from, to) => fail(() => files.rename(from, to)),
        delete: (path) => fail(() => files.delete(path)),
      };
      const other = openStore(flaky);
      const saved = await other.save(await other.open(chat.id), { messages: [user('new')] }).catch(() => undefined);
      const content = (await openStore(files).open(chat.id)).messages[0]?.content;
      expect(['old', 'new']).toContain(content);
      expect((await openStore(files).list()).map(({ title }) => title)).toEqual([content]);
      if (saved === undefined) continue;
      expect(content).toBe('new');
      expect(failing).toBeGreaterThan(2);
      return;
    }
  });

  it('two windows on one chat lose nothing', async () => {
    const files = new MemoryFiles();
    const here = openStore(files);
    const there = openStore(files);
    const begun = await here.save(here.create(), { messages: [user('begin')] });
    const same = await there.open(begun.id);
    const ours = await here.save(begun, { messages: [...begun.messages, said('here')] });
    const theirs = await there.save(same, { messages: [...same.messages, said('there')] });
    expect(theirs.messages.map(({ content }) => content)).toEqual(['begin', 'here', 'there']);
    await there.rename(theirs, 'Mine');
    const last = await here.save(ours, { messages: [...ours.messages, user('more')] });
    expect(last.messages.map(({ content }) => content)).toEqual(['begin', 'here', 'there', 'more']);
    expect(last.title).toBe('Mine');
    const both = await Promise.all([
      here.save(last, { messages: [...last.messages, user('h')] }),
      openStore(files).list(),
      there.open(begun.id).then((chat) => there.save(chat, { messages: [...chat.messages, user('t')] })),
    ]);
    expect(both).toHaveLength(3);
    const end = (await openStore(files).open(begun.id)).messages.map(({ content }) => content);
    expect(end).toEqual(expect.arrayContaining(['begin', 'here', 'there', 'more', 'h', 't']));
  });

  it('another window sees a chat whose call is under way, and its result is not lost', async () => {
    const files = new MemoryFiles();
    const here = openStore(files);
    const call = { id: 'c1', name: 'read', arguments: {} };
    const asked: ChatMessage = { role: 'assistant', content: '', tool_calls: [call] };
    const running = await here.save(here.create(), { messages: [user('?'), asked] });
    expect((await openStore(files).open(running.id)).messages[2]).toMatchObject({
      tool_result: { status: 'cancelled' },
    });
    const result: ChatMessage = { role: 'tool', content: 'Alpha', tool_call_id: 'c1' };
    await here.save(running, { messages: [...running.messages, result] });
    expect((await openStore(files).open(running.id)).messages).toEqual([user('?'), asked, result]);
  });

  it('what another window adds while a call is under way does not part it from its result', async () => {
    const files = new MemoryFiles();
    const here = openStore(files);
    const there = openStore(files);
    const asked: ChatMessage = {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'c1', name: 'read', arguments: {} }],
    };
    const running = await here.save(here.create(), { messages: [user('?'), asked] });
    const seen = await there.open(running.id);
    await there.save(seen, { messages: [...seen.messages, user('Hurry!')] });
    const result: ChatMessage = { role: 'tool', content: 'Alpha', tool_call_id: 'c1' };
    const saved = await here.save(running, { messages: [...running.messages, result] });
    expect(saved.messages).toEqual([user('?'), asked, result, user('Hurry!')]);
    expect((await openStore(files).open(running.id)).messages).toEqual(saved.messages);
  });

  it('a branch of a chat whose beginning is summed up has the summary, as far as that goes', async () => {
    const store = new ChatStore({ files: new MemoryFiles() });
    const messages = ['One', 'Two', 'Three', 'Four'].map(user);
    const compaction = { upTo: 2, summary: 'The sum.' };
    const chat = await store.save(store.create({}), { messages, compaction });
    expect((await store.branch(chat, 3)).compaction).toEqual(compaction);
    expect((await store.branch(chat, 1)).compaction).toBeUndefined();
  });

  it('a branch begins as the chat does, and leaves it as it is', async () => {
    const store = openStore();
    const chat = await store.save(store.create({ model: 'own' }), {
      messages: [user('One?'), said('1'), user('Two?')],
    });
    const branch = await store.branch(chat, 2);
    expect([branch.messages, branch.settings]).toEqual([[user('One?'), said('1')], { model: 'own' }]);
    expect((await store.open(chat.id)).messages).toHaveLength(3);
  });

  it('D-031: an old file is migrated once, and the original stays beside it', async () => {
    const files = new MemoryFiles();
    const original = JSON.stringify({ meta: { title: 'Old', updatedAt: 7 }, messages: [{ role: 'user', text: 'Hi' }] });
    await files.write('chats/old.json', original);
    const store = openStore(files);
    expect(await store.open('old')).toMatchObject({ title: 'Old', updated: 7, messages: [user('Hi')] });
    expect(await files.read('chats/old.json.old')).toBe(original);
    const migrated = await files.read('chats/old.json');
    await openStore(files).open('old');
    expect(await files.read('chats/old.json')).toBe(migrated);
    expect((await store.list()).map(({ title }) => title)).toEqual(['Old']);
  });

  it('D-030: a chat of the new form takes at most 60 % of the old one', async () => {
    const files = new MemoryFiles();
    const answer = 'STATE: idle\n<think>I should read the file first.</think>\nI look.';
    const block = '<tool_call>\n{"name": "read", "args": {"path": "notes/today.md"}}\n</tool_call>';
    const turn = [
      { role: 'user', text: 'What is in my note of today?', rawText: 'What is in my note of today?' },
      {
        role: 'assistant',
        text: 'I look.',
        rawText: `${answer}\n${block}`,
        header: 'STATE: idle',
        headerExpanded: false,
        think: 'I should read the file first.',
        thinkExpanded: false,
        activityLine: 'Reading notes/today.md',
        segments: [{ type: 'text', text: 'I look.' }],
        toolCalls: [{ name: 'read', args: { path: 'notes/today.md' } }],
        toolResult: 'Buy milk.',
      },
    ];
    const original = JSON.stringify({ messages: Array.from({ length: 10 }, () => turn).flat() });
    await files.write('chats/old.json', original);
    await openStore(files).open('old');
    expect((await files.read('chats/old.json')).length / original.length).toBeLessThanOrEqual(0.6);
  });

  it('are searched in title and words, in any case', async () => {
    const store = openStore();
    await store.save(store.create(), { messages: [user('Where is the Milk?'), said('In the fridge.')] });
    await store.save(store.create(), { messages: [user('Hello')] });
    expect(await store.search('FRIDGE')).toMatchObject([{ title: 'Where is the Milk?', excerpt: 'In the fridge.' }]);
    expect(await store.search('nothing like it')).toEqual([]);
  });

  it.each(['../x', 'a/b', '', '.hidden'])('no id leads elsewhere: %j', async (id) => {
    await expect(openStore().open(id)).rejects.toMatchObject({ code: 'missing' });
  });
});
