import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChatStore } from '@dragoman/agent';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NodeFiles } from './node-files.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'dragoman-files-'));
});
afterEach(() => rm(home, { recursive: true }));

const say = (content: string) => ({ role: 'user', content }) as const;

it('D-033 D-034: chats are kept, for their person alone, and no half file stays', async () => {
  const store = new ChatStore({ files: new NodeFiles(join(home, 'chats-of-x')) });
  const saved = await store.save(store.create(), { messages: [say('Hello')] });
  const again = new ChatStore({ files: new NodeFiles(join(home, 'chats-of-x')) });
  expect((await again.open(saved.id)).messages).toEqual([say('Hello')]);
  expect(await readdir(join(home, 'chats-of-x/chats'))).toEqual([`${saved.id}.json`]);
  if (process.platform !== 'win32') {
    expect((await stat(join(home, 'chats-of-x'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(home, `chats-of-x/chats/${saved.id}.json`))).mode & 0o777).toBe(0o600);
  }
});

it('two programs over one chat lose nothing: every write makes another version', async () => {
  const stores = [1, 2].map(() => new ChatStore({ files: new NodeFiles(home) }));
  const [one, other] = stores;
  if (one === undefined || other === undefined) throw new Error();
  let mine = await one.save(one.create(), { messages: [say('first')] });
  let theirs = await other.open(mine.id);
  mine = await one.save(mine, { messages: [...mine.messages, say('mine')] });
  theirs = await other.save(theirs, { messages: [...theirs.messages, say('yours')] });
  expect(theirs.messages.map(({ content }) => content)).toEqual(['first', 'mine', 'yours']);
  expect(await new NodeFiles(home).stat('chats/none.json')).toBeUndefined();
  expect(await new NodeFiles(home).list('nothing')).toEqual([]);
});
