import { DragomanError } from '@dragoman/core';
import { expect, it } from 'vitest';
import { refuseStrangers } from './refuse-strangers.ts';

const listen = { host: '127.0.0.1', port: 11434 };

function refused(headers: { host?: string; origin?: string }, config: { hosts?: string[]; origins?: string[] } = {}) {
  const { hosts, origins } = config;
  try {
    refuseStrangers(headers, {
      listen: hosts === undefined ? listen : { ...listen, hosts },
      cors: origins === undefined ? {} : { origins },
    });
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof DragomanError)) throw thrown;
    expect(thrown.code).toBe('page-refused');
    return thrown.message;
  }
}

it.each([
  'localhost',
  'localhost:11434',
  'LOCALHOST.:1',
  '127.0.0.1:11434',
  '127.9.9.9',
  '[::1]:11434',
  '[::1]',
  'app.localhost:80',
  'host.docker.internal:11434',
])('answers requests to the host %s', (host) => {
  expect(refused({ host })).toBeUndefined();
});

it.each([
  'evil.example',
  'evil.example:11434',
  '127.0.0.1.evil.example',
  'localhost.evil.example:80',
  '192.168.0.9:11434',
  '0.0.0.0:11434',
  'internal.evil.example',
  '[::1].evil.example',
  '127.0.0.1@evil.example',
  '',
])('refuses a rebound name: host %j', (host) => {
  expect(refused({ host })).toContain('listen.hosts');
});

it.each(['https://evil.example', 'null', 'http://127.0.0.1.evil.example', 'https://localhost@evil.example', ''])(
  'refuses a page of the origin %j',
  (origin) => {
    expect(refused({ host: 'localhost', origin })).toContain('cors.origins');
  },
);

it('answers programs, which send no origin, and pages of this machine', () => {
  expect(refused({})).toBeUndefined();
  expect(refused({ host: 'localhost', origin: 'http://localhost:3000' })).toBeUndefined();
});

it('lets in what the configuration names', () => {
  expect(refused({ host: 'box.lan:80' }, { hosts: ['Box.lan'] })).toBeUndefined();
  expect(refused({ host: 'any.example' }, { hosts: ['*'] })).toBeUndefined();
  expect(refused({ origin: 'app://obsidian.md' }, { origins: ['app://obsidian.md'] })).toBeUndefined();
  expect(refused({ origin: 'https://any.example' }, { origins: ['*'] })).toBeUndefined();
  expect(refused({ origin: 'http://localhost:3000' }, { origins: [] })).toContain('localhost:3000');
});
