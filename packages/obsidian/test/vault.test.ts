import { ChatStore } from '@dragoman/agent';
import { describe, expect, it } from 'vitest';
import { moveChats } from '../src/chats/move-chats.ts';
import { createObsidianVault, hiddenIn } from '../src/vault/obsidian-vault.ts';
import { createPluginFiles } from '../src/vault/plugin-files.ts';
import { appWith } from './app-with.ts';

describe('the vault', () => {
  it('D-054: lists, reads, writes, moves and deletes notes', async () => {
    const app = appWith({ 'a.md': 'one', 'b/c.md': 'two' });
    const vault = createObsidianVault(app);
    const paths = async () => (await vault.list('', hiddenIn(app))).map(({ path }) => path).sort();
    expect(await paths()).toEqual(['a.md', 'b', 'b/c.md']);
    expect(await vault.stat('a.md')).toMatchObject({ path: 'a.md', kind: 'file' });
    expect([await vault.stat('no.md'), (await vault.stat(''))?.kind]).toEqual([undefined, 'folder']);
    await vault.write('a.md', 'eins');
    await vault.write('new/deep/d.md', 'three');
    await vault.rename('b/c.md', 'new/c.md');
    await vault.delete('a.md');
    expect(await paths()).toEqual(['b', 'new', 'new/c.md', 'new/deep', 'new/deep/d.md']);
    expect(await vault.read('new/c.md')).toBe('two');
    await expect(vault.read('a.md')).rejects.toThrow('There is no file "a.md".');
  });

  it('a note that another program has written, and Obsidian has not seen yet, is not written over', async () => {
    const app = appWith({ 'a.md': 'old' });
    const vault = createObsidianVault(app);
    await app.vault.adapter.write('a.md', 'of another program');
    Object.assign(app.vault, { cachedRead: async () => 'old' });
    await expect(vault.write('a.md', 'new')).rejects.toThrow('has changed meanwhile');
    expect(await app.vault.adapter.read('a.md')).toBe('of another program');
  });

  it('D-058: the configuration folder is hidden, whatever it is called', async () => {
    const app = appWith({ 'a.md': 'one' });
    Object.assign(app.vault, { configDir: 'config' });
    const isHidden = hiddenIn(app);
    const same = [
      'config',
      'config/app.json',
      'CONFIG/app.json',
      'config./x',
      'config /x',
      'con\u200bfig/x',
      'config::$INDEX/x',
    ];
    const paths = [...same, '.trash', 'notes/.x', 'configuration', 'a config/x', 'a.md'];
    expect(paths.filter(isHidden)).toEqual(paths.slice(0, -3));
  });
});

it('D-058: chats that are kept in the vault are no notes', () => {
  const isHidden = hiddenIn(appWith({}), 'Dragoman');
  const paths = [
    'Dragoman/chats/a.json',
    'dragoman/Undo/a/1.json',
    'Dragoman/chat\u017f/a.json',
    'Dragoman/index.json',
  ];
  expect([...paths, 'Dragoman/rules.md'].filter(isHidden)).toEqual(paths);
});

describe('the folder of chats', () => {
  const folder = '.obsidian/plugins/dragoman';
  const say = (content: string) => ({ messages: [{ role: 'user', content }] as const });

  it('D-033: chats are created, saved, listed and deleted', async () => {
    const store = new ChatStore({ files: createPluginFiles(appWith({}).vault.adapter, () => folder) });
    expect(await store.list()).toEqual([]);
    const chat = await store.save(store.create(), say('Hello'));
    await store.save(chat, say('Hello again'));
    expect((await store.list()).map(({ title }) => title)).toEqual(['Hello again']);
    expect((await store.open(chat.id)).messages).toHaveLength(1);
    await store.delete(chat.id);
    expect(await store.list()).toEqual([]);
  });

  it('D-034: a program that ends while a file takes the place of another loses neither', async () => {
    const { adapter } = appWith({}).vault;
    const files = createPluginFiles(adapter, () => folder);
    const store = new ChatStore({ files });
    const { id } = await store.save(store.create(), say('Hello'));
    // As it is between two steps of a renaming.
    await adapter.rename(`${folder}/chats/${id}.json`, `${folder}/chats/${id}.json.before`);
    const again = new ChatStore({ files: createPluginFiles(adapter, () => folder) });
    expect((await again.list()).map(({ title }) => title)).toEqual(['Hello']);
    expect((await adapter.list(`${folder}/chats`)).files).toEqual([`${folder}/chats/${id}.json`]);
  });

  it('D-034: two windows lose nothing of a chat', async () => {
    const { adapter } = appWith({}).vault;
    const [one, other] = [0, 1].map(() => new ChatStore({ files: createPluginFiles(adapter, () => folder) }));
    if (one === undefined || other === undefined) throw new Error('two stores');
    const chat = await one.save(one.create(), say('First'));
    const here = await other.open(chat.id);
    await one.save(chat, { messages: [...chat.messages, { role: 'assistant', content: 'From one' }] });
    await other.save(here, { messages: [...here.messages, { role: 'assistant', content: 'From the other' }] });
    const texts = (await one.open(chat.id)).messages.map(({ content }) => content);
    expect(texts).toEqual(expect.arrayContaining(['First', 'From one', 'From the other']));
  });

  it('D-033, D-034: chats move to another folder with their changes, and nothing that is there is lost', async () => {
    const { adapter } = appWith({ 'Sync/chats/b.json': 'of another device', 'Sync/index.json': '{}' }).vault;
    let where = folder;
    const files = createPluginFiles(adapter, () => where);
    const store = new ChatStore({ files });
    const chat = await store.save(store.create(), say('Hello'));
    await files.write(`undo/${chat.id}/000001.json`, '{}');
    await files.write('chats/b.json', 'of this one');
    where = 'Sync';
    expect(await moveChats(adapter, { from: folder, to: where })).toEqual([`${folder}/chats/b.json`]);
    expect(await adapter.read('Sync/chats/b.json')).toBe('of another device');
    expect(await files.list(`undo/${chat.id}`)).toEqual(['000001.json']);
    expect((await store.list()).map(({ title }) => title)).toContain('Hello');
    // The chat that was open goes on in its new place.
    await store.save(chat, say('Hello again'));
    expect((await new ChatStore({ files }).open(chat.id)).messages).toEqual(say('Hello again').messages);
  });
});
