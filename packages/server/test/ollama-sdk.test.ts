import { ollamaChatViolations, sample } from '@dragoman/testkit';
import { Ollama } from 'ollama';
import { beforeEach, describe, expect, it } from 'vitest';
import { codingTools } from './coding-tools.ts';
import { demoProject } from './demo-project.ts';
import { declare, runOllamaTurn } from './ollama-turn.ts';
import { RecordedFetch } from './recorded-fetch.ts';
import { demoModels } from './start-demo-gateway.ts';

const secret = 'Ünïque-🦜-4711';
const port = 'listen on 18765';

const project = demoProject({
  'package.json': `{\n  "name": "${secret}",\n  "private": true\n}\n`,
  'notes.txt': `# Notes\n\n${port}\n  indented & <b>bold</b> "quoted" \\ back`,
  'docs/guide.md': 'The guide begins here.\n',
});
let recorded: RecordedFetch;
let client: Ollama;

beforeEach(() => {
  recorded = new RecordedFetch();
  client = new Ollama({ host: project.gateway.url, fetch: recorded.fetch });
});

const asked = (content: string) => [
  { role: 'system', content: 'You are a coding agent.' },
  { role: 'user', content },
];

function turn(model: string, content: string, form: { readonly stream: boolean; readonly keeps?: 'names' }) {
  return runOllamaTurn(client, { model, messages: asked(content), tools: codingTools(project.folder), ...form });
}

/** Every stream that was recorded keeps the rules. */
async function expectGoodStreams(surface: 'chat' | 'generate' = 'chat'): Promise<void> {
  const exchanges = await recorded.exchanges();
  expect(exchanges.length).toBeGreaterThan(0);
  for (const { status, contentType, answer } of exchanges) {
    expect(status).toBe(200);
    if (contentType === 'application/x-ndjson') expect(ollamaChatViolations(answer, { surface })).toEqual([]);
  }
}

const forms = [
  ['streamed', { stream: true }],
  ['whole', { stream: false }],
] as const;

describe.each(sample(demoModels, 1))('the Ollama SDK with %s', (model) => {
  describe.each(forms)('%s', (_, form) => {
    it('A-007 one tool round: the answer holds what only the file holds', async () => {
      const { text, ran } = await turn(model, 'Read package.json and tell me its name.', form);
      expect(ran).toEqual([{ name: 'read', values: { filePath: 'package.json' } }]);
      expect(text).toContain(secret);
      await expectGoodStreams();
    });

    it('two calls in one turn, their results told by name and order alone', async () => {
      const { text, ran, messages } = await turn(model, 'Read package.json and notes.txt.', {
        ...form,
        keeps: 'names',
      });
      expect(ran.map(({ values }) => values)).toEqual([{ filePath: 'package.json' }, { filePath: 'notes.txt' }]);
      expect(JSON.stringify(messages)).not.toContain('call_');
      expect(text).toContain(secret);
      expect(text).toContain(port);
      const prompt = JSON.stringify(project.gateway.turns.at(-1)?.messages);
      expect(prompt).toContain(port);
      expect(prompt.indexOf(secret)).toBeLessThan(prompt.indexOf(port));
      await expectGoodStreams();
    });

    it('three rounds: lists, reads, edits the file on the disk, then answers', async () => {
      const request =
        'List the files in docs/, then read docs/guide.md, then replace "begins" with "ends" in docs/guide.md.';
      const { text, ran } = await turn(model, request, form);
      expect(ran.map(({ name }) => name)).toEqual(['list', 'read', 'edit']);
      expect(await project.folder.read('docs/guide.md')).toBe('The guide ends here.\n');
      expect(text).toContain('The guide begins here.');
      await expectGoodStreams();
    });

    it('a failed tool is told to the model', async () => {
      const { text } = await turn(model, 'Read missing.txt.', form);
      expect(text).toContain('ENOENT');
      await expectGoodStreams();
    });
  });
});

describe('the Ollama SDK with the gateway', () => {
  it('sees ids, counts and durations that are more than nothing', async () => {
    const answer = await client.chat({
      model: 'demo',
      messages: asked('Read package.json.'),
      tools: codingTools(project.folder).map(declare),
    });
    expect(answer).toMatchObject({ model: 'demo', done: true, done_reason: 'stop' });
    expect(answer.message.tool_calls?.[0]).toMatchObject({
      id: expect.stringMatching(/^call_/),
      function: { name: 'read' },
    });
    expect(answer.prompt_eval_count).toBeGreaterThan(0);
    expect(answer.eval_count).toBeGreaterThan(0);
    expect(answer.total_duration).toBeGreaterThan(1000);
    expect(answer.eval_duration).toBeGreaterThan(0);
    expect(new Date(answer.created_at).getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  it.each(forms)('generates from a prompt, %s', async (_, { stream }) => {
    let text = '';
    if (stream) {
      for await (const part of await client.generate({ model: 'demo', prompt: 'Hello, who are you?', stream })) {
        text += part.response ?? '';
      }
    } else text = (await client.generate({ model: 'demo', prompt: 'Hello, who are you?', stream })).response ?? '';
    expect(text).toContain('demo model');
    await expectGoodStreams('generate');
  });

  it('loads and unloads models that are there anyway', async () => {
    expect(await client.chat({ model: 'demo', messages: [] })).toMatchObject({ done: true, done_reason: 'load' });
    const unloaded = await client.generate({ model: 'demo', prompt: '', keep_alive: 0 });
    expect(unloaded).toMatchObject({ response: '', done: true, done_reason: 'unload' });
    await expect(client.chat({ model: 'nope', messages: [] })).rejects.toMatchObject({ status_code: 404 });
  });

  it('lists, shows and pulls; every listed name can be shown and chatted with', async () => {
    const { models } = await client.list();
    expect(models.map(({ name }) => name)).toEqual(expect.arrayContaining(['demo', ...demoModels]));
    for (const { model } of models) {
      expect((await client.show({ model })).capabilities).toEqual(['completion', 'tools']);
      const answer = await client.chat({ model, messages: asked('Hello, who are you?'), stream: false });
      expect(answer.message.content).toContain('demo model');
    }
    const states: string[] = [];
    for await (const { status } of await client.pull({ model: 'demo:latest', stream: true })) states.push(status);
    expect(states.at(-1)).toBe('success');
    expect(await client.pull({ model: 'demo' })).toEqual({ status: 'success' });
    expect((await client.ps()).models.map(({ name }) => name)).toContain('demo');
    expect((await client.version()).version).toBe('0.13.4');
  });

  it('reports mistakes with the words of the gateway', async () => {
    const wrong = client.chat({ model: 'demo/herms', messages: asked('x'), stream: true });
    await expect(wrong).rejects.toMatchObject({ status_code: 404, message: expect.stringContaining('demo/hermes') });
    await expect(client.show({ model: 'nope' })).rejects.toThrow('There is no model "nope"');
    await expect(client.pull({ model: 'nope' })).rejects.toMatchObject({ status_code: 404 });
    await expect(client.embed({ model: 'demo', input: 'x' })).rejects.toThrow('Dragoman makes no embeddings');
    const odd = client.chat({ model: 'demo', messages: [{ role: 'robot', content: 'x' }] });
    await expect(odd).rejects.toMatchObject({ status_code: 400, message: expect.stringContaining('messages[0].role') });
  });
});
