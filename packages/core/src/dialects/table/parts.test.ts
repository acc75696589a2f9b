import { neededParts } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { dialects } from '../registry.ts';

const optionalParts = ['sections', 'reasoning', 'markerRepairs'] as const;

describe('of the parts that not every table needs', () => {
  it.each([...dialects])('%s hands over those that its own needs, and no others', (_, { table, parts }) => {
    const given = optionalParts.filter((part) => parts[part] !== undefined);
    expect(given).toEqual(neededParts(table).map(({ part }) => part));
  });
});

it('a part is needed where a table has a field of it', () => {
  const call = { form: 'json', opener: '<c>', closer: '</c>' } as const;
  const marked = { opener: '<s>', closer: '</s>' };
  expect(neededParts({ call })).toEqual([]);
  expect(neededParts({ call, strays: ['</d>'], reasoning: { opener: '<t>', closer: '</t>' } })).toEqual([
    { part: 'sections', field: 'strays' },
    { part: 'reasoning', field: 'reasoning' },
  ]);
  expect(neededParts({ call, also: [{ ...call, block: marked }] })).toEqual([{ part: 'sections', field: 'block' }]);
  expect(neededParts({ call: { ...call, closer: ['</c>', '</d>'] } })).toEqual([
    { part: 'markerRepairs', field: 'several closers' },
  ]);
  expect(neededParts({ call: { ...call, opener: ['<c>', { text: '<d>', repair: 'tokens' }] } })).toEqual([
    { part: 'markerRepairs', field: 'repair' },
  ]);
});
