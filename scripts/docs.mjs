import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensure, root } from './ensure.mjs';

/**
 * Writes docs/dialects.md out of the registered dialects, what they write into test/dialect-samples.txt, and the fields of a table
 * into docs/adding-a-dialect.md. Needs a build.
 */
export async function writeDialectDocs() {
  const { dialects, ...core } = await import('../packages/core/dist/index.js');
  writeFileSync(join(root, 'docs/dialects.md'), renderDialectDocs(dialects, core));
  writeFileSync(join(root, 'test/dialect-samples.txt'), renderDialectSamples(dialects, core));
  const page = join(root, 'docs/adding-a-dialect.md');
  writeFileSync(page, withFields(readFileSync(page, 'utf8'), core));
}

/** The text of docs/dialects.md: the dialects with the names of models that write each, and what is read of all. */
export function renderDialectDocs(dialects, { knownModels, knownForms }) {
  const rows = [...dialects.keys()].map((id) => {
    const summary = knownForms.get(id)?.summary ?? dialects.get(id).summary;
    const names = knownModels.filter(({ dialect }) => dialect === id).map(nameOf);
    return `| [\`${id}\`](${folder}/${id}/README.md) | ${summary.replaceAll('|', '\\|')} | ${names.join(', ')} |`;
  });
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

| page | form: models | names |
|---|---|---|
${rows.join('\n')}

Is there a reply? \`dragoman parse --any-tool\` [says which one it is](parse.md); \`"toolCalling": "text"\` reads them all.

The page of each says where it comes from and what else is read; its cases are what models wrote, and what is found in it.
\`dragoman dialects hermes\` prints a call, its result and what teaches the tools, and \`dragoman render\` the same of your own tools and
conversation. To add a dialect, see [adding-a-dialect.md](adding-a-dialect.md).

## Which model writes which

With \`"toolCalling": "auto"\`, the default, the name of a model tells its dialect if it holds one of the *names* of the table. Letter case
does not matter; an \`upstreamName\` counts instead. All other models are expected to call natively. The first that fits counts
([dialects/known-models.ts](${folder}/known-models.ts)).

Servers read the form of most models themselves. So a name counts only where the upstream takes no tools: where its API
carries only text, or its list says that the model takes none. A name in **bold** always counts. If the server of such a model reads
its calls itself and answers with \`tool_calls\`, say \`"toolCalling": "native"\`.

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
`;
}

function nameOf({ part, except = [], readByServers }) {
  const name = readByServers ? `\`${part}\`` : `**\`${part}\`**`;
  return except.length === 0 ? name : `${name} (not ${except.map((each) => `\`${each}\``).join(', ')})`;
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

/** What each dialect writes for the same tool, call and result: a golden, so that no change of a prompt goes unseen. */
export function renderDialectSamples(dialects, { dialectSample }) {
  const sections = [...dialects.values()].map((dialect) => {
    const { call, result, tools } = dialectSample(dialect);
    return [
      `════ ${dialect.id}`,
      '──── a call',
      call,
      '──── its result',
      result,
      '──── what teaches the tool',
      tools,
      '',
    ];
  });
  return sections.flat().join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  ensure();
  await writeDialectDocs();
}
