import { readdirSync, readFileSync } from 'node:fs';
import { chatRequest, runs } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collect } from '../chat/collect.ts';
import { textOf } from '../chat/message.ts';
import type { ToolDefinition } from '../chat/tool.ts';
import type { Dialect } from '../dialects/dialect.ts';
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
const cases = readdirSync(new URL('../dialects', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md') || file.endsWith('/index.ts'))
  .sort();
const readCase = (file: string) => readFileSync(new URL(`../dialects/${file}`, import.meta.url), 'utf8');

/** Some lines of a file. */
const lines = fc
  .tuple(
    fc.oneof(fc.constantFrom(...written), fc.constantFrom(...cases).map(readCase)),
    fc.nat(),
    fc.integer({ min: 1, max: 12 }),
  )
  .map(([file, from, count]) => {
    const all = file.split('\n');
    const start = from % all.length;
    return all.slice(start, start + count).join('\n');
  });

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

describe.each([...dialects.values()])('$id: a model that copies lines of a result into a call', (dialect) => {
  it('A-209 yields the bytes of the file, streamed and whole', () => {
    const read = (pieces: readonly string[]) =>
      collect(run(createReplyParser({ dialect, tools, escaped: true }), pieces)).calls;
    fc.assert(
      fc.property(
        lines.filter((found) => found.trim() !== ''),
        (found) => {
          const copied = told(dialect, found);
          const json = JSON.stringify({ old_string: copied, content: copied });
          const call = dialect.renderCalls([{ callId: 'x', ordinal: 0, name: 'Edit', arguments: json }], tools);
          for (const calls of [read([call]), read([...call])]) {
            expect(calls.map((each) => JSON.parse(each.arguments))).toEqual([{ old_string: found, content: found }]);
          }
        },
      ),
      { numRuns: runs(10) },
    );
  });

  it.each(written.slice(0, 2))('A-209 yields them in its answer, and calls nothing', (found) => {
    const copied = told(dialect, found);
    for (const pieces of [[copied], [...copied]]) {
      const { text: answer, calls } = collect(run(createReplyParser({ dialect, tools, escaped: true }), pieces));
      expect(calls).toEqual([]);
      expect(answer).toBe(found);
    }
  });
});
