import { z } from 'zod';
import { secretPattern } from './secret-files.ts';

/** One of several words, with a default. */
export const word = <const Words extends readonly [string, ...string[]]>(words: Words, initial: Words[number]) =>
  z.enum(words).default(initial);

/** Yes or no, with a default. */
export const flag = (initial: boolean) => z.boolean().default(initial);

/** A whole number from `least` on, with a default. */
export const whole = (least: number, initial: number) => z.int().min(least).default(initial);

/** Some text. */
export const text = z.string().min(1);

/** What may be left out, and then means something of its own. */
export const optional = {
  text: text.exactOptional(),
  flag: z.boolean().exactOptional(),
  whole: (least: number) => z.int().min(least).exactOptional(),
  word: <const Words extends readonly [string, ...string[]]>(words: Words) => z.enum(words).exactOptional(),
};

/** A span of time; 0 switches off what it bounds. */
export const milliseconds = z.int().min(0);

/** A secret, or where it stands. */
export const secret = z
  .string()
  .regex(secretPattern, 'must be one line of printable characters and not blank')
  .describe('The value itself, `env:NAME` for an environment variable, or `file:PATH` for a file that holds it.');

/** What each deadline of a reply counts. */
export const deadlineWords = {
  connect: 'Until the upstream sends its headers.',
  firstToken: 'Until the first event that a client would see.',
  idle: 'Between two reads.',
  total: 'For the whole reply.',
};
