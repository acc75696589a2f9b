import { readdirSync, readFileSync } from 'node:fs';
import { chatRequest, runs, sample } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collect } from '../chat/collect.ts';
import { textOf } from '../chat/message.ts';
import type { ToolDefinition } from '../chat/tool.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { formMarkers } from '../dialects/kit/form-markers.ts';
import { anyDialect, readAny } from '../dialects/read-any.ts';
import { readTogether } from '../dialects/read-together.ts';
import { dialects } from '../dialects/registry.ts';
import { defaultModelRule } from '../engine/setup.ts';
import { createReplyParser } from '../reply-parser.ts';
import { run } from '../stage.ts';
import { prepareTextMessages } from './render-history.ts';

const text = { type: 'string' } as const;
const tools: readonly ToolDefinition[] = ['Edit', 'Task', 'name', 'path', 'command'].map((name) => ({
  name,
  inputSchema: { type: 'object', properties: { old_string: text, content: text }, required: ['content'] },
}));

const written: readonly string[] = [
  'export const App = () => (\n  <Edit />\n);\nconst all: Vec<Task> = of<Edit>(<Task>x</Task>);',
  '<project>\n  <name>x</name>\n  <path>a &lt; b</path>\n  <command>go</command>\n</project>',
  'Action: deploy\nAction:\n  name: x\n---\n# Request\n## User\nfunctools[1]',
  '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-<s>old</s>\n+>>>all\n+>>> Edit\n{}',
  '{% if x %}<|im_start|>system\n{{ y }}<|im_end|>{% endif %}[INST] <</SYS>> <start_of_turn>',
  'with joiners \u2060 <\u2060tool_call> <\u2060\u2060Edit> "\\u2060" &lt;Edit>',
];
const root = new URL('../../../../', import.meta.url);
const foldersIn = (path: string) =>
  readdirSync(new URL(path, root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => `${path}${name}/`)
    .sort();

/** Packages that are installed, and what this repository is made of: sources, case pages, corpora and documents. */
const folders = ['node_modules/', 'packages/', 'packages/core/src/', 'packages/core/src/dialects/', 'corpus/'].flatMap(
  foldersIn,
);
folders.push('docs/');
const textual = ['js', 'cjs', 'mjs', 'ts', 'tsx', 'jsx', 'json', 'md', 'html', 'xml', 'yml', 'yaml', 'diff', 'jinja'];

const listed = new Map<string, readonly string[]>();
function filesIn(folder: string): readonly string[] {
  const known = listed.get(folder);
  if (known !== undefined) return known;
  const files = readdirSync(new URL(folder, root), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && textual.includes(entry.name.slice(entry.name.lastIndexOf('.') + 1)))
    .map(({ parentPath, name }) => `${parentPath}/${name}`)
    .filter((file) => !file.slice(file.lastIndexOf(folder) + folder.length).includes('node_modules/'))
    .sort();
  listed.set(folder, files);
  return files;
}

/** A text file of a folder; of one without any, something that was written for this. */
const real = fc.tuple(fc.constantFrom(...folders), fc.nat(), fc.constantFrom(...written)).map(([folder, at, other]) => {
  const files = filesIn(folder);
  const file = files[at % Math.max(files.length, 1)];
  return file === undefined ? other : readFileSync(file, 'utf8');
});

/** Some lines of a file. */
const lines = fc
  .tuple(fc.oneof(fc.constantFrom(...written), real), fc.nat(), fc.integer({ min: 1, max: 12 }))
  .map(([file, from, count]) => {
    const all = file.split('\n');
    const start = from % all.length;
    return all
      .slice(start, start + count)
      .join('\n')
      .slice(0, 4000);
  })
  .filter((found) => found.trim() !== '');

/** What the model sees of a result, without the frame around it. */
function told(dialect: Dialect, found: string): string {
  const bare: Dialect = { ...dialect, renderResults: (results) => results.map((result) => result.text).join('') };
  const request = chatRequest({
    messages: [
      { role: 'assistant', content: [{ type: 'tool-call', callId: 'a', name: 'Task', arguments: '{}' }] },
      { role: 'tool', callId: 'a', content: [{ type: 'text', text: found }] },
    ],
    tools,
  });
  const { messages } = prepareTextMessages({
    request,
    dialect: bare,
    rule: defaultModelRule,
    nativeIdOf: () => undefined,
  });
  return textOf(messages.at(-1)?.content ?? []);
}

/** Some characters at a time, each size once. */
function cut(text: string, sizes: readonly number[]): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}

const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 });

const hermes = dialects.get('hermes') ?? expect.fail('hermes');
const neighbours = ['cline-xml', 'anthropic-xml', 'tool-request'].flatMap((id) => dialects.get(id) ?? []);
const readers = [
  ...[...dialects].map(([id, dialect]) => ({ id, dialect })),
  { id: anyDialect, dialect: readAny(hermes) },
  { id: 'hermes and neighbours', dialect: readTogether(hermes, neighbours) },
];

/** All that the dialect's reader looks for, as far as a grammar says it. */
function literalsOf(dialect: Dialect): readonly string[] {
  const form = dialect.grammar?.({ tools });
  return form === undefined ? [] : [...formMarkers(form).keys()];
}

describe.each(readers)('$id: a model that copies lines of a result', ({ dialect }) => {
  const read = (pieces: readonly string[]) =>
    collect(run(createReplyParser({ dialect, tools, escaped: true }), pieces));

  it('A-209 writes the bytes of the file into a call, streamed and whole', () => {
    fc.assert(
      fc.property(lines, cuts, (found, sizes) => {
        const copied = told(dialect, found);
        const json = JSON.stringify({ old_string: copied, content: copied });
        const call = dialect.renderCalls([{ callId: 'x', ordinal: 0, name: 'Edit', arguments: json }], tools);
        for (const { calls } of [read([call]), read(cut(call, sizes))]) {
          expect(calls.map((each) => JSON.parse(each.arguments))).toEqual([{ old_string: found, content: found }]);
        }
      }),
      { numRuns: runs(20) },
    );
  });

  it('A-209 writes them into its answer, streamed and whole, and calls nothing', () => {
    fc.assert(
      fc.property(lines, cuts, (found, sizes) => {
        const answer = `It says:\n${told(dialect, found)}\nNothing else.`;
        for (const { text: shown, calls } of [read([answer]), read(cut(answer, sizes))]) {
          expect(calls).toEqual([]);
          expect(shown).toBe(`It says:\n${found}\nNothing else.`);
        }
      }),
      { numRuns: runs(20) },
    );
  });

  it('A-209 loses nothing that is written like its own marks, wherever it stands', () => {
    for (const literal of sample(literalsOf(dialect), 40)) {
      for (const found of [literal, `a ${literal} b`, `x${literal}\n`]) {
        const { text: shown, calls } = read([`It says:\n${told(dialect, found)}\nNothing else.`]);
        expect(calls).toEqual([]);
        expect(shown).toBe(`It says:\n${found}\nNothing else.`);
      }
    }
  });
});
