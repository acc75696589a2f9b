import { expect, it } from 'vitest';
import { mends } from '../call-warnings.ts';
import { OpenSections } from './marker-judge.ts';

it('what is wrong with many sections is told of the call in them, each once', () => {
  const sections = new OpenSections();
  for (let count = 0; count < 1000; count += 1) {
    sections.open({ closers: [], mend: count % 2 === 0 ? mends.tokens : mends.characters });
  }
  const opening = { end: 0, read: () => expect.fail() };
  expect(sections.mendsOf(opening)).toEqual([mends.tokens, mends.characters]);
  sections.passCall();
  expect(sections.mendsOf(opening)).toEqual([]);
});
