import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { chatStream, sample } from '@dragoman/testkit';
import { jsonSchema, stepCountIs, streamText, type ToolSet, tool } from 'ai';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Arguments } from './coding-tool.ts';
import { codingTools } from './coding-tools.ts';
import { type CopilotTool, copilotMessages, runCopilotTurn } from './copilot-client.ts';
import { RecordedFetch } from './recorded-fetch.ts';
import { makeScratchFolder, type ScratchFolder } from './scratch-folder.ts';
import { type DemoGateway, demoModels, startDemoGateway } from './start-demo-gateway.ts';
import { eachDialect, type TextGateway, textGatewayForTest } from './start-text-gateway.ts';

const secret = 'the code word is Zürich-🧭-88';
let folder: ScratchFolder;

beforeEach(async () => {
  folder = await makeScratchFolder({
    'src/app.ts': `// ${secret}\nexport const port = 8123;\n`,
    'README.md': '# A project\n\nIt has one purpose.\n',
  });
});

afterEach(() => folder.remove());

const path = { type: 'string', description: 'The path of the file' };

/** Some of the editor's own tools, by its names. */
function copilotTools(): CopilotTool[] {
  const text = (values: Arguments, name: string) => String(values[name]);
  return [
    {
      name: 'read_file',
      description: 'Reads the contents of a file between two lines.',
      parameters: {
        type: 'object',
        properties: {
          filePath: path,
          startLine: { type: 'number', default: 1 },
          endLine: { type: 'number', default: 50 },
        },
        required: ['filePath', 'startLine', 'endLine'],
      },
      run: async (values) => {
        const lines = (await folder.read(text(values, 'filePath'))).split('\n');
        return lines.slice(Number(values.startLine) - 1, Number(values.endLine)).join('\n');
      },
    },
    {
      name: 'replace_string_in_file',
      description: 'Edits a file: replaces one text by another.',
      parameters: {
        type: 'object',
        properties: { filePath: path, oldString: { type: 'string' }, newString: { type: 'string' } },
        required: ['filePath', 'oldString', 'newString'],
      },
      run: async (values) => {
        const file = text(values, 'filePath');
        await folder.write(
          file,
          (await folder.read(file)).split(text(values, 'oldString')).join(text(values, 'newString')),
        );
        return 'The file was edited.';
      },
    },
    { name: 'get_vscode_version', description: 'Returns the version of the editor.', run: async () => '1.999' },
  ];
}

describe('the editor with the demo models', () => {
  let gateway: DemoGateway;

  beforeAll(async () => {
    gateway = await startDemoGateway();
  });

  afterAll(() => gateway.close());

  it.each(sample(demoModels, 1))(
    'A-267 A-268 %s: reads two files of the request in its tag, and not those named around it',
    async (model) => {
      const session = { model, messages: copilotMessages('Read src/app.ts and README.md.'), tools: copilotTools() };
      const turns = await runCopilotTurn(gateway, session);
      expect(turns.map(({ calls }) => calls.map((call) => JSON.parse(call.arguments).filePath))).toEqual([
        ['src/app.ts', 'README.md'],
        [],
      ]);
      expect(turns.at(-1)?.text).toContain(secret);
      expect(turns.at(-1)?.text).toContain('It has one purpose.');
      expect(turns[0]?.usage?.total).toBeGreaterThan(0);
    },
  );

  it.each(sample(demoModels, 1))(
    'A-212 %s: reads, edits on the disk, then goes on in the same conversation',
    async (model) => {
      const messages = copilotMessages('Read src/app.ts, then replace "8123" with "9000" in src/app.ts.');
      const session = { model, messages, tools: copilotTools() };
      const turns = await runCopilotTurn(gateway, session);
      expect(turns.map(({ calls }) => calls.map(({ name }) => name))).toEqual([
        ['read_file'],
        ['replace_string_in_file'],
        [],
      ]);
      expect(await folder.read('src/app.ts')).toContain('port = 9000');
      messages.push(...copilotMessages('Read README.md.').slice(-1));
      const more = await runCopilotTurn(gateway, session);
      expect(more.at(-1)?.text).toContain('It has one purpose.');
      const ids = [...turns, ...more].flatMap(({ calls }) => calls.map(({ id }) => id));
      expect(ids).toHaveLength(3);
      expect(new Set(ids).size).toBe(3);
    },
  );

  it('A-242 the model sees both system messages and the tools, the client none of it', async () => {
    gateway.turns.length = 0;
    const turns = await runCopilotTurn(gateway, {
      model: 'demo/hermes',
      messages: copilotMessages('Hello, who are you?'),
      tools: copilotTools(),
    });
    const prompt = gateway.turns[0]?.messages[0]?.text ?? '';
    for (const part of ['inside a code editor', 'Do not invent files.', 'get_vscode_version'])
      expect(prompt).toContain(part);
    expect(prompt).not.toContain('ephemeral');
    expect(JSON.stringify(turns)).not.toContain('Do not invent files.');
  });
});

describe("OpenCode's eleven tools with a text model", () => {
  let gateway: TextGateway;

  beforeEach(async () => {
    gateway = await textGatewayForTest();
  });

  const todos = [
    { content: 'Fix a < b & "c"\nin two lines', status: 'in_progress', priority: 'high', id: '1' },
    { content: '007', status: 'pending', priority: 'low', id: 'two' },
  ];
  const json = JSON.stringify(todos, undefined, 2);
  const items = todos
    .map(
      (todo) =>
        `<item>${Object.entries(todo)
          .map(([name, value]) => `<${name}>${value}</${name}>`)
          .join('')}</item>`,
    )
    .join('\n');
  const call = { callId: 'call_1', name: 'todowrite', arguments: `{"todos": ${json}}`, ordinal: 0 };
  /** The list as nested tags, which models write instead of JSON where values are tags. */
  const nested = new Map([
    ['cline-xml', `<todowrite>\n<todos>\n${items}\n</todos>\n</todowrite>`],
    [
      'anthropic-xml',
      `<function_calls>\n<invoke name="todowrite">\n<parameter name="todos">\n${items}\n</parameter>\n</invoke>\n</function_calls>`,
    ],
  ]);
  const formsOf = ({ id, dialect }: (typeof eachDialect)[number]) => {
    const tags = nested.get(id);
    return [dialect.renderCalls([call], toolDefinitions()), ...(tags === undefined ? [] : [tags])];
  };

  it.each(sample(eachDialect, 1))(
    'B-195 B-183 $id: a list of objects as the dialect writes it and as nested tags, checked and run by the AI SDK',
    async ({ id, dialect }) => {
      for (const form of formsOf({ id, dialect })) {
        gateway.upstream.next(chatStream(`I plan.\n\n${form}`, { pieces: 3 }), (seen) =>
          chatStream(`Planned: ${seen.text.includes('in two lines') ? 'all of it' : 'nothing'}`),
        );
        const ran: unknown[] = [];
        const recorded = new RecordedFetch();
        const result = streamText({
          model: createOpenAICompatible({ name: 'd', baseURL: gateway.baseURL, fetch: recorded.fetch })(`up/${id}`),
          prompt: 'Plan the work.',
          tools: elevenTools((name, values) => ran.push([name, values])),
          stopWhen: stepCountIs(3),
          maxRetries: 0,
        });
        expect(await result.text).toBe('Planned: all of it');
        expect(ran).toEqual([['todowrite', { todos }]]);
        await recorded.checkedTurns();
      }
    },
  );

  const toolDefinitions = () =>
    codingTools(folder).map(({ name, description, parameters }) => ({ name, description, inputSchema: parameters }));

  function elevenTools(heard: (name: string, values: unknown) => void): ToolSet {
    return Object.fromEntries(
      codingTools(folder).map(({ name, description, parameters, run }) => [
        name,
        tool({
          description,
          inputSchema: jsonSchema<Arguments>({ ...parameters }),
          execute: (values) => {
            heard(name, values);
            return run(values);
          },
        }),
      ]),
    );
  }

  it('B-195 B-014 all eleven are described to the model', async () => {
    gateway.upstream.next(chatStream('Fine.'));
    const names = codingTools(folder).map(({ name }) => name);
    expect(names).toHaveLength(11);
    const count = gateway.upstream.requests.length;
    const declared = codingTools(folder).map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    }));
    await gateway.stream('cline-xml', { tools: declared });
    const prompt = gateway.upstream.requests[count]?.text ?? '';
    for (const name of names) expect(prompt).toContain(name);
  });
});
