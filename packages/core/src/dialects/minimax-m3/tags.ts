import { spellings } from '../kit/spellings.ts';

/** The token in front of each tag. Tags without it are data. */
export const mark = ']<]minimax[>[';

/** A tag with the token in front. Some white space between the two has been seen. */
export function marked(...tags: readonly string[]): readonly string[] {
  return spellings([mark], ['', '\n', ' '], tags);
}
