import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseToolCalls } from '@dragoman/core';
import { expect, it } from 'vitest';

// The picture of the README, which scripts/draw-picture.mjs draws from a real run.

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const picture = readFileSync(join(root, 'docs/picture.svg'), 'utf8');

it('is in the first screen of the README, with words for those who cannot see it', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8').split('\n').slice(0, 25).join('\n');
  expect(readme).toMatch(/!\[Claude Code .{40,}\]\(docs\/picture\.svg\)/);
  expect(picture).toMatch(/<title id="t">.+<\/title>\n<desc id="d">[^<]{200,}<\/desc>/);
});

it('needs nothing from elsewhere, has colours for light and dark, and stands still for those who want that', () => {
  expect(picture.match(/https?:[^"]*/g)).toEqual(['http://www.w3.org/2000/svg']);
  expect(picture).not.toMatch(/href|url\(|@import|<script/);
  expect(picture).toContain('@media (prefers-color-scheme: dark)');
  expect(picture).toContain('@media (prefers-reduced-motion: reduce) { .step { animation: none; } }');
});

it('shows what the gateway makes of such a text today', () => {
  const rounds = [...picture.matchAll(/data-writes="([^"]*)" data-gets="([^"]*)"/g)];
  expect(rounds.length).toBeGreaterThan(1);
  const tools = ['Read', 'Edit'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  for (const [, writes = '', gets = ''] of rounds) {
    const calls = parseToolCalls(unescaped(writes), { tools, dialect: 'hermes' });
    expect(calls.map(({ name, arguments: values }) => ({ name, values }))).toEqual(JSON.parse(unescaped(gets)));
  }
});

function unescaped(text: string): string {
  const marks = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#10;': '\n', '&amp;': '&' };
  return Object.entries(marks).reduce((plain, [mark, sign]) => plain.replaceAll(mark, sign), text);
}
