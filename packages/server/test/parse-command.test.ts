import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from './run-command.ts';

let cwd = '';

const schema = { type: 'object', properties: { path: { type: 'string' }, limit: { type: 'integer' } } };
const declared = {
  'chat.json': [{ type: 'function', function: { name: 'read', parameters: schema } }],
  'bare.json': [{ name: 'read', inputSchema: schema }],
  'messages.json': { model: 'm', tools: [{ name: 'read', input_schema: schema }] },
  'bedrock.json': {
    toolConfig: {
      tools: [{ toolSpec: { name: 'read', inputSchema: { json: schema } } }, { cachePoint: { type: 'default' } }],
    },
  },
  'gemini.json': {
    contents: [],
    tools: [
      {
        functionDeclarations: [
          {
            name: 'read',
            parameters: { type: 'OBJECT', properties: { path: { type: 'STRING' }, limit: { type: 'INTEGER' } } },
          },
        ],
      },
    ],
  },
  'older.json': { model: 'm', functions: [{ name: 'read', parameters: schema }] },
  'responses.json': { model: 'm', input: 'hi', tools: [{ type: 'function', name: 'read', parameters: schema }] },
};

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'dragoman-parse-'));
  for (const [name, content] of Object.entries(declared)) writeFileSync(join(cwd, name), JSON.stringify(content));
  writeFileSync(join(cwd, 'wrong.json'), '{"tool": []}');
});
afterAll(() => rmSync(cwd, { recursive: true }));

const parse = (input: string | Iterable<string | Uint8Array>, ...flags: readonly string[]) =>
  runCommand(['parse', ...flags], { input, cwd });

const hermes = (name: string, values: object) =>
  `<tool_call>${JSON.stringify({ name, arguments: values })}</tool_call>`;
const glm = '<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>b.md</arg_value>\n</tool_call>';

/** A configuration with one dialect of its own, as `dragoman serve` would find it. */
const ownConfig = JSON.stringify({
  dialects: {
    mine: { table: { summary: 'mine\u001b[2J', call: { form: 'json', opener: '<mine>', closer: '</mine>' } } },
  },
});
const mine = '<mine>{"name":"read","arguments":{"path":"a"}}</mine>';

describe('the dialects of the configuration', () => {
  let own = '';
  beforeAll(() => {
    own = mkdtempSync(join(tmpdir(), 'dragoman-own-'));
    writeFileSync(join(own, 'dragoman.json'), ownConfig);
    writeFileSync(join(cwd, 'other.json'), ownConfig);
  });
  afterAll(() => rmSync(own, { recursive: true }));

  const command = (args: readonly string[], input = '', folder = own) => runCommand(args, { input, cwd: folder });

  it('are named, recognised and listed, out of the file that serve would take or one that is named', async () => {
    expect((await command(['parse', '--any-tool', '--dialect', 'mine'], mine)).out).toContain(
      'dialect mine\n\ncall read {"path":"a"}\n',
    );
    expect((await command(['parse', '--any-tool'], mine)).out).toContain('dialect mine, recognised by its calls');
    expect((await command(['parse', '--any-tool', '--config', 'other.json'], mine, cwd)).out).toContain(
      'dialect mine,',
    );
    const [, first] = (await command(['dialects'])).out.split('\n');
    expect(first).toMatch(/^mine +json +- +yes +yes +of the configuration +mine\\x1b\[2J$/);
    const [listed, builtIn] = JSON.parse((await command(['dialects', '--json'])).out);
    expect(listed).toMatchObject({ id: 'mine', own: true });
    expect(builtIn.own).toBe(false);
  });

  it('are read and written line by line', async () => {
    const line = { id: 1, dialect: 'mine', tools: [{ type: 'function', function: { name: 'read' } }], text: mine };
    const { out } = await command(['parse', '--jsonl'], JSON.stringify(line));
    expect(JSON.parse(out)).toMatchObject({ text: '', calls: [{ name: 'read', arguments: '{"path":"a"}' }] });
    const { id, dialect, tools } = line;
    const request = { messages: [{ role: 'user', content: 'hi' }], tools };
    const rendered = await command(['render', '--jsonl'], JSON.stringify({ id, dialect, request }));
    expect(rendered.out).toContain('<mine>');
  });

  it('are not known elsewhere: the error names the nearest and what lists them all', async () => {
    const { code, err } = await parse(mine, '--dialect', 'hermse');
    expect({ code, err }).toEqual({
      code: 2,
      err: 'There is no dialect "hermse"; did you mean "hermes"? See: npx --no dragoman dialects\n',
    });
  });
});

describe('dragoman parse and what may do harm', () => {
  it('shows what would control the terminal', async () => {
    const name = 'read\u001b]0;owned\u0007\n\u202eevil';
    const { out } = await parse(hermes(name, {}), '--any-tool', '--dialect', 'hermes');
    for (const sign of ['\u001b', '\u0007', '\u202e']) expect(out).not.toContain(sign);
    expect(out).toContain('\\u202eevil');
    const { out: unclosed } = await parse(`\u001b[2J${name}`, '--dialect', 'hermes', '--explain');
    for (const sign of ['\u001b', '\u0007', '\u202e']) expect(unclosed).not.toContain(sign);
  });

  it.each([
    ['[{"name":"a"},7]', 'tools[1] in t.json has no "name": write {"name": …'],
    ['[{"type":"web_search"}]', 'tools[0] in t.json has no "name", and is of the type "web_search"'],
    ['{"tools":[{"type":"function","function":{}}]}', 'tools[0] in t.json has no "name"'],
    ['[{"name":"a","parameters":"{}"}]', '"parameters" of tools[0] in t.json is not a JSON Schema'],
    [
      '[{"name":"a","inputShema":{}}]',
      'tools[0] in t.json has an unknown field "inputShema"; did you mean "inputSchema"?',
    ],
    ['[{"type":"function","function":{"name":"a","paramters":{}}}]', '"paramters"; did you mean "parameters"?'],
    ['[{"name":"a","desciption":"b"}]', '"desciption"; did you mean "description"?'],
    ['[{"nmae":"a"}]', '"nmae"; did you mean "name"?'],
    ['[{"name":"a","schema":{"properties":{}}}]', 'tools[0] in t.json has a schema in "schema", where no API has it'],
    ['[{"functionDeclarations":[{"name":"a"},{}]}]', 'functionDeclarations[1] of tools[0] in t.json has no "name"'],
    [
      '[{"toolSpec":{"name":"a","inputSchema":{"json":"{}"}}}]',
      '"inputSchema" of tools[0] in t.json is not a JSON Schema',
    ],
    ['[{"name":"a"},{"name":"a"}]', 't.json: tools[1] was left out: its name is declared twice.'],
  ])('says which entry of --tools is wrong: %s', async (tools, reason) => {
    writeFileSync(join(cwd, 't.json'), tools);
    const { code, err } = await parse('', '--tools', 't.json');
    expect(code).toBe(1);
    expect(err).toContain(reason);
  });
});

describe('dragoman parse', () => {
  it.each(Object.keys(declared))('takes tools as %s declares them, and tells text and calls', async (file) => {
    const reply = `<think>So.</think>\nI'll look.\n${hermes('read', { path: 'a.md', limit: '5' })}`;
    const { code, out, err } = await parse(reply, '--tools', file);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const [head, , ...lines] = out.trimEnd().split('\n');
    expect(head).toBe('dialect hermes, recognised by its calls');
    expect(lines.slice(0, 3)).toEqual([
      'reasoning "So."',
      `text ${JSON.stringify("\nI'll look.\n")}`,
      'call read {"path":"a.md","limit":5}',
    ]);
    expect(lines[3]).toMatch(/^warning value-coerced at \d+: /);
  });

  it('overlooks fields of tools that mean nothing here', async () => {
    const extras = { strict: true, outputSchema: {}, annotations: {}, title: 'Read', cache_control: {}, time: 1 };
    writeFileSync(join(cwd, 't.json'), JSON.stringify([{ name: 'read', inputSchema: schema, ...extras }]));
    expect((await parse(hermes('read', { limit: '5' }), '--tools', 't.json')).out).toContain('call read {"limit":5}');
  });

  it('recognises another form, and says what a form that was named leaves as text', async () => {
    expect((await parse(glm, '--tools', 'bare.json')).out).toContain('dialect glm, recognised');
    const { out } = await parse(`See: ${glm}`, '--tools', 'bare.json', '--dialect', 'hermes', '--explain');
    expect(out).toMatch(/This is glm( or [\w-]+)*: read so, it calls read at 5\./);
    expect(out).toContain('"<tool_call>" at 5 is in prose, or what follows it is not a call.');
  });

  it('reads every form with any, and tells whose each call is', async () => {
    const { out } = await parse(`${hermes('read', { path: 'a' })}\n${glm}`, '--tools', 'bare.json', '--dialect', 'any');
    expect(out).toContain('dialect any\n');
    expect(out).toContain('call read {"path":"a"}');
    expect(out).toContain('call read (glm) {"path":"b.md"}');
  });

  it('calls nothing without tools, and says so; --any-tool reads it all the same', async () => {
    const without = await parse(hermes('rm', {}));
    expect(without.err).toContain('--any-tool');
    expect(without.out).toContain('warning call-undeclared at');
    const any = await parse(hermes('rm', {}), '--any-tool');
    expect(any).toMatchObject({ err: '', out: expect.stringContaining('call rm {}') });
    expect(any.out).not.toContain('warning');
  });

  it.each(['pythonic', 'fenced-json', 'llama3-json', 'cline-xml'])(
    'says that %s reads no calls of undeclared tools',
    async (dialect) => {
      const { err } = await parse('[rm(path="a")]', '--any-tool', '--dialect', dialect);
      expect(err).toBe(
        `The dialect "${dialect}" tells a call by the name of a declared tool: name the tools with --tools.\n`,
      );
    },
  );

  it.each(['hermes', 'glm', 'anthropic-xml', 'harmony', 'kimi-k2', 'any'])(
    'and that of %s it does not',
    async (dialect) => {
      expect(await parse('Hm.', '--any-tool', '--dialect', dialect)).toMatchObject({ err: '' });
    },
  );

  it('explains each range with its offsets, and where a call broke', async () => {
    const broken = '<tool_call>{"name": "read", ! }</tool_call>';
    const reply = `Hm.\n${hermes('read', { path: 'a' })}\n${hermes('rm', {})}\n${broken}`;
    const { out } = await parse(reply, '--tools', 'bare.json', '--explain');
    const rows = [...out.matchAll(/^ *(\d+)-(\d+) +(\w+) /gm)].map(([, from, to, outcome]) => [
      Number(from),
      Number(to),
      outcome,
    ]);
    expect(rows[0]).toEqual([0, 4, 'text']);
    expect(rows[1]?.[2]).toBe('call');
    expect(rows.at(-1)?.[1]).toBe(reply.length);
    expect(rows.slice(1).map(([from]) => from)).toEqual(rows.slice(0, -1).map(([, to]) => to));
    const at = reply.indexOf('!');
    expect(out).toContain(`call-cut at ${at}: `);
    expect(out).toContain('There is "! }</tool_call>".');
    expect(out).toContain('call-undeclared at');
  });

  it.each([
    ['hermes', 'Use <toolcall>{"name":"read"}</toolcall>', '"<toolcall>" at 4 is not a marker here; "<tool_call>" is.'],
    ['hermes', '&lt;tool_call&gt;{"name":"read"}', '"&lt;tool_call&gt;" at 0 is not a marker here; "<tool_call>" is.'],
    [
      'hermes',
      `<think>Hm. ${hermes('read', {})}`,
      'The reasoning was never closed, so the rest of the reply is reasoning.',
    ],
    ['hermes', hermes('rm', {}), 'which is not declared; it stays text. Declared: "read".'],
    ['hermes', '<tool_call>{"arguments":{"path":"a"}}</tool_call>', 'A call could not be read: it has no name.'],
    ['glm', '<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>a', 'the value of "path" was not closed.'],
    ['pythonic', '[rm(path="a")]', 'In "pythonic" a call begins with the name of a declared tool: "read".'],
    ['cline-xml', '<rm><path>a</path></rm>', 'In "cline-xml" a call begins with the name of a declared tool: "read".'],
  ])('explains why nothing is called: %s, %s', async (dialect, reply, reason) => {
    const { out } = await parse(reply, '--tools', 'bare.json', '--dialect', dialect, '--explain');
    expect(out).toContain(reason);
    expect(out).not.toMatch(/^ *\d+-\d+ +call /m);
  });

  it('recognises a form by a call that broke off, and says so', async () => {
    const { out } = await parse(
      '<invoke name="read">\n<parameter name="path">a.m',
      '--tools',
      'bare.json',
      '--explain',
    );
    expect(out).toContain('dialect anthropic-xml, recognised by a call that broke off\n');
    expect(out).toContain('call-cut at 47: The call of "read" could not be read: the value of "path" was not closed.');
  });

  it('prints all of it as JSON', async () => {
    const call = hermes('read', { path: 'a' });
    const { out } = await parse(`Hm. ${call}`, '--tools', 'bare.json', '--json', '--explain');
    expect(JSON.parse(out)).toEqual({
      dialect: 'hermes',
      recognised: true,
      text: 'Hm. ',
      reasoning: '',
      calls: [{ name: 'read', arguments: '{"path":"a"}', from: 4, to: 4 + call.length }],
      warnings: [],
      complete: true,
      ranges: [
        expect.objectContaining({ from: 0, to: 4, outcome: 'text', written: 'Hm. ' }),
        expect.objectContaining({ from: 4, to: 4 + call.length, outcome: 'call', written: call }),
      ],
    });
    expect(JSON.parse((await parse('<tool_call>{"name": ', '--any-tool', '--json')).out)).toMatchObject({
      recognised: false,
      complete: false,
      warnings: [{ code: 'call-cut' }],
    });
  });

  it('reads bytes wherever they are cut, and no text at all', async () => {
    const bytes = new TextEncoder().encode('Grüße 🦉');
    const { out } = await parse(
      [...bytes].map((byte) => Uint8Array.of(byte)),
      '--any-tool',
    );
    expect(out).toContain('text "Grüße 🦉"');
    expect(await parse('', '--any-tool')).toMatchObject({
      code: 0,
      out: 'dialect hermes, since no dialect finds a call\n\n',
    });
  });

  it.each([
    [['--dialect', 'hermez'], 'did you mean "hermes"?'],
    [['--tools', 'nowhere.json'], 'The tools in nowhere.json cannot be read'],
    [['--tools', 'wrong.json'], 'wrong.json holds no tools'],
  ])('%j is refused with one line', async (flags, reason) => {
    const { code, err } = await parse('', ...flags);
    expect(code).toBe(flags.includes('hermez') ? 2 : 1);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err).toContain(reason);
  });
});

describe('dragoman dialects', () => {
  it('prints a table, or the same as JSON', async () => {
    const { code, out } = await runCommand(['dialects']);
    expect(code).toBe(0);
    const [head, ...rows] = out.trimEnd().split('\n');
    expect(head?.split(/ {2,}/)).toEqual(['id', 'form', 'ids', 'parallel', 'streams', 'models', 'a call']);
    expect(rows.find((row) => row.startsWith('kimi-k2 '))).toMatch(/header +yes +yes +yes +kimi-k2 /);
    const json = await runCommand(['dialects', '--json']);
    const facts: readonly { readonly id: string }[] = JSON.parse(json.out);
    expect(facts).toHaveLength(rows.length);
    expect(facts.find(({ id }) => id === 'hermes')).toMatchObject({ form: 'json', ids: false, streams: true });
  });
});
