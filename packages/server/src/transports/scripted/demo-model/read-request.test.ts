import { expect, it } from 'vitest';
import { readRequest } from './read-request.ts';
import { readRules } from './read-rules.ts';
import { tagBlocks } from './tag-blocks.ts';

it.each([
  ['Read a.md', 'Read a.md'],
  ['<context>\nThe date is today.\n</context>\n<userRequest>\nRead a.md\n</userRequest>', 'Read a.md'],
  ['<system_context>\nYou are X.\n<userRequest>no</userRequest>\n</system_context>\n\nRead a.md', 'Read a.md'],
  ['<task>Read a.md</task>\n<environment_details>\nfiles\n</environment_details>', 'Read a.md'],
  ['"Read the file a.md and tell me the code."', 'Read the file a.md and tell me the code.'],
  [
    '"Read README.md and replace \\"blue\\" with \\"green\\" in README.md"',
    'Read README.md and replace "blue" with "green" in README.md',
  ],
  ['"Read C:\\new and say \\"hi\\""', 'Read C:\\new and say "hi"'],
  ['"', '"'],
  ['"a b" and "c"', '"a b" and "c"'],
  ['<b>only a block</b>', '<b>only a block</b>'],
  ['if a < b then <unclosed> c', 'if a < b then <unclosed> c'],
])('finds the request in %j', (text, request) => {
  expect(readRequest(text)).toBe(request);
});

it('finds blocks in linear time, however many openers have no closer', () => {
  expect(tagBlocks('<a>\n'.repeat(50_000))).toEqual([]);
  expect(tagBlocks(Array.from({ length: 30_000 }, (_, index) => `<t${index}>`).join('\n'))).toEqual([]);
});

const tools = [
  { name: 'read', inputSchema: true },
  { name: 'read_all', inputSchema: true },
];

it.each([
  ['Call a tool when it helps.', 'none', false],
  ['Your next reply must contain a call: an answer without one is not accepted.', 'any', false],
  ['You have to call at least one tool.', 'any', false],
  ['Your next reply must call the tool read_all: no other.', 'read_all', false],
  ['You must use the read tool before you edit.', 'none', false],
  ['You must not call tools in this reply.', 'none', false],
  ['Write at most one call in a reply, then wait.', 'none', true],
  ['You can use one tool per message.', 'none', true],
  ['Keep only one todo in progress at a time.', 'none', false],
])('reads the rule %j', (text, demand, oneAtATime) => {
  const rules = readRules(`Hello.\n- ${text}\nBye.`, tools);
  expect(typeof rules.demand === 'string' ? rules.demand : rules.demand.name).toBe(demand);
  expect(rules.oneAtATime).toBe(oneAtATime);
});

it('reads the working directory', () => {
  expect(readRules('<env>\n  Working directory: /home/me/my project\n  Platform: linux\n</env>', []).directory).toBe(
    '/home/me/my project',
  );
  expect(readRules('Your working directory is nice. See a/b.', []).directory).toBeUndefined();
});
