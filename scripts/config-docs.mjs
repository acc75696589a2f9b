const head = `<!-- Generated from the configuration's schema by "npm run fix"; a test checks that it is current. -->

# Configuration

Most people need one line in a file \`dragoman.jsonc\`, the address of their model server:
\`{ "upstreams": { "local": "http://127.0.0.1:8080/v1" } }\` serves the models that it lists. Most others need three settings: where the
model is, how it writes tool calls, and what clients call it.

\`\`\`jsonc
{
  "upstreams": {
    "local": {
      "wire": "openai-chat", // The API that it speaks; left out: as the address tells.
      "baseUrl": "http://127.0.0.1:8080/v1", // 1. Where.
      // 2. How. Left out, it is found out.
      "models": { "qwen2.5-7b": { "toolCalling": { "dialect": "hermes" } } }
    }
  },
  "models": { "gpt-4o": "local/qwen2.5-7b" } // 3. What clients ask for, beside "local/qwen2.5-7b".
}
\`\`\`

Whoever lets others in adds \`listen\` and \`keys\`. Everything else has a default that suits most.

Comments and trailing commas are allowed. [operations.md](operations.md#where-the-configuration-comes-from) says where the file is looked
for. \`dragoman check-config F\` names every mistake in a file with its line, and
\`"$schema": "./packages/server/config.schema.json"\` makes editors do so, too.

A secret is written in one of three ways:

- \`env:NAME\` reads an environment variable: \`"keys": [{ "name": "me", "key": "env:OAI_API_KEY" }]\`
- \`file:PATH\` reads the one line of a file; a relative path counts from the folder that the gateway was started in
- anything else is the secret itself
`;

/** The tables, each with the beginning of the keys that it leaves out. A key is in the one with the longest beginning. */
const sections = [
  ['', 'The gateway'],
  ['upstreams.<name>.', 'An upstream'],
  ['upstreams.<name>.quirks.', 'Quirks of an upstream'],
  ['upstreams.<name>.conversation.', 'An upstream of the wire `conversation`'],
  ['upstreams.<name>.models.<name>.', 'The rule of a model'],
];

/** The reference page of the configuration, out of its JSON Schema and the table of variables. */
export function renderConfigDocs(schema, variables) {
  const rows = rowsOf(schema, '');
  const beginningOf = (path) => sections.findLast(([beginning]) => path.startsWith(beginning))?.[0];
  const tables = sections.flatMap(([beginning, title]) => [
    `## ${title}`,
    '',
    ...(beginning === '' ? [] : [`Below \`${beginning.slice(0, -1)}\`:`, '']),
    '| key | value | default | meaning |',
    '|---|---|---|---|',
    ...rows
      .filter(({ path }) => beginningOf(path) === beginning)
      .map(
        ({ path, kind, initial, text }) => `| \`${path.slice(beginning.length)}\` | ${kind} | ${initial} | ${text} |`,
      ),
    '',
  ]);
  const names = variables.map(({ names: [own, ...others], meaning }) => {
    const also = others.map((name) => `\`${name}\``).join(', ');
    return `| \`${own}\` | ${also} | ${meaning} |`;
  });
  return [
    head,
    ...tables,
    '## Environment variables',
    '',
    'A wrong value is refused with an error that names the variable. An empty variable counts as unset.',
    '',
    '| variable | also accepted as | meaning |',
    '|---|---|---|',
    ...names,
    '',
  ].join('\n');
}

/** A rule for all models has the fields of a rule for one; those of a table are on a page of their own. */
const toldElsewhere = ['.anyModel', '.table'];

function rowsOf(node, path) {
  const children = toldElsewhere.some((end) => path.endsWith(end)) ? [] : childrenOf(node, path);
  const own = {
    path,
    kind: kindOf(node).replaceAll('|', '\\|'),
    initial: initialOf(node),
    text: withLinks(node.description ?? '').replaceAll('|', '\\|'),
  };
  return [...(path === '' ? [] : [own]), ...children.flatMap(([name, child]) => rowsOf(child, name))];
}

/** Names of pages, which the schema writes for editors, too. */
function withLinks(text) {
  return text.replaceAll(/`?docs\/([\w-]+\.md)`?/g, '[$1]($1)');
}

function childrenOf(node, path) {
  const prefix = path === '' ? '' : `${path}.`;
  const { properties, additionalProperties, items } = node;
  if (properties !== undefined) return Object.entries(properties).map(([name, child]) => [prefix + name, child]);
  if (typeof additionalProperties === 'object' && additionalProperties.properties !== undefined) {
    return [[`${prefix}<name>`, additionalProperties]];
  }
  if (items?.properties !== undefined) {
    return Object.entries(items.properties).map(([name, child]) => [`${path}[].${name}`, child]);
  }
  return [];
}

/** Of a longer list, such as that of all routes, the first two stand for the rest. */
const mostWords = 12;

function kindOf(node) {
  if (node.$ref !== undefined) return 'object';
  if (node.const !== undefined) return `\`${JSON.stringify(node.const)}\``;
  if (node.enum !== undefined) {
    const words = node.enum.map((value) => `\`${JSON.stringify(value)}\``);
    return (words.length > mostWords ? [...words.slice(0, 2), '…'] : words).join(', ');
  }
  if (node.anyOf !== undefined) return [...new Set(node.anyOf.map(kindOf))].join(', ');
  if (node.oneOf !== undefined) return 'object';
  if (node.type === 'array') return `list of ${node.items === undefined ? 'values' : kindOf(node.items)}`;
  if (node.type === 'object' && node.required?.length === 1 && node.properties !== undefined) {
    return `\`{ ${JSON.stringify(node.required[0])}: … }\``;
  }
  return typeof node.type === 'string' ? node.type : (node.type?.join(', ') ?? 'value');
}

function initialOf(node) {
  if (node.default === undefined) return '';
  const text = JSON.stringify(node.default);
  return text === '{}' ? '' : `\`${text}\``;
}
