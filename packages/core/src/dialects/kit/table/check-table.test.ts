import { describe, expect, it } from 'vitest';
import { checkTable } from './check-table.ts';
import type { DialectTable, TaggedTable } from './dialect-table.ts';

const told = (table: DialectTable) => checkTable(table).map(({ path, reason }) => `${path.join('.')}: ${reason}`);

const tagged: TaggedTable = {
  kernel: 'tagged',
  opener: '<f=',
  end: '>',
  closer: '</f>',
  parameter: { opener: '<p=', end: '>', closer: '</p>' },
};

describe('checkTable names the place and the remedy', () => {
  it.each([
    [{ kernel: 'json', opener: ' ', closer: '', keyed: true }, 'call.opener: must not be empty: without a marker'],
    [{ kernel: 'json', opener: '```json', closer: '```' }, 'call.opener: a Markdown fence opens code, too'],
    [{ kernel: 'python', opener: '', closer: '' }, 'call.opener: must not be empty: write the marker'],
    [{ kernel: 'headed', opener: '<c>', header: 'x', separator: '', closer: '' }, 'call.header: must hold {name} once'],
    [
      { kernel: 'headed', opener: '<c>', header: '{id}{name}', separator: '', closer: '' },
      'call.header: needs a literal',
    ],
    [{ kernel: 'headed', opener: '<c>', separator: '{', closer: '' }, 'call.separator: must end in front of the brace'],
    [{ kernel: 'gemma', opener: '<c>', closer: '', quote: '' }, 'call.quote: must be the token'],
    [{ ...tagged, closer: ' ' }, 'call.closer: must say what ends a call'],
    [{ ...tagged, opener: '<f name="' }, 'call.end: must begin with "\\"", which the opener has opened'],
    [
      { ...tagged, parameter: { ...tagged.parameter, closer: '[/p]' } },
      'call.parameter.closer: must begin with the char',
    ],
    [{ ...tagged, parameter: { ...tagged.parameter, end: '>\n' } }, 'call.parameter: values are read with their white'],
    [{ ...tagged, parameter: { ...tagged.parameter, end: '' } }, 'call.parameter.end: must say what ends a key'],
    [
      { ...tagged, parameter: { ...tagged.parameter, typed: { attribute: 's', text: 'true', json: 'false' } } },
      'call.parameter.typed: needs an opener that ends in an attribute',
    ],
  ] as const)('%o', (call, reason) => {
    expect(told({ call }).join('\n')).toContain(reason);
  });

  it('also around the calls', () => {
    const table: DialectTable = {
      call: { ...tagged, block: { opener: '', closer: '</c>' } },
      section: { opener: ' ', closer: '</s>' },
      reasoning: { opener: '<t>', closer: '' },
    };
    expect(told(table)).toEqual([
      'section.opener: must not be empty',
      'call.block.opener: must not be empty',
      'reasoning.closer: must say what ends the thinking, such as "</think>"',
    ]);
  });

  it('tells callers without types what they have left out', () => {
    const incomplete = (text: string) => told(JSON.parse(text));
    const kernels = 'call.kernel: must be one of json, headed, tagged, python, gemma';
    expect(incomplete('{}')).toEqual([kernels]);
    expect(incomplete('null')).toEqual([kernels]);
    expect(incomplete('{"call":{"kernel":"xml","opener":"<a>"}}')).toEqual([kernels]);
    expect(incomplete('{"call":{"kernel":"json","opener":"<a>"},"result":{}}')).toEqual([
      'call.closer: must be a text',
      'result.opener: must be a text',
      'result.closer: must be a text',
    ]);
    expect(incomplete('{"call":{"kernel":"tagged","opener":"<f=","end":">","closer":"</f>"}}')).toEqual([
      'call.parameter.opener: must be a text',
      'call.parameter.end: must be a text',
      'call.parameter.closer: must be a text',
    ]);
  });
});
