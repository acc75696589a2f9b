import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensure, root } from './ensure.mjs';

/** Writes docs/dialects.md out of the registered dialects, and the fields of a table into docs/adding-a-dialect.md. Needs a build. */
export async function writeDialectDocs() {
  const { dialects, ...core } = await import('../packages/core/dist/index.js');
  writeFileSync(join(root, 'docs/dialects.md'), renderDialectDocs(dialects, core));
  const page = join(root, 'docs/adding-a-dialect.md');
  writeFileSync(page, withFields(readFileSync(page, 'utf8'), core));
}

/** The text of docs/dialects.md: the dialects, who writes which, what is read of all, then what each really writes. */
export function renderDialectDocs(dialects, { knownModels, knownForms, dialectSample }) {
  const samples = [...dialects.values()].map((dialect) => ({
    ...dialect,
    ...dialectSample(dialect),
    ...knownForms.get(dialect.id),
  }));
  const everyLesson = commonLines(samples.map(({ tools }) => tools));
  const quoted = (parts) => parts.map((part) => `\`${part}\``).join(', ');
  const known = knownModels.map(
    ({ part, dialect, except = [], readByServers }) =>
      `| \`${part}\` | ${quoted(except)} | \`${dialect}\` | ${readByServers ? 'takes no tools' : 'may take tools, too'} |`,
  );
  const rows = samples.map(
    ({ id, summary, source }) =>
      `| [\`${id}\`](${folder}/${id}/README.md) | ${summary.replaceAll('|', '\\|')} | ${source} | [cases](${folder}/${id}/cases) |`,
  );
  return `<!-- Generated from the dialects by "npm run fix"; a test checks that it is current. -->

# Dialects

How models write tool calls in text. A model rule names a dialect:

\`\`\`jsonc config
{
  "upstreams": {
    "local": {
      "baseUrl": "http://127.0.0.1:8080/v1",
      "models": { "qwen2.5-7b": { "toolCalling": { "dialect": "hermes" } } }
    }
  }
}
\`\`\`

\`dragoman dialects\` prints this list, and \`dragoman dialects hermes\` all that is known of one.

| id | form: models | published in | what is found in replies |
|---|---|---|---|
${rows.join('\n')}

The cases of each say what models wrote and what is found in it. To add a dialect, see [adding-a-dialect.md](adding-a-dialect.md).

## Which model writes which

With \`"toolCalling": "auto"\`, the default, a model whose name holds one of these words writes that dialect. All other models
are expected to call natively. If the server of such a model reads its calls itself and answers with \`tool_calls\`,
say \`"toolCalling": "native"\`. Letter case does not matter. Where a model has an \`upstreamName\`, that name counts.

Servers read the form of many models themselves. The name of such a model counts only where its upstream takes no tools:
where its API carries only text, or its list says that the model takes none.

| the name holds | but not | dialect | where the upstream |
|---|---|---|---|
${known.join('\n')}

The first line that fits counts ([dialects/known-models.ts](${folder}/known-models.ts)).

## What every dialect reads

Models often write a call that is not quite right. What can be read in only one way is a call, and a warning says what was repaired.
Everything else stays text, as it was written.

${readInAll()}

What is not a call, in any dialect:

- a call in a code fence, a code span or a sentence: it is [documentation](policies.md#documentation);
- a call in reasoning, unless the [policy](policies.md#the-decisions) says otherwise. A warning names it;
- what breaks off inside a value, as nobody knows what was meant;
- an expression of Python: only literals can be read in one way.

A call of a tool that nobody declared is [passed on](policies.md#the-decisions) if it has markers of its own.

## What each writes

This is what each writes into a prompt for the same tool, the same call and its result. \`dragoman render\` writes your own tools
and conversation. All lessons have these lines, so they are left out below:

${fenced(everyLesson.join('\n'))}

Chat templates such as Qwen's put a line of their own before the tools. So \`You are a helpful assistant.\` comes before them if the
client sends no system text.

${samples.map((sample) => section(sample, everyLesson)).join('\n')}`;
}

const folder = '../packages/core/src/dialects';

/** What models write besides the form itself, and is read wherever the form can hold it, with the shared case that shows it. */
const readings = {
  'every form': [
    ['text before and after calls, several calls in a reply', 'cases/calls.md#prose-around-a-round-of-calls'],
    ['a token that ends the turn', 'cases/calls.md#a-token-that-ends-the-turn'],
    [
      'a result or a turn of another side after a call: the model made it up, so the reply ends there',
      'cases/calls.md#what-opens-a-result-or-a-turn-of-another-side-directly-after-a-call',
    ],
    [
      'a name in another letter case, `-` for `_`, or `functions.` before it (not `cline-xml`)',
      'cases/values.md#another-letter-case-and-a-prefix-in-the-name',
    ],
    ['what is around all calls is missing, or not closed', 'cases/err-broken.md#a-call-without-its-section'],
    ['the closer of a call is missing', 'cases/err-broken.md#the-closer-is-missing'],
    ['a closing bracket is missing before the closer', 'cases/err-broken.md#the-closing-bracket-is-missing'],
    ['one call without the list', 'cases/values.md#one-call-without-a-list'],
  ],
  JSON: [
    ['a number in quotes, where the schema wants a number; Python, too', 'cases/values.md#an-integer-in-quotes'],
    ['arguments as a string', 'cases/values.md#arguments-as-a-string'],
    ['single quotes, trailing commas, `True` and `None`', 'cases/values.md#single-quotes-trailing-comma-python-words'],
    ['doubled braces', 'cases/values.md#doubled-braces'],
    ['raw line breaks in strings', 'cases/values.md#a-raw-line-break-and-an-unknown-escape-in-a-string'],
    ['`args` or `parameters` for `arguments`', 'cases/values.md#the-other-keys-for-arguments'],
  ],
  Python: [
    ['`true` and `null` beside `True` and `None`', 'cases/python.md#constants-of-python-and-json'],
    ['arguments without their names, in the order of the schema', 'pythonic/cases/calls.md#arguments-without-a-name'],
    ['quotation marks that are not escaped', 'cases/python.md#quotation-marks-that-are-not-escaped'],
  ],
  tags: [
    [
      'values as they are, white space included; types come from the schema, and entities stay',
      'cases/tags.md#types-by-the-schema',
    ],
    ['a value that holds the closers, or a whole call', 'cases/tags.md#a-whole-call-inside-a-value'],
    [
      'a value that is not closed before the next parameter',
      'cases/tags.md#a-value-is-not-closed-before-the-next-parameter',
    ],
    ['CDATA around a value', 'cases/tags.md#cdata-around-a-whole-value'],
  ],
};

function readInAll() {
  const rows = Object.entries(readings).flatMap(([form, each]) =>
    each.map(([what, place]) => `| ${form} | ${what} | [case](${folder}/${place}) |`),
  );
  return ['| in | what models write | |', '|---|---|---|', ...rows].join('\n');
}

/** The lines that all texts hold, in their order. */
function commonLines([first, ...others]) {
  const rest = others.map((text) => text.split('\n'));
  return first.split('\n').filter((line) => line !== '' && rest.every((lines) => lines.includes(line)));
}

const [fieldsStart, fieldsEnd] = ['<!-- fields: written by "npm run fix" -->\n', '<!-- /fields -->\n'];

/** docs/adding-a-dialect.md with every field of a table, as the table's own description says it. */
export function withFields(page, { dialectTable }) {
  const [before, after] = [page.indexOf(fieldsStart) + fieldsStart.length, page.indexOf(fieldsEnd)];
  return `${page.slice(0, before)}\n${fieldTables(dialectTable).join('\n')}\n${page.slice(after)}`;
}

/** A Markdown table for each object of a dialect's table and each form of a call, in the order in which they are met. */
function fieldTables(kind) {
  const tables = new Map();
  const said = new Set();
  const add = (name, fields) => {
    if (tables.has(name)) return;
    tables.set(name, fieldTable(name, fields));
    for (const { kind: inner } of Object.values(fields)) look(inner);
  };
  // What the forms of `call` and `also` share is said once.
  const addForm = (name, fields) => {
    const news = Object.entries(fields).filter(([, field]) => !said.has(field));
    for (const [, field] of news) said.add(field);
    if (news.length > 0) add(name, Object.fromEntries(news));
  };
  const look = ({ is }) => {
    if (is.type === 'list') look(is.of);
    if (is.type === 'either') is.of.forEach(look);
    if (is.type === 'object') add(is.name, is.fields);
    if (is.meaning !== undefined) tables.set(is.meaning.name, wordTable(is.meaning));
    if (is.type === 'forms') {
      addForm(is.name, is.shared);
      for (const [form, fields] of Object.entries(is.forms)) addForm(`${is.name} of the form ${form}`, fields);
    }
  };
  look(kind);
  return [...tables.values()];
}

function fieldTable(name, fields) {
  const rows = Object.entries(fields).map(([key, { kind, needed, says }]) => {
    const cells = [`\`${key}\`${needed ? ' (needed)' : ''}`, wordsOf(kind), says.replaceAll('|', '\\|')];
    return `| ${cells.join(' | ')} |\n`;
  });
  return `### ${name}\n\n| field | value | meaning |\n|---|---|---|\n${rows.join('')}`;
}

function wordTable({ name, of }) {
  const rows = Object.entries(of).map(([word, meaning]) => `| \`${word}\` | ${meaning} |\n`);
  return `### ${name}\n\n| value | what is reported |\n|---|---|\n${rows.join('')}`;
}

function wordsOf({ is }) {
  switch (is.type) {
    case 'any':
      return 'any';
    case 'switch':
      return 'true or false';
    case 'word':
      return is.meaning !== undefined ? `a \`${is.meaning.name}\`` : is.words.map((word) => `\`${word}\``).join(', ');
    case 'text':
      return 'text';
    case 'list':
      return `list of ${is.of.is.type === 'either' ? `(${wordsOf(is.of)})` : wordsOf(is.of)}`;
    case 'either':
      return is.of.map(wordsOf).join(' or ');
    default:
      return `\`${is.name}\``;
  }
}

function section({ id, call, result, tools }, everyLesson) {
  const own = tools.split('\n').filter((line) => !everyLesson.includes(line));
  const lesson = own
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  return `### ${id}

A call, its result, and the lesson:

${[call, result, lesson].map(fenced).join('\n\n')}
`;
}

/** In a fence that is longer than any in the text. */
function fenced(text) {
  const inside = (text.match(/`+/g) ?? []).map(({ length }) => length);
  const fence = '`'.repeat(Math.max(3, ...inside.map((length) => length + 1)));
  return `${fence}text\n${text}\n${fence}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  ensure();
  await writeDialectDocs();
}
