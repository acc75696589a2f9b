import { rememberedCharacters } from '@dragoman/core';
import { afterEach, expect, it, vi } from 'vitest';
import { knownMessageBytes } from './known-messages.ts';
import { knownToolBytes } from './known-tools.ts';
import { warmUp } from './warm-up.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('asks its own gateway, writes nothing, and leaves nothing behind', async () => {
  const stdout = vi.spyOn(process.stdout, 'write');
  const stderr = vi.spyOn(process.stderr, 'write');
  const statuses = await warmUp({ makeReady: () => {}, isBusy: () => false });
  expect(statuses.length).toBeGreaterThan(0);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(stdout).not.toHaveBeenCalled();
  expect(stderr).not.toHaveBeenCalled();
  expect(rememberedCharacters() + knownToolBytes() + knownMessageBytes()).toBe(0);
});

it('begins nothing while somebody is served, and ends when it is told to', async () => {
  const asked = vi.fn(() => true);
  const stopping = new AbortController();
  const over = warmUp({ makeReady: () => {}, isBusy: asked, signal: stopping.signal });
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(3));
  stopping.abort();
  expect(await over).toEqual([]);
});
