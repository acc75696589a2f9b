import { beforeEach, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { fakeContext } from '../../test/fake-vscode.ts';
import { expiryOf, type Session, Sessions } from './read-sessions.ts';

const now = 1_800_000_000_000;
const minute = 60_000;

/** A JSON web token that expires so many milliseconds from now. */
const tokenFor = (name: string, left: number) =>
  `${btoa('{}')}.${btoa(JSON.stringify({ name, exp: (now + left) / 1000 }))}.s`;

let secrets: ReturnType<typeof fakeContext>['secrets'];
let changes = 0;
const source: { file: string | undefined; fresh: string | undefined; refreshed: number } = {
  file: undefined,
  fresh: undefined,
  refreshed: 0,
};

function open(): Sessions {
  const tokens = {
    read: async () => source.file,
    refresh: async () => {
      source.refreshed += 1;
      return source.fresh;
    },
  };
  const sessions = new Sessions({ secrets: secrets as unknown as vscode.SecretStorage, tokens, now: () => now });
  sessions.watch();
  sessions.onDidChange(() => {
    changes += 1;
  });
  return sessions;
}
const key = (id: string): Session => ({ id, label: id, kind: 'key', key: `key of ${id}` });
const token = (text: string): Session => ({ id: 'v', label: 'v', kind: 'token', token: text });

beforeEach(() => {
  secrets = fakeContext().secrets;
  changes = 0;
  Object.assign(source, { file: undefined, fresh: undefined, refreshed: 0 });
});

it('C-087: several keys of an endpoint, of which one is active; they outlive a restart and tell of changes', async () => {
  const sessions = open();
  await sessions.add('e', key('work'));
  await sessions.add('e', key('home'));
  expect(await sessions.credential('e')).toBe('key of home');
  await sessions.activate('e', 'work');
  expect(await open().credential('e')).toBe('key of work');
  await sessions.remove('e', 'work');
  expect(await sessions.credential('e')).toBe('key of home');
  await sessions.removeAll('e');
  expect(await sessions.credential('e')).toBeUndefined();
  expect(await sessions.credential('other')).toBeUndefined();
  expect(changes).toBeGreaterThanOrEqual(5);
});

it('C-087: changes at the same time are all kept', async () => {
  const sessions = open();
  await Promise.all(['a', 'b', 'c'].map((id) => sessions.add('e', key(id))));
  expect((await sessions.list('e')).sessions).toHaveLength(3);
});

it('C-087: a token with ten minutes left is renewed, one with an hour is not', async () => {
  const sessions = open();
  await sessions.add('e', token(tokenFor('old', 60 * minute)));
  expect(await sessions.credential('e')).toBe(tokenFor('old', 60 * minute));
  expect(source.refreshed).toBe(0);
  await sessions.add('e', token(tokenFor('old', 10 * minute)));
  source.fresh = tokenFor('fresh', 12 * 60 * minute);
  expect(await sessions.credential('e')).toBe(source.fresh);
  expect(await sessions.credential('e')).toBe(source.fresh);
  expect(source.refreshed).toBe(1);
});

it('C-087: a newer token in the file is taken before the command line is asked; without any the old one is tried', async () => {
  const sessions = open();
  await sessions.add('e', token(tokenFor('old', 0)));
  expect(await sessions.credential('e')).toBe(tokenFor('old', 0));
  source.file = tokenFor('file', 60 * minute);
  source.refreshed = 0;
  expect(await sessions.credential('e')).toBe(source.file);
  expect(source.refreshed).toBe(0);
});

it.each(['{"e":', '[]', '{"e":{"active":1}}', '{"e":{"active":"a","sessions":[{"id":"a","kind":"key"}]}}'])(
  'C-087: what cannot be read is thrown away, and said: %s',
  async (broken) => {
    await secrets.store('dragoman.sessions', broken);
    const sessions = open();
    expect(await sessions.credential('e')).toBeUndefined();
    expect(await secrets.get('dragoman.sessions')).toBeUndefined();
    expect(changes).toBe(1);
    await sessions.add('e', key('new'));
    expect(await sessions.credential('e')).toBe('key of new');
  },
);

it('a token that does not say when it expires never does', () => {
  expect(expiryOf('plain')).toBe(Number.POSITIVE_INFINITY);
  expect(expiryOf('a.%%%.c')).toBe(Number.POSITIVE_INFINITY);
  expect(expiryOf(tokenFor('x', 5000))).toBe(now + 5000);
});
