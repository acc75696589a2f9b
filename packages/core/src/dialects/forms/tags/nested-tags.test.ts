import { describe, expect, it } from 'vitest';
import { SchemaView } from '../../../json/schema.ts';
import { readNestedTags } from './text-value.ts';

const todos = SchemaView.of({
  type: 'array',
  items: {
    type: 'object',
    properties: {
      content: { type: 'string' },
      done: { type: 'boolean' },
      tags: { type: 'array' },
      n: { type: 'integer' },
    },
  },
});
const anyObject = SchemaView.of({ type: 'object' });

describe('readNestedTags', () => {
  it.each([
    ['<item><content>a</content><done>true</done></item>', '[{"content":"a","done":true}]'],
    [' <item>\n<n>5</n>\n</item>\n<item>{"n":6}</item> ', '[{"n":5},{"n":6}]'],
    ['<item><tags><tag>x</tag><tag>y</tag></tags></item>', '[{"tags":["x","y"]}]'],
    ['<item><content><b>bold</b> & "quoted"</content></item>', '[{"content":"<b>bold</b> & \\"quoted\\""}]'],
  ])('B-057 reads items by their schema: %s', (text, json) => {
    expect(readNestedTags(text, todos)).toBe(json);
  });

  it('B-057 reads members, and a tag inside a tag of the same name', () => {
    expect(readNestedTags('<a>1</a><b-2>x</b-2>', anyObject)).toBe('{"a":"1","b-2":"x"}');
    const tree = SchemaView.of({ type: 'object', properties: { a: { type: 'object' } } });
    expect(readNestedTags('<a><a><a>x</a></a><b>y</b></a>', tree)).toBe('{"a":{"a":"<a>x</a>","b":"y"}}');
  });

  it.each([
    '',
    '  ',
    'prose',
    '<item>a</item> and prose',
    '<item>a</item><other>b</other>',
    '<item>a',
    '<item><item>a</item>',
    '<>a</>',
    '<1>a</1>',
    '<item x="1">a</item>',
  ])('takes anything else for no list: %j', (text) => {
    expect(readNestedTags(text, todos)).toBeUndefined();
  });

  it('takes repeated members for no object, and stops at great depth', () => {
    expect(readNestedTags('<a>1</a><a>2</a>', anyObject)).toBeUndefined();
    const deep = SchemaView.of({ $defs: { n: { type: 'array', items: { $ref: '#/$defs/n' } } }, $ref: '#/$defs/n' });
    expect(readNestedTags(`${'<a>'.repeat(100)}${'</a>'.repeat(100)}`, deep)).toBeUndefined();
  });

  it('reads sixty thousand members of different names', () => {
    const members = Array.from({ length: 60_000 }, (_, index) => `<k${index}>v</k${index}>`).join('');
    expect(Object.keys(JSON.parse(readNestedTags(members, anyObject) ?? ''))).toHaveLength(60_000);
  });
});
