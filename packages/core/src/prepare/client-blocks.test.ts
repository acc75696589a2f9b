import { expect, it } from 'vitest';
import { findClientBlocks } from './client-tags.ts';

it('takes out what clients add by themselves, and leaves the words of the user', () => {
  const text = 'Fix it.\n<system-reminder>\nThe list is empty.\n</system-reminder>\n<userRequest>now</userRequest>';
  expect(findClientBlocks(text)).toEqual({
    rest: 'Fix it.\n\n<userRequest>now</userRequest>',
    blocks: ['<system-reminder>\nThe list is empty.\n</system-reminder>'],
  });
});

it('loses no character, and takes a tag without its end for words', () => {
  const text = 'a <environment_details> b';
  expect(findClientBlocks(text)).toEqual({ rest: text, blocks: [] });
});
