import { cutText } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../chat/event.ts';
import { run } from '../stage.ts';
import { createBareJson } from './bare-json.ts';

const json = '{"code":"```js\\nx\\n```","n":1}';

/** A reply that says nothing but why it won't answer. */
const refused: readonly ChatEvent[] = [
  { type: 'message-start', id: 'x', model: 'm' },
  { type: 'text-start', block: 0, refusal: true },
  { type: 'text-delta', block: 0, text: '```json\nI will not.' },
  { type: 'text-end', block: 0 },
  { type: 'message-end', finishReason: 'stop' },
];

it('A-051 a refusal passes as it is and need not be JSON', () => {
  expect(run(createBareJson(), refused)).toEqual(refused);
});

function read(text: string, cuts: 'whole' | 'chars' = 'whole', finishReason: 'stop' | 'length' = 'stop') {
  const events: ChatEvent[] = [
    { type: 'message-start', id: 'x', model: 'm' },
    { type: 'text-start', block: 0 },
    ...cutText(text, cuts).map((piece): ChatEvent => ({ type: 'text-delta', block: 0, text: piece })),
    { type: 'text-end', block: 0 },
    { type: 'message-end', finishReason },
  ];
  const out = run(createBareJson(), events);
  return {
    text: out.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join(''),
    warnings: out.flatMap((event) => (event.type === 'warning' ? [event.issue.code] : [])),
    out,
  };
}

describe.each(['whole', 'chars'] as const)('bare JSON, %s', (cuts) => {
  it.each([
    ['a fence with a word', `\`\`\`json\n${json}\n\`\`\``],
    ['a fence without one', `\`\`\`\n${json}\n\`\`\`\n`],
    ['white space around it', `\n \`\`\`JSON \r\n${json} \n \`\`\` \n`],
    ['a fence that closes on the last line', `\`\`\`json\n${json}\`\`\``],
    ['a fence that never closes', `\`\`\`json\n${json}\n`],
  ])('A-051 takes off %s, and tells it', (_, text) => {
    const { text: shown, warnings } = read(text, cuts);
    expect(shown.trimEnd()).toBe(json);
    expect(warnings).toEqual(['text-dropped']);
  });

  it.each([
    ['bare JSON', json],
    ['white space around it', `\n ${json}\n`],
    ['a number', '1'],
    ['a string of fences', '"```"'],
  ])('leaves %s as it is', (_, text) => {
    expect(read(text, cuts)).toMatchObject({ text, warnings: [] });
  });

  it.each([
    ['prose', 'Sure! {"a":1}'],
    ['a fence of another language', '```python\nprint(1)\n```'],
    ['words in the opening line', '``` {"a":1} ```'],
    ['half a fence', '``'],
    ['one that is never a line', `\`\`\`${'j'.repeat(300)}`],
    ['nothing', ''],
  ])('tells that %s is no JSON, and leaves it as it is', (_, text) => {
    expect(read(text, cuts)).toMatchObject({ text, warnings: ['format-missed'] });
  });

  it('keeps what follows a closing fence', () => {
    const { text, warnings } = read('```json\n{}\n```\nThat is `it`.', cuts);
    expect(text).toBe('{}\n```\nThat is `it`.');
    expect(warnings).toEqual(['text-dropped', 'format-missed']);
  });

  it('keeps marks inside that are no closing fence', () => {
    expect(read('```json\n["` ``"]  ` `` \n ````\n```', cuts).text).toBe('["` ``"]  ` `` \n ````');
  });
});

it('does not judge an answer that was cut or that calls', () => {
  expect(read('{"a":', 'whole', 'length').warnings).toEqual([]);
  const call: ChatEvent[] = [
    { type: 'message-start', id: 'x', model: 'm' },
    { type: 'tool-call-start', block: 0, callId: 'c', name: 'n' },
    { type: 'tool-call-delta', block: 0, text: '{}' },
    { type: 'tool-call-end', block: 0, arguments: '{}' },
    { type: 'message-end', finishReason: 'stop' },
  ];
  expect(run(createBareJson(), call)).toEqual(call);
});

it('lets JSON out while it is written', () => {
  const shown: ChatEvent[] = [];
  const stage = createBareJson()((event) => shown.push(event));
  stage.push({ type: 'text-start', block: 0 });
  stage.push({ type: 'text-delta', block: 0, text: '```json\n{"a": "b' });
  expect(shown.at(-1)).toEqual({ type: 'text-delta', block: 0, text: '{"a": "b' });
});
