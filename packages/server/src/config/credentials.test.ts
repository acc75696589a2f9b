import { expect, it } from 'vitest';
import { Credentials, expiryOf } from './credentials.ts';

const now = Date.parse('2026-01-01T00:00:00Z');
const hour = 60 * 60 * 1000;

/** A token that ends so many hours from now. */
function token(hours: number): string {
  const claims = Buffer.from(JSON.stringify({ sub: 'me', exp: (now + hours * hour) / 1000 })).toString('base64url');
  return `eyJhbGciOiJIUzI1NiJ9.${claims}.c2ln_bmF-0dXJl`;
}

function watch(...values: readonly string[]) {
  const told: string[] = [];
  const headers = new Map(values.map((value, at) => [`up${at}`, () => ({ authorization: value })]));
  const credentials = new Credentials({ headers, report: (message) => told.push(message), now: () => now });
  return { told, credentials };
}

it('B-170: a token that ends tomorrow is told once, with its upstream and its moment, and never itself', () => {
  const { told, credentials } = watch('Bearer sk-123', `Bearer ${token(23)}`, `Bearer ${token(48)}`);
  expect([credentials.status(), credentials.status()]).toEqual(['expiring', 'expiring']);
  expect(told).toEqual(['the credentials of the upstream "up1" will end at 2026-01-01T23:00:00.000Z; renew them']);
});

it('the worst of all counts, whichever comes first', () => {
  for (const hours of [
    [-1, 5],
    [5, -1],
  ]) {
    const { told, credentials } = watch(...hours.map(token));
    expect(credentials.status()).toBe('expired');
    expect(told).toHaveLength(2);
  }
  expect(watch('Bearer sk-123').credentials.status()).toBe('ok');
});

it('finds a token among cookies, and takes nothing else for one', () => {
  expect(expiryOf(`theme=dark; token=${token(1)}; lang=en`)).toBe(now + hour);
  for (const text of ['', 'a.b.c', 'v1.2.3', 'Bearer x.bnVsbA.y', 'www.example.org.', 'x.eyJleHAiOi0xfQ.y']) {
    expect(expiryOf(text)).toBeUndefined();
  }
});
