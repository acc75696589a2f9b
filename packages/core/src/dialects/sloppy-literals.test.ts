import { cutText, runs } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ToolDefinition } from '../chat/tool.ts';
import { DragomanError } from '../errors.ts';
import { runStage } from '../stream/stage.ts';
import type { Span } from './dialect.ts';
import { dialects } from './registry.ts';

const tools: readonly ToolDefinition[] = [
  {
    name: 'bash',
    inputSchema: {
      type: 'object',
      properties: {
        command: { type: 'string' },
        note: { type: 'string' },
        paths: { type: 'array', items: { type: 'string' } },
      },
      required: ['command'],
    },
  },
  { name: 'list', inputSchema: { type: 'object', properties: {} } },
];

/** One way of a dialect to write a call of `bash`. */
interface Form {
  readonly dialect: string;
  readonly head: string;
  readonly assign: string;
  readonly tail: string;
  readonly quotes: readonly string[];
}

const pythonQuotes = ["'", '"', '"""', "'''"];
const python = { head: 'bash(', assign: '=', tail: ')', quotes: pythonQuotes };
const gemma = { head: 'call:bash{', assign: ':', tail: '}', quotes: ["'", '"', ''] };

const forms: readonly Form[] = [
  { ...python, dialect: 'pythonic', head: '[bash(', tail: ')]' },
  { ...python, dialect: 'pythonic', head: '<|python_start|>[bash(', tail: ')]<|python_end|>' },
  { ...python, dialect: 'llama3-json', head: '[bash(', tail: ')]' },
  { ...python, dialect: 'lfm2', head: '<|tool_call_start|>[bash(', tail: ')]<|tool_call_end|>' },
  { ...python, dialect: 'lfm2', head: '<|tool_call_start|>bash(', tail: ')<|tool_call_end|>' },
  { ...python, dialect: 'lfm2', head: '[bash(', tail: ')]' },
  { ...python, dialect: 'olmo3', head: '<function_calls>bash(', tail: ')</function_calls>' },
  { ...python, dialect: 'gemma-fence', head: '```tool_code\nbash(', tail: ')\n```' },
  { ...python, dialect: 'gemma-fence', head: '```tool_code\nprint(bash(', tail: '))\n```' },
  { ...gemma, dialect: 'gemma4', head: '<|tool_call>call:bash{', tail: '}<tool_call|>' },
  { ...gemma, dialect: 'functiongemma', head: '<start_function_call>call:bash{', tail: '}<end_function_call>' },
];

/** Where in the call the value stands. */
const places: readonly ((form: Form, value: string) => string)[] = [
  ({ assign }, value) => `command${assign}${value}`,
  ({ assign }, value) => `note${assign}3, command${assign}${value}`,
  ({ assign }, value) => `command${assign}${value}, paths${assign}[]`,
  ({ assign }, value) => `paths${assign}[${value}]`,
  ({ assign }, value) => `paths${assign}[1, ${value}], command${assign}3`,
];

const piece = fc.oneof(
  { arbitrary: fc.constantFrom("'", '"', '(', ')', '[', ']', '{', '}', ','), weight: 6 },
  { arbitrary: fc.constantFrom(' ', '\n', '.', ';', ':', '=', '"""', "'''", ')]', '"}', "')"), weight: 2 },
  { arbitrary: fc.constantFrom('a', 'x', 'g(', 'rm -rf ', '3', 'it', 's', 'None', 'f(x=', ', y='), weight: 3 },
);
const value = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));
const after = fc.constantFrom('', '', '\n', '\nThat is all.', '\n\nThen "this" (or that), [x].', ' And done.');
const example = fc.record({
  form: fc.constantFrom(...forms),
  place: fc.constantFrom(...places),
  quote: fc.nat(),
  value,
  after,
  ends: fc.constantFrom<'whole' | 'early' | 'cut'>('whole', 'whole', 'early', 'cut'),
});

/** What a reply of that text gives, whole and in every place cut. */
function callsIn(dialect: string, text: string, cut: boolean): readonly unknown[] {
  const parser = dialects.get(dialect)?.createParser({ tools });
  if (parser === undefined) throw new Error(dialect);
  const error = cut ? new DragomanError('upstream-cut', 'It stopped.') : undefined;
  const whole = calls(runStage(parser, [text], error));
  expect(calls(runStage(parser, cutText(text, 'chars'), error)), text).toEqual(whole);
  return whole;
}

function calls(spans: readonly Span[]): readonly unknown[] {
  const found: { name: string; json: string }[] = [];
  for (const span of spans) {
    if (span.kind === 'call') found.push({ name: span.name, json: '' });
    const last = found.at(-1);
    if (span.kind === 'arguments' && last !== undefined) last.json += span.text;
    if (span.kind === 'call-cut') found.pop();
  }
  return found.map(({ name, json }) => ({ name, arguments: JSON.parse(json) }));
}

/**
 * Whether the value could be meant. Not where it holds, after its quotation mark, what is the call's own syntax: a further
 * parameter or call, which nobody can tell from one that was meant. Nor where it has no quotation marks and is no word.
 */
function isValue(written: string, quote: string): boolean {
  const more = new RegExp(`${quote}[\\])}\\s]*[,;\\s]*(y|\\w*f\\(x)\\s*=`);
  if (quote === '') return written === written.trim() && /^[a-z]/.test(written) && !/[,;\s]*y\s*=|x=/.test(written);
  // Three marks open a string of another kind.
  return !more.test(written) && !(quote.length === 1 && written.startsWith(quote + quote));
}

/** The value is more than one element of a list. */
function isList(written: string, quote: string): boolean {
  return new RegExp(`${quote}\\s*,\\s*["'([{3N]`).test(written);
}

it('a value whose quotation marks nobody escaped comes back exactly, or its call is text', () => {
  fc.assert(
    fc.property(example, ({ form, place, quote: index, value: written, after: prose, ends }) => {
      const quote = form.quotes[index % form.quotes.length] ?? "'";
      const listed = place(form, '').startsWith('paths');
      fc.pre(isValue(written, quote) && !(listed && (quote === '' || isList(written, quote))));
      const inside = place(form, `${quote}${written}${quote}`);
      const full = `${form.head}${inside}${form.tail}${prose}`;
      const at = form.head.length + inside.length;
      const text = ends === 'whole' ? full : full.slice(0, (index % at) + 1);
      // What was left of the reply may be a whole call of another value: its closers may be missing, prose may follow.
      const isAll = (value: string) => {
        const [front = ''] = place(form, '\0').split('\0');
        const given = form.head + front + quote + value + quote;
        const rest = text.startsWith(given) ? text.slice(given.length) : 'another value';
        if (ends === 'early') return /^,?\s*[\])}]*(\s*$|\n|\] )/.test(rest);
        return ends === 'cut' && rest.startsWith(form.tail);
      };
      const found = callsIn(form.dialect, text, ends === 'cut');
      for (const call of found) {
        const { arguments: given } = call as { arguments: Record<string, unknown> };
        const values = [given.command, ...(Array.isArray(given.paths) ? given.paths : [])];
        const isWritten = values.some((value) => value === written || isAll(`${value}`));
        if (found.length !== 1 || !isWritten) expect.fail(`${text} gave ${JSON.stringify(found)}`);
      }
    }),
    { numRuns: runs(2000) },
  );
});
