import { spellings, withLookAlikes, withRepair } from '../parser/markers/repaired-literals.ts';
import type { DialectTable, HeaderTable, Literal } from '../table.ts';

/** A marker of DeepSeek; one in ASCII is reported. */
const marker = (...literals: readonly string[]) =>
  withRepair(
    withLookAlikes(literals),
    'characters',
    (literal) => !literal.includes('<') || (literal.includes('｜') && literal.includes('▁')),
  );

const separator = '<｜tool▁sep｜>';
const callOpener = '<｜tool▁call▁begin｜>';
const sectionOpeners = ['<｜tool▁calls▁begin｜>', '<｜tool▁calls｜>'];

/** Where a call's own opener is missing, the section's comes before its header. */
const openers = (own: readonly Literal[], after = ''): readonly Literal[] => [
  ...own,
  ...withLookAlikes(sectionOpeners.map((opener) => opener + after)).map(
    (text) => ({ text, repair: 'opener' }) as const,
  ),
];

const around = { closer: marker('<｜tool▁call▁end｜>'), fenced: true } as const;

/** V3: a type word before the name, the name on a line of its own, and a fence. */
export const typedCalls: HeaderTable = {
  form: 'header',
  ...around,
  opener: openers(marker(`${callOpener}function${separator}`), `function${separator}`),
  separator: '\n',
};

/** V3.1: the name, and the arguments after a separator. */
export const plainCalls: HeaderTable = {
  form: 'header',
  ...around,
  opener: openers(marker(callOpener)),
  separator: marker(separator),
  between: '',
  // A fence is read and not written.
  written: `${callOpener}{name}${separator}{arguments}<｜tool▁call▁end｜>`,
};

/** The type word is missing. */
export const untypedCalls: HeaderTable = {
  form: 'header',
  ...around,
  opener: openers(withLookAlikes([callOpener]).map((text) => ({ text, repair: 'header' }))),
  separator: '\n',
};

/** What is around calls in both. Models trained on one of the two forms write the other, too, or half of each. */
export const deepseekAround: Pick<DialectTable, 'section' | 'otherTurns' | 'turnEnds' | 'markers'> = {
  section: {
    opener: [
      ...marker('<｜tool▁calls▁begin｜>'),
      ...withLookAlikes(['<｜tool▁calls｜>']).map((text) => ({ text, repair: 'spelling' }) as const),
    ],
    closer: marker('<｜tool▁calls▁end｜>'),
  },
  otherTurns: withLookAlikes([...spellings(['<｜tool▁output'], ['s', ''], ['▁begin｜>']), '<｜User｜>']),
  turnEnds: withLookAlikes(['<｜end▁of▁sentence｜>']),
  markers: withLookAlikes([
    ...spellings(['<｜tool▁'], ['calls', 'call', 'outputs', 'output'], ['▁'], ['begin', 'end'], ['｜>']),
    ...spellings(
      ['<｜'],
      ['tool▁calls', 'tool▁sep', 'User', 'Assistant', 'begin▁of▁sentence', 'end▁of▁sentence'],
      ['｜>'],
    ),
  ]),
};

/** A heading for each tool with its description and parameters. */
export const deepseekTools = {
  opener: '',
  between: '\n\n',
  closer: '',
  tool: '### {name}\nDescription: {description}\nParameters: {parameters}',
} as const;
