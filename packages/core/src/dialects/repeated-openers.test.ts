import { countSteps, growthOf } from '@dragoman/testkit';
import { expect, it } from 'vitest';
import { runStage } from '../stream/stage.ts';
import { dialects } from './registry.ts';
import { readAny, readLeaks } from './together/read-any.ts';

const tools = [{ name: 'list', inputSchema: { type: 'object' } }];
const length = 2000;
/** Looks at each character, where dozens of forms share an opener and each waits for the end of a header of 192 characters. */
const most = 600;

const hermes = dialects.get('hermes');
const readers = {
  'all dialects': hermes === undefined ? expect.fail() : readAny(hermes).createParser({ tools }),
  'leaked calls': readLeaks({ tools }),
};

const cases = Object.entries(readers).flatMap(([name, reader]) =>
  ['<function=', '<|start|>', '<invoke name="', '[TOOL_CALLS]'].map((opener) => [name, opener, reader] as const),
);

it.each(cases)('%s: %s over and over costs little, one character at a time', (_, opener, reader) => {
  const text = opener.repeat(length / opener.length);
  runStage(reader, [text]); // makes what is made once
  expect(countSteps(() => runStage(reader, [...text])) / text.length).toBeLessThan(most);
});

const shown = '<tool_call>{"name": "list", "arguments": {}}</tool_call>';

it.each([
  ['calls in quotation marks', `It writes "${shown}" or `],
  ['calls in a sentence, each on its line', `it writes ${shown},\n`],
  ['calls in paragraphs', `It writes ${shown} there.\n\n`],
  ['sections in brackets that nothing closes', 'it (<tool_calls><tool_call>{'],
  ['quotation marks before an opener', `${'"'.repeat(200)}<tool_call>{`],
  ['blanks before an opener', `${' '.repeat(200)}<tool_call>{`],
])('what prose mentions over and over costs no more for each character: %s', (_, unit) => {
  const reader = readers['leaked calls'];
  runStage(reader, [unit]);
  const said = (size: number) => unit.repeat(size);
  expect(growthOf((size) => runStage(reader, [...said(size)]), 20)).toBeLessThan(1.1);
  expect(growthOf((size) => runStage(reader, [said(size)]), 20)).toBeLessThan(1.1);
});
