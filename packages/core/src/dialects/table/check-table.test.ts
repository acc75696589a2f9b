import { describe, expect, it } from 'vitest';
import type { DialectTable, TagsTable } from '../table.ts';
import { checkTable } from './define-table.ts';

const problems = (table: DialectTable) => checkTable(table).map(({ path, reason }) => `${path.join('.')}: ${reason}`);

const tagged: TagsTable = {
  form: 'tags',
  opener: '<f=',
  end: '>',
  closer: '</f>',
  parameter: { opener: '<p=', end: '>', closer: '</p>' },
};

describe('checkTable names the place and the remedy', () => {
  it.each([
    [{ form: 'json', opener: ' ', closer: '', keyed: true }, 'call.opener: must not be empty: without a marker'],
    [{ form: 'json', opener: '```json', closer: '```' }, 'call.opener: a Markdown fence opens code, too'],
    [{ form: 'python', opener: '', closer: '' }, 'call.opener: must not be empty: write the marker'],
    [{ form: 'python', opener: '"call"[', closer: ']' }, 'call.opener: must not begin with a quotation mark'],
    [{ form: 'header', opener: '<c>', header: 'x', separator: '', closer: '' }, 'call.header: must hold {name} once'],
    [
      { form: 'header', opener: '<c>', header: '{id}{name}', separator: '', closer: '' },
      'call.header: needs a literal',
    ],
    [{ form: 'header', opener: '<c>', separator: '{', closer: '' }, 'call.separator: must end before the brace'],
    [{ form: 'gemma', opener: '<c>', closer: '', quote: '' }, 'call.quote: must be the token'],
    [{ form: 'gemma', opener: '<c>', closer: '', quote: ' :a|' }, 'call.quote: begins as another value or a colon'],
    [
      { ...tagged, parameter: { opener: '', end: ' := ', closer: '</p>' } },
      'call.parameter.opener: must say what is in front of a key: a line of text',
    ],
    [
      { ...tagged, parameter: { ...tagged.parameter, closer: '\n' } },
      'call.parameter.closer: must say what ends a value: a newline may be in it',
    ],
    [{ form: 'named-tags', end: '>' }, 'call.end: must be left out where no opener is in front of a name'],
    [{ form: 'named-tags', opener: '<f=', end: '>' }, 'call.closer: must say what ends a call, where it has an opener'],
    [{ ...tagged, closer: ' ' }, 'call.closer: must say what ends a call'],
    [{ ...tagged, opener: '<f name="' }, 'call.end: must begin with "\\"", which the opener has opened'],
    [
      { ...tagged, parameter: { ...tagged.parameter, closer: '[/p]' } },
      'call.parameter.closer: must begin with the char',
    ],
    [{ ...tagged, parameter: { ...tagged.parameter, end: '>\n' } }, 'call.parameter: values are read with their white'],
    [
      { ...tagged, parameter: { ...tagged.parameter, end: '\n' } },
      'call.parameter.end: must say what ends a key, such as ">": white space alone ends only the name of a call',
    ],
    [
      { ...tagged, parameter: { ...tagged.parameter, typed: { attribute: 's', text: 'true', json: 'false' } } },
      'call.parameter.typed: needs an opener that ends in an attribute',
    ],
  ] as const)('%o', (call, reason) => {
    expect(problems({ call }).join('\n')).toContain(reason);
  });

  it('and says once that no table reads lines of a key and a value', () => {
    const parameter = { opener: '', end: ' :: ', closer: '\n' };
    expect(problems({ call: { form: 'tags', opener: '@@call ', end: '\n', closer: '@@done', parameter } })).toEqual([
      'call.parameter: lines like "key :: value" cannot be read by a table: a text of several lines may hold one; see docs/adding-a-dialect.md#what-no-table-can-say',
    ]);
  });

  it('also around the calls', () => {
    const table: DialectTable = {
      call: { ...tagged, block: { opener: '', closer: '</c>' } },
      section: { opener: ' ', closer: '</s>' },
      reasoning: { opener: '<t>', closer: '' },
    };
    expect(problems(table)).toEqual([
      'section.opener: must not be empty',
      'call.block.opener: must not be empty',
      'reasoning.closer: must say what ends the thinking, such as "</think>"',
    ]);
  });

  it('and where white space around a closer of thinking has no effect', () => {
    const wrong = 'closer: must be "</t>": white space around it stays in the thinking and the text';
    const reasoning = { opener: '<t>\n', closer: '\n</t>' };
    expect(problems({ call: tagged, reasoning })).toEqual([`reasoning.${wrong}`]);
    expect(problems({ call: tagged, reasoning: [{ ...reasoning, closer: '</t>' }, reasoning] })).toEqual([
      `reasoning.1.${wrong}`,
    ]);
  });

  it('tells callers without types what they have left out', () => {
    const incomplete = (text: string) => problems(JSON.parse(text));
    const forms = 'call.form: must be one of json, header, tags, named-tags, python, gemma';
    expect(incomplete('{}')).toEqual([
      'call: is missing; must be an object. How a call is written: `<tool_call>⏎{"name": "read", "arguments": {}}⏎</tool_call>`.',
    ]);
    expect(incomplete('null')).toEqual([': must be an object']);
    expect(incomplete('{"call":{}}')).toEqual([forms]);
    expect(incomplete('{"call":{"form":"xml","opener":"<a>"}}')).toEqual([forms]);
    expect(incomplete('{"call":{"form":"json","opener":"<a>"},"result":{}}')).toEqual([
      expect.stringMatching(/^result\.opener: is missing; must be a text\. Before it: `<tool_response>⏎`/),
    ]);
    expect(incomplete('{"call":{"form":"json"}}')).toEqual([
      expect.stringMatching(/^call\.opener: is missing; must be a text or a list of texts and objects\. Before a call/),
    ]);
    expect(incomplete('{"call":{"form":"tags","opener":"<f=","end":">","closer":"</f>"}}')).toEqual([
      'call.parameter: is missing; must be an object. How a parameter is written: `<parameter=path>⏎a.md⏎</parameter>`.',
    ]);
  });

  it('refuses what has another type, is unknown, or too long', () => {
    const call = { form: 'json', opener: '<c>', closer: '</c>' };
    const wrong = (more: object, around: object = {}) =>
      problems(JSON.parse(JSON.stringify({ call: { ...call, ...more }, ...around })));
    expect(wrong({ keyed: 'yes' })).toEqual(['call.keyed: must be true or false']);
    expect(wrong({ grouping: 'all' })).toEqual(['call.grouping: must be one of each, list, sequence']);
    expect(wrong({ between: 7 })).toEqual(['call.between: must be a text']);
    expect(wrong({ keys: { nme: 'x' } })).toEqual(['call.keys.nme: is unknown; known: name, arguments, id']);
    expect(wrong({ opener: `<${'c'.repeat(300)}>` })).toEqual(['call.opener: must not be longer than 256 characters']);
    expect(wrong({}, { silent: '<s>' })).toEqual(['silent: must be a list of texts and objects']);
    expect(wrong({ opener: { text: '<c>' } })).toEqual(['call.opener: must be a text or a list of texts and objects']);
    expect(wrong({}, { turnEnds: ['<e>', null] })).toEqual(['turnEnds.1: must be a text or an object']);
    expect(wrong({ opener: [] })).toEqual(['call.opener: must not be empty']);
    expect(wrong({}, { markers: [''] })).toEqual(['markers.0: must not be empty']);
    expect(wrong({}, { turnEnd: [] })[0]).toContain('turnEnd: is unknown; known: summary, call, also, section,');
    expect(problems(JSON.parse('{"call":{"form":"constructor"}}'))[0]).toContain('call.form: must be one of');
  });
});

describe('checkTable refuses tables that contradict themselves', () => {
  const call = { form: 'json', opener: '<c>', closer: '</c>' } as const;
  const headed = { form: 'header', opener: '<c>', separator: '|', closer: '' } as const;

  it.each<[string, DialectTable, string]>([
    ['a letter that is never shown', { call, silent: ['e'] }, 'silent.0: "e" is in prose, too'],
    ['a letter that ends every reply', { call, turnEnds: ['e'] }, 'turnEnds.0: "e" is in prose, too'],
    ['words', { call, silent: ['<s>', 'answer'] }, 'silent.1: "answer" is in prose, too'],
    ['letters of any script', { call, silent: ['été'] }, 'silent.0: "été" is in prose, too'],
    ['rows of Markdown', { call: { ...call, closer: '---' } }, 'call.closer: "---" is in prose, too'],
    ['one closer as opener', { call: { ...call, closer: '<c>' } }, 'call.closer: "<c>" is "call.opener", too'],
    [
      'what opens calls and sections',
      { call, section: { opener: '<c>\n', closer: '</s>' } },
      'section.opener: "<c>" is',
    ],
    [
      'what opens calls and thinking',
      { call, reasoning: { opener: '<c>', closer: '</t>' } },
      'reasoning.opener: "<c>"',
    ],
    ['what opens calls and results', { call, result: { opener: '<c>', closer: '' } }, 'result.opener: "<c>" is'],
    [
      'what every dialect knows',
      { call: { ...call, opener: '<think>' } },
      'call.opener: "<think>" is what every dialect knows as reasoning opener, too',
    ],
    [
      'a marker inside of another',
      { call, section: { opener: '<s><c>', closer: '</s>' } },
      'section.opener: cannot be told from "call.opener": "<c>" is inside "<s><c>"',
    ],
    [
      'a slot that is none',
      { call, result: { opener: '[R {foo}]', closer: '' } },
      'result.opener: {foo} stands for nothing',
    ],
    [
      'a slot at another place',
      { call: { ...call, opener: '<{name}>' } },
      'call.opener: {name} stands for nothing here',
    ],
    [
      'equal keys',
      { call: { ...call, keys: { name: 'n', arguments: 'n' } } },
      'call.keys.name: "n" is read as the arguments',
    ],
    [
      'keys that mean another',
      { call: { ...call, keys: { id: 'input' } } },
      'call.keys.id: "input" is read as the arg',
    ],
    [
      'keys that mean another in other prompts',
      { call: { ...call, keys: { name: 'action_input' } } },
      'call.keys.name: "action_input" is read as the arguments',
    ],
    [
      'keys that stand for the name elsewhere',
      { call: { ...call, keys: { arguments: 'tool' } } },
      'call.keys.arguments: "tool" is read as the name',
    ],
    ['keys beside keyed', { call: { ...call, keyed: true, keys: { id: 'i' } } }, 'call.keys: must be left out'],
    ['words between calls', { call: { ...call, between: ' and ' } }, 'call.between: must be white space alone'],
    ['a separator of letters', { call: { ...headed, separator: 'to' } }, 'call.separator: "to" may be in a name'],
    ['a header that runs on', { call: { ...headed, header: '{name}x{id}' } }, 'call.header: "x" may be in a name'],
    ['a name that runs on', { call: { ...tagged, end: ':' } }, 'call.end: ":" may be in a name'],
    ['an opener that runs on', { call: { ...tagged, opener: '<f' } }, 'call.opener: must not end in a letter or digit'],
    ['a quote that opens a list', { call: { ...call, form: 'gemma', quote: '[Q]' } }, 'call.quote: begins as another'],
    ['CDATA', { call: { ...tagged, closer: ']]>' } }, 'call.closer: CDATA is around values'],
    ['an end that closes', { call: { ...tagged, end: '></f>' } }, 'call.end: holds the marker "</f>" of "call.closer"'],
  ])('%s', (_, table, problem) => {
    expect(problems(table).join('\n')).toContain(problem);
  });

  it('and names all that is wrong, once at each place', () => {
    const table: DialectTable = {
      call: { ...call, opener: 'call', between: ' and ' },
      also: [{ ...headed, header: 'x' }],
      result: { opener: '[R {foo}]' },
      silent: ['e', '<c>', '<c>'],
      readers: ['none'],
    };
    expect(checkTable(table).map(({ path }) => path.join('.'))).toEqual([
      'call.between',
      'result.opener',
      'call.opener',
      'silent.0',
      'also.0.header',
      'also.0.opener',
      'readers.0',
    ]);
  });

  it.each<[string, DialectTable, string]>([
    ['a word', { call: { ...call, opener: ['<c>', 'call'] } }, 'call.opener.1: "call" is in prose, too'],
    ['a sign of prose', { call: { ...call, closer: ['</c>', '---'] } }, 'call.closer.1: "---" is in prose, too'],
    ['a word of another form', { call, also: [{ ...headed, opener: 'call' }] }, 'also.0.opener: "call" is in prose'],
    [
      'a key of a word',
      { call: { ...tagged, parameter: { ...tagged.parameter, opener: ['<p=', 'key '] } } },
      'call.parameter.opener.1: "key" is in prose, too',
    ],
    ['thinking', { call: { ...call, opener: ['<c>', '<think>'] } }, 'call.opener.1: "<think>" is what opens or ends'],
    ['a result', { call, section: { opener: ['<s>', '<r>'] }, result: { opener: '<r>' } }, 'section.opener.1: "<r>"'],
    ['a stray word', { call, strays: ['end'] }, 'strays.0: "end" is in prose, too'],
  ])('in the other ways to write a marker: %s', (_, table, problem) => {
    expect(problems(table).join('\n')).toContain(problem);
  });

  it('but takes other ways that mean the same, and what is written as an object', () => {
    const tables: readonly DialectTable[] = [
      { call: { ...call, opener: ['<c>', { text: 'call ', place: 'line-start' }], closer: ['</c>', '<end>'] } },
      { call: { ...call, closer: ['</c>', '</s>'] }, section: { opener: '<s>', closer: '</s>' }, turnEnds: ['</s>'] },
      {
        call,
        also: [
          { ...headed, opener: 'call', guarded: true },
          { ...call, opener: ['<c>', ''], closer: '' },
        ],
      },
    ];
    for (const table of tables) expect(problems(table)).toEqual([]);
  });

  it('but not those that only look so', () => {
    const tables: readonly DialectTable[] = [
      { call, section: { opener: '<s>', closer: '</c>' }, turnEnds: ['</c>', '</c>'] },
      { call, reasoning: { opener: '<think>', closer: '</think>' } },
      { call, result: { opener: 'Observation: ', closer: '' } },
      { call: { ...tagged, opener: '<fn name="', end: '">' }, section: { opener: '<fns>', closer: '</fns>' } },
    ];
    for (const table of tables) expect(problems(table)).toEqual([]);
  });
});
