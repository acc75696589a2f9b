import { upstreamWires } from '@dragoman/core';
import { sample } from '@dragoman/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { codingTools } from './coding-tools.ts';
import { makeScratchFolder, type ScratchFolder } from './scratch-folder.ts';
import { sdkTurns } from './sdk-turns.ts';
import { type DemoGateway, startDemoGateway } from './start-demo-gateway.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

// Every SDK with a model that writes its calls as text, and with a native upstream of one API after the other: there
// another gateway comes after the first, so that what comes back is what a server of that API would send.

/** The wires of upstreams that call tools; others carry only text. */
const nativeWires = [...upstreamWires.values()].filter(({ textOnly }) => textOnly !== true).map(({ id }) => id);
const turns = [...sdkTurns].flatMap(([name, turn], index) => [
  { name, turn, model: 'demo/cline-xml' },
  { name, turn, model: `${nativeWires[index % nativeWires.length]}/demo` },
]);

let after: DemoGateway;
let gateway: TestGateway;
let folder: ScratchFolder;
let ran: string[];

beforeAll(async () => {
  after = await startDemoGateway();
  const upstreams = nativeWires.map((wire) => [
    wire,
    {
      wire,
      baseUrl: wire === 'ollama-chat' ? after.url : after.baseURL,
      models: { demo: { toolCalling: 'native' } },
    },
  ]);
  gateway = await startTestGateway({ config: { upstreams: Object.fromEntries(upstreams) } });
});

afterAll(async () => {
  await gateway.close();
  await after.close();
});

beforeEach(async () => {
  folder = await makeScratchFolder({ 'docs/guide.md': 'The guide begins here: Ünïque-🦜-4711.\n' });
  ran = [];
});

afterEach(() => folder.remove());

const tools = () =>
  codingTools(folder).map((tool) => ({
    ...tool,
    run: (values: Parameters<typeof tool.run>[0]) => {
      ran.push(tool.name);
      return tool.run(values);
    },
  }));

it.each(sample(turns, 6))(
  'A-267 $name with $model: lists, reads, edits on the disk, and answers with what the file held',
  async ({ turn, model }) => {
    const answer = await turn({
      url: model.startsWith('demo/') ? after.url : gateway.url,
      model,
      request: 'List the files in docs/, then read docs/guide.md, then replace "begins" with "ends" in docs/guide.md.',
      tools: tools(),
    });
    expect(ran).toEqual(['list', 'read', 'edit']);
    expect(await folder.read('docs/guide.md')).toBe('The guide ends here: Ünïque-🦜-4711.\n');
    expect(answer).toContain('Ünïque-🦜-4711');
  },
);
