import { describeDialect, findingsOf, writeFinding } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { runStage } from '../../stream/stage.ts';
import type { ParseContext } from '../dialect.ts';
import { dialects } from '../registry.ts';
import { readTogether } from './read-together.ts';

const tools = [{ name: 'read', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }];

function together(own: string, others: readonly string[]) {
  const named = (id: string) => dialects.get(id) ?? expect.fail(`no dialect ${id}`);
  return readTogether(named(own), others.map(named));
}

function read(text: string, [own = '', ...others]: readonly string[], context: Partial<ParseContext> = {}) {
  const spans = runStage(together(own, others).createParser({ tools, ...context }), [text]);
  const of = spans.flatMap((span) => (span.kind === 'call' ? [span.of ?? own] : []));
  return { found: findingsOf(spans).map(writeFinding), of };
}

const drift: readonly (readonly [marker: string, text: string, dialects: readonly string[], of: string])[] = [
  ['<tool_call> and {', '<tool_call>{"name":"read","arguments":{"path":"a"}}</tool_call>', ['glm', 'hermes'], 'glm'],
  [
    '<tool_call> and <function',
    '<tool_call><function=read><parameter=path>a</parameter></function></tool_call>',
    ['hermes', 'qwen3-coder'],
    'qwen3-coder',
  ],
  [
    '<tool_call> and [',
    '<tool_call>[{"name":"read","arguments":{"path":"a"}}]',
    ['qwen3-coder', 'granite'],
    'qwen3-coder',
  ],
  [
    '<tool_call> and a name',
    '<tool_call>read<arg_key>path</arg_key><arg_value>a</arg_value></tool_call>',
    ['hermes', 'glm'],
    'glm',
  ],
  [
    '<tool_call> and <invoke',
    '<tool_call><invoke name="read"><parameter name="path">a</parameter></invoke></tool_call>',
    ['qwen3-coder', 'anthropic-xml'],
    'anthropic-xml',
  ],
  [
    '<tool_calls> and [',
    '<tool_calls>[{"name":"read","arguments":{"path":"a"}}]</tool_calls>',
    ['hy-v3', 'jamba'],
    'jamba',
  ],
  ['<function= and {', '<function=read>{"path":"a"}</function>', ['qwen3-coder', 'functionary-v3.1'], 'qwen3-coder'],
  [
    '<function_calls> and <',
    '<function_calls><invoke name="read"><parameter name="path">a</parameter></invoke></function_calls>',
    ['olmo3', 'anthropic-xml'],
    'anthropic-xml',
  ],
  [
    '<function_calls> and a name',
    '<function_calls>read(path="a")</function_calls>',
    ['anthropic-xml', 'olmo3'],
    'olmo3',
  ],
  [
    '[TOOL_CALLS] and [',
    '[TOOL_CALLS][{"name":"read","arguments":{"path":"a"}}]',
    ['hermes', 'mistral-json'],
    'mistral-json',
  ],
  ['[TOOL_CALLS] and a name', '[TOOL_CALLS]read[ARGS]{"path":"a"}', ['mistral-json', 'mistral-args'], 'mistral-json'],
  ['<|tool_call and >', '<|tool_call>call:read{path:<|"|>a<|"|>}<tool_call|>', ['phi4-mini', 'gemma4'], 'gemma4'],
  [
    '<|tool_call and _begin|>',
    '<|tool_call_begin|>read<|tool_call_argument_begin|>{"path":"a"}<|tool_call_end|>',
    ['gemma4', 'kimi-k2'],
    'kimi-k2',
  ],
  ['functools', 'functools[{"name":"read","arguments":{"path":"a"}}]', ['hermes', 'phi4-mini'], 'phi4-mini'],
];

describe('drift into a neighbour is decided after the marker', () => {
  it.each(drift)('%s', (_, text, ids, of) => {
    const { found, of: whose } = read(text, ids);
    const calls = found.filter((each) => each.startsWith('call')).map((each) => each.replace(': ', ':'));
    expect(calls).toEqual(['call read {"path":"a"}']);
    expect(found.filter((each) => each.startsWith('text') || each.startsWith('cut'))).toEqual([]);
    expect(whose).toEqual([of]);
  });
});

describe('what is around calls in a neighbour', () => {
  it.each([
    ['tags of answers', 'Write <answer> here.\n<answer>x</answer>', 'hunyuan-a13b'],
    ['labels', '助手：你好', 'hunyuan-a13b'],
    ['words that begin reasoning', 'Here are my reasoning steps:\nOne.', 'apriel'],
    ['closers', 'It ends.\n</invoke>\nSo.', 'anthropic-xml'],
    ['results', 'It ends.\n## Return of the king', 'kimi-k2'],
    ['letter case', '<READ><PATH>a</PATH></READ>', 'cline-xml'],
  ])('%s are text', (_, text, other) => {
    expect(read(text, ['hermes', other]).found).toEqual([`text ${JSON.stringify(text)}`]);
  });

  it('counts once a call has shown that the reply is written in its form', () => {
    const text = '<function_calls><invoke name="read"></invoke></function_calls>\n<function_results>made up';
    expect(read(text, ['hermes', 'anthropic-xml']).found).toContain('warning result-fabricated');
    const own = '<tool_call>{"name":"read","arguments":{}}</tool_call>\n<function_results>said';
    expect(read(own, ['hermes', 'anthropic-xml']).found).toContain('text "\\n<function_results>said"');
  });

  it('a neighbour that has shown itself is asked before the others', () => {
    const value = '<seed:tool_call><function=read><parameter=path>\na\n</parameter></function></seed:tool_call>';
    expect(read(value, ['hermes', 'qwen3-coder', 'seed-oss']).found).toEqual(['call read {"path":"\\na\\n"}']);
  });

  it('reasoning that the prompt has opened ends with the closer of any', () => {
    const { found } = read('Hm.<|END_THINKING|>Hi.', ['hermes', 'cohere'], { opened: 'reasoning' });
    expect(found).toEqual(['reasoning "Hm."', 'text "Hi."']);
  });
});

const beside = ['hermes', 'anthropic-xml', 'glm', 'harmony'];
describeDialect(
  { ...together('qwen3-coder', beside), id: 'qwen3-coder with neighbours' },
  { beside: beside.flatMap((id) => dialects.get(id) ?? []) },
);

it('what a parser takes is made ahead in steps, and once', () => {
  let asked = 0;
  const counting = [...dialects.values()].map((dialect) => ({
    ...dialect,
    grammar: (context: ParseContext) => {
      asked += 1;
      return dialect.grammar?.(context) ?? expect.fail(`${dialect.id} has no grammar`);
    },
  }));
  const joint = readTogether(counting[0] ?? expect.fail(), counting);
  const context = { tools: tools.map((tool) => ({ ...tool, name: 'read_ahead' })) };
  const steps = (joint.makeAhead?.(context) ?? expect.fail())[Symbol.iterator]();
  asked = 0;
  const each: number[] = [];
  while (steps.next().done !== true) each.push(asked);
  expect(each.length).toBeGreaterThan(1);
  expect(each[0]).toBeLessThan(dialects.size / 2);
  asked = 0;
  joint.createParser(context);
  // The next request has the same tools in another list.
  const again = joint.makeAhead?.({ tools: context.tools.map((tool) => ({ ...tool })) }) ?? expect.fail();
  expect([[...again], asked]).toEqual([[], 0]);
});
