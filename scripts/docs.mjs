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

/** The text of docs/dialects.md: the dialects, who writes which, then what each really writes. */
export function renderDialectDocs(dialects, { knownModels, formSources, dialectSample }) {
  const all = [...dialects.values()];
  const quoted = (parts) => parts.map((part) => `\`${part}\``).join(', ');
  const known = knownModels.map(
    ({ part, dialect, except = [], readByServers }) =>
      `| \`${part}\` | ${quoted(except)} | \`${dialect}\` | ${readByServers ? 'takes no tools' : 'may take tools, too'} |`,
  );
  const rows = all.map(
    ({ id, summary }) =>
      `| [\`${id}\`](../packages/core/src/dialects/${id}/README.md) | ${summary.replaceAll('|', '\\|')} | ${formSources.get(id) ?? ''} | [cases](../packages/core/src/dialects/${id}/cases) |`,
  );
  return `<!-- Generated from the dialects by "npm run fix"; a test checks that it is current. -->

# Dialects

How models write tool calls in text. \`dragoman dialects\` prints the same list, and \`dragoman dialects hermes\` all of one. A model rule names it:
\`"toolCalling": { "dialect": "hermes" }\`.

| id | form: models | published in | what is found in replies |
|---|---|---|---|
${rows.join('\n')}

Each has pages of cases in \`packages/core/src/dialects/<id>/cases\`: what models wrote, and what is found in it. To add
one, see [adding-a-dialect.md](adding-a-dialect.md).

## Which model writes which

With \`"toolCalling": "auto"\`, which is the default, a model whose name holds one of these words writes that dialect. In
all other cases its calls are expected as structured fields. If the server of such a model parses its calls itself and
answers with \`tool_calls\`, say \`"toolCalling": "native"\`. Letter case does not matter; the name that counts is
\`upstreamName\` where there is one.

Servers read the form of many models themselves. The name of such a model counts only where its upstream takes no tools:
on a wire that carries only text, or where the upstream lists the model as taking none.

| the name holds | but not | dialect | where the upstream |
|---|---|---|---|
${known.join('\n')}

The first line that fits counts ([dialects/models.ts](../packages/core/src/dialects/models.ts)).

## What each writes

Below stands what each writes into a prompt for the same call and its result. \`dragoman render\` writes your own tools and
conversation. Where tools are taught and the client sends no system text, \`You are a helpful assistant.\` is put before
them, whatever the dialect, as chat templates such as Qwen's have a line of their own there. Any system text of the client takes
its place, and without tools nothing is added.

${all.map((dialect) => section(dialect, dialectSample(dialect))).join('\n')}`;
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

function section({ id }, { call, result, tools }) {
  return `### ${id}

The call:

${fenced(call)}

Its result:

${fenced(result)}

What teaches the tool:

${fenced(tools)}
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
