/** What may be repaired in JSON text, because only one reading is possible; each with the sentence that reports it. */
export const repairs = {
  control: 'A raw control character inside a string was escaped.',
  escape: 'An escape that JSON does not know was read literally.',
  quotes: 'Single quotes were read as double quotes.',
  inner: 'Quotation marks inside a string were escaped.',
  comma: 'A trailing comma was dropped.',
  word: 'A Python literal was read as JSON.',
  comment: 'A comment was left out.',
  key: 'A key without quotes was quoted.',
  braces: 'Doubled outer braces were read as one pair.',
} as const;

/** One kind of repair. */
export type Repair = keyof typeof repairs;
