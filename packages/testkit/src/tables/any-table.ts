import type { AroundTable, CallTable, DialectTable } from '@dragoman/core';
import fc from 'fast-check';
import { bareTables, exampleTables } from './example-tables.ts';

/** Markers as models have them, and what people write into a table by mistake. */
const literals: readonly string[] = [
  ...['<a>', '</a>', '<a>\n', '\n</a>', '<ab>', '[A]', '[/A]', '<|a|>', '<|b|>', '<｜a｜>', '<a', '<a ', '<a=', '</a'],
  ...['<f name="', "<f name='", '">', '">\n', '>', '>\n', '=', ']', '|', ':', '@', '->', '::', 'Action:', '## A'],
  ...['', ' ', '\n', 'e', 'call', 'été', '.', '---', '...', '<<<', '```', '```json\n', '"', "'", '{', '}', '[', '[{'],
  ...['{name}', '{foo}', '<a>{name}', '<think>', '</think>', '<thinking>', '<final_answer>', '<tools>', '<a></a>'],
  ...['<tool_call>', '</tool_call>', '<|im_end|>', '<b/>', '</b>', '\\', '\u0000<a>', '\ud83d<a>', '<![CDATA[', ']]>'],
];

const literal = fc.oneof(
  { arbitrary: fc.constantFrom(...literals), weight: 6 },
  { arbitrary: fc.string({ unit: fc.constantFrom(...'ab<>/|[]{}=":\n '), maxLength: 6 }), weight: 1 },
);

const around: fc.Arbitrary<AroundTable> = fc.record({ opener: literal, closer: literal });
const grouping = fc.constantFrom('each', 'list', 'sequence');

/** Tables whose texts have nothing to do with each other: next to all of them contradict themselves. */
const wildCall: fc.Arbitrary<CallTable> = fc.oneof(
  fc.record(
    {
      form: fc.constant('json'),
      opener: literal,
      closer: literal,
      between: literal,
      grouping,
      keyed: fc.boolean(),
    } as const,
    { requiredKeys: ['form', 'opener', 'closer'] },
  ),
  fc.record({ form: fc.constant('python'), opener: literal, closer: literal, between: literal, grouping } as const, {
    requiredKeys: ['form', 'opener', 'closer'],
  }),
  fc.record({ form: fc.constant('gemma'), opener: literal, closer: literal, quote: literal } as const),
  fc.record({ form: fc.constant('named-tags'), opener: literal, end: literal, closer: literal } as const, {
    requiredKeys: ['form'],
  }),
);

/** A place at which a table that works is changed. */
interface Change {
  readonly pick: number;
  readonly text: string;
}

const examples = [...Object.values(exampleTables), ...Object.values(bareTables)];

/** Tables that work, with other texts at some places, and with more around calls. */
const changed: fc.Arbitrary<DialectTable> = fc
  .record({
    table: fc.constantFrom(...examples),
    changes: fc.array(fc.record({ pick: fc.nat(), text: literal }), { maxLength: 2 }),
    more: fc.record(
      {
        section: around,
        reasoning: around,
        result: around,
        turnEnds: fc.array(literal, { maxLength: 2 }),
        silent: fc.array(literal, { maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
    add: fc.boolean(),
  })
  .map(({ table, changes, more, add }) => {
    const whole = add ? { ...table, ...more } : table;
    return { ...whole, call: changes.reduce(changeCall, table.call) };
  });

/** Tables of any kind, contradictory ones among them. */
export const anyTable: fc.Arbitrary<DialectTable> = fc.oneof(
  { arbitrary: changed, weight: 4 },
  { arbitrary: wildCall.map((call) => ({ call })), weight: 1 },
);

/** Another text at one place of a call, also inside its parameter or block. */
function changeCall(call: CallTable, { pick, text }: Change): CallTable {
  if (call.form === 'tags' && pick % 2 === 0) {
    return { ...call, parameter: changeText(call.parameter, { pick: pick >> 1, text }) };
  }
  return changeText(call, { pick, text });
}

function changeText<Part extends object>(part: Part, { pick, text }: Change): Part {
  const places = Object.entries(part).filter(
    ([key, value]) => typeof value === 'string' && key !== 'form' && key !== 'grouping',
  );
  const [key = ''] = places[pick % places.length] ?? [];
  return { ...part, [key]: text };
}
