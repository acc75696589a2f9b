import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensure, root } from './ensure.mjs';

/** Writes docs/dialects.md out of the registered dialects. Needs a build. */
export async function writeDialectDocs() {
  const { dialects, knownModels, formSources } = await import('../packages/core/dist/index.js');
  writeFileSync(join(root, 'docs/dialects.md'), renderDialectDocs(dialects, { knownModels, formSources }));
}

/** The text of docs/dialects.md: the dialects, who writes which, then what each really writes. */
export function renderDialectDocs(dialects, { knownModels, formSources }) {
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

How models write tool calls in text. \`dragoman dialects\` prints the same list. A model rule names one:
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

Below stands what each writes into a prompt for the same call and its result.

${all.map(section).join('\n')}`;
}

const tool = {
  name: 'read',
  description: 'Reads a file.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string', description: 'Its path.' }, limit: { type: 'integer' } },
    required: ['path'],
  },
};

function section(dialect) {
  const nativeId = `functions.${tool.name}:0`;
  const call = {
    callId: 'call_1',
    ordinal: 0,
    name: tool.name,
    arguments: '{"path":"README.md","limit":40}',
    nativeId,
  };
  const result = { call, status: 'ok', text: '# Dragoman' };
  return `### ${dialect.id}

The call:

${fenced(dialect.renderCalls([call], [tool]))}

Its result:

${fenced(dialect.renderResults([result]))}

What teaches the tool:

${fenced(dialect.renderTools([tool], { choice: 'auto', parallel: true }))}
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
