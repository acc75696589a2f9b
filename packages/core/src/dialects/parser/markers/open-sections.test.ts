import { expect, it } from 'vitest';
import { repairs } from '../call-warnings.ts';
import { OpenSections } from './open-sections.ts';

it('what is wrong with many sections is reported of the call in them, each once', () => {
  const sections = new OpenSections();
  for (let count = 0; count < 1000; count += 1) {
    sections.open({ closers: [], repair: count % 2 === 0 ? repairs.tokens : repairs.characters });
  }
  const opening = { end: 0, read: () => expect.fail() };
  expect(sections.repairsOf(opening)).toEqual([repairs.tokens, repairs.characters]);
  sections.passCall();
  expect(sections.repairsOf(opening)).toEqual([]);
});
