import {
  casesOf,
  cutShort,
  cutText,
  describeDialect,
  type Finding,
  findingsOf,
  mergeFindings,
  type ParseCase,
  sample,
  writeFinding,
} from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { runStage } from '../../stream/stage.ts';
import type { Dialect } from '../dialect.ts';
import { dialects } from '../registry.ts';
import { readAny } from './read-any.ts';

function parse(dialect: Dialect, { context, cut, output }: ParseCase, cuts: 'whole' | 'chars'): Finding[] {
  return findingsOf(runStage(dialect.createParser(context), cutText(output, cuts), cut ? cutShort() : undefined));
}

const written = (findings: readonly Finding[]) => findings.map(writeFinding).join('\n');
const callsIn = (findings: readonly Finding[]) => written(findings.filter(({ kind }) => kind === 'call'));

/** Without its markers, a form that has any is the form of another dialect. */
const unmarked = [
  'apriel/all/err-broken.md: the opener is missing',
  'cohere/all/prose.md: what stands between the markers, without them',
  'cohere/prose.md: a list without markers',
  'ernie45/prose.md: an object without markers',
  'fenced-json/all/prose.md: what stands between the markers, without them',
  'fenced-json/prose.md: an object without a fence',
  'granite/prose.md: a list without the marker',
  'hermes/prose.md: an object without tags',
  'hunyuan-a13b/all/prose.md: what stands between the markers, without them',
  'internlm2/all/err-broken.md: the opener is missing',
  'internlm2/err-calls.md: the tokens are stripped',
  'minimax-m1/all/err-broken.md: the opener is missing',
  'minimax-m1/calls.md: a list on each line',
  'mistral-json/prose.md: a list without the marker',
  'nemotron-toolcall/all/err-broken.md: the opener is missing',
];

/** It is a call of another dialect, and text only in this one. */
const anothers = [
  'command-r/prose.md: a json fence without the word',
  'functionary-v3.1/prose.md: an ordinary tag',
  'gemma-fence/prose.md: a json fence',
  'gigachat3.5/prose.md: the tags of DeepSeek',
  'hermes/prose.md: the body of another dialect',
  'llama3-json/prose.md: a call in a fence',
  'olmo3/prose.md: XML after the tag',
];

/**
 * The same calls arrive; more of the text looks like a marker, or like a call that broke off or that nobody declared, or is
 * what another dialect puts around its calls.
 */
const reportedOtherwise = [
  'command-r/err-calls.md: a reply that stops short after a string which nobody can end',
  'fenced-json/prose.md: a fence of another language',
  'hermes/prose.md: a doubled opener',
  'hermes/prose.md: opener and closer mentioned in a sentence',
  'minimax-m3/drift.md: a call that is opened and not closed, without arguments',
  'minimax-m3/drift.md: the token is missing before the wrapper',
  'qwen3-coder/prose.md: a tag named like a tool',
];

/** What only the dialect that is taught may decide: letter case of names, words that begin reasoning, its own lesson, repairs without markers. */
const ownAlone = [
  'apriel/prose.md: a call in reasoning',
  'cline-xml/names.md: repaired names by policy',
  'cline-xml/prose.md: an example of the manual, quoted',
];

describe('every dialect beside all others', () => {
  const some = sample([...dialects.values()], 3);
  const ofSome = (places: readonly string[]) =>
    places.filter((place) => some.some(({ id }) => place.startsWith(`${id}/`))).sort();
  const differing: string[] = [];

  it.each(some.map((dialect) => [dialect.id, dialect] as const))(
    'the cases of %s read the same where it is taught',
    (_, dialect) => {
      const any = readAny(dialect);
      for (const each of casesOf(dialect)) {
        const expected = written(each.expected);
        const found = written(parse(any, each, 'whole'));
        expect(written(parse(any, each, 'chars')), each.place).toBe(found);
        if (found === expected) continue;
        differing.push(each.place);
        expect([...unmarked, ...anothers, ...reportedOtherwise], `${found}\n— is not —\n${expected}`).toContain(
          each.place,
        );
      }
    },
  );

  it('and no exception is one without need', () => {
    expect(differing.sort()).toEqual(ofSome([...unmarked, ...anothers, ...reportedOtherwise]));
  });

  it('E-080: whatever is taught, the same calls are read', () => {
    const hermes = dialects.get('hermes') ?? expect.fail();
    const any = readAny(hermes);
    const others = some
      .flatMap((dialect) => casesOf(dialect))
      .filter((each) => callsIn(parse(any, each, 'whole')) !== callsIn(each.expected));
    expect(others.map(({ place }) => place).sort()).toEqual(ofSome([...unmarked, ...anothers, ...ownAlone]));
  });
});

describe('channels of a model that was taught another form', () => {
  const tools = [{ name: 'list', inputSchema: { type: 'object', properties: {} } }];
  const read = (text: string) => {
    const any = readAny(dialects.get('hermes') ?? expect.fail());
    return mergeFindings(findingsOf(runStage(any.createParser({ tools }), [text]))).map(writeFinding);
  };

  it.each([
    ['harmony', '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hi.<|return|>'],
    ['cohere', '<|START_THINKING|>Hm.<|END_THINKING|><|START_RESPONSE|>Hi.<|END_RESPONSE|>'],
    ['gemma4', '<|channel>thought\nHm.<channel|>Hi.'],
    ['muse-glimmer', ' to=self<|message|>Hm.<|eom|><|start|>assistant to=user<|message|>Hi.<|eot|>'],
    ['seed-oss', '<seed:think>Hm.</seed:think>Hi.'],
  ])('E-086: of %s are read as reasoning and answer', (_, text) => {
    expect(read(text)).toEqual(['reasoning "Hm."', 'text "Hi."']);
  });

  it.each([' to=user<|message|>Hi.<|eot|>', '<|start|>assistant to=user<|message|>Hi.<|eot|>'])(
    'E-086: the header of an answer is none of it: %s',
    (text) => {
      expect(read(text)).toEqual(['text "Hi."']);
    },
  );

  it('E-086: the header of a message that holds a call is none of the answer', () => {
    const text =
      'to=list<|message|><atem:function_calls>\n<atem:invoke name="list">\n</atem:invoke>\n</atem:function_calls><|eot|>';
    expect(read(` ${text}`)).toEqual(['call list {}']);
    expect(read(` to=self<|message|>Hm.<|eom|><|start|>assistant ${text}`)).toEqual([
      'reasoning "Hm."',
      'call list {}',
    ]);
    expect(read(`Write to=list<|message|> there.`)).toEqual(['text "Write to=list<|message|> there."']);
  });

  it.each([
    '<|channel|>analysis<|message|><tool_call>{"name":"list","arguments":{}}</tool_call><|end|>',
    '<|START_THINKING|>[TOOL_CALLS]list[ARGS]{}<|END_THINKING|>',
    '<think><function_calls><invoke name="list"></invoke></function_calls></think>',
  ])('E-086: a call in them is none: %s', (text) => {
    const found = read(text);
    expect(found.filter((each) => each.startsWith('call') || each.startsWith('text'))).toEqual([]);
    expect(found).toContain('warning call-in-reasoning');
  });

  it.each([
    'Use <answer> and </answer>.\n<response>\nText\n</response>',
    'Here are my reasoning steps: one, two.\n助手：no label\nall\ntool name: x',
    'Markers are <|START_RESPONSE|> and <|end|> and [THINK in prose, </s> too.',
    'So it ends.\n</invoke>\n</function_calls>\n## Return of the king\n<results>',
  ])('and what else is around calls stays text in prose: %s', (text) => {
    expect(read(text)).toEqual([`text ${JSON.stringify(text)}`]);
  });
});

const taught = dialects.get('hermes') ?? expect.fail();
describeDialect(
  { ...readAny(taught), id: 'auto' },
  {
    replyOpeners: (tools) => ['to=', ...['all', ...tools.map(({ name }) => name)].map((to) => `${to}\n`)],
    beside: [...dialects.values()],
  },
);
