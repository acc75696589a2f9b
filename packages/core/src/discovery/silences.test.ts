import { expect, it } from 'vitest';
import { isNearby } from './silences.ts';

it.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['[::1]', true],
  ['0.0.0.0', true],
  ['10.1.2.3', true],
  ['172.31.0.1', true],
  ['172.32.0.1', false],
  ['192.168.178.20', true],
  ['100.100.1.1', true],
  ['[fd00::5]', true],
  ['[2001:db8::1]', false],
  ['8.8.8.8', false],
  ['ollama', true],
  ['host.docker.internal', true],
  ['studio.local', true],
  ['api.openai.com', false],
  ['local.example.com', false],
])('%s is nearby: %s', (host, expected) => {
  expect(isNearby(new URL(`http://${host}/`).hostname)).toBe(expected);
});
