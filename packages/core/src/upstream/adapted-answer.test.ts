import { describe, expect, it } from 'vitest';
import { type AnswerOptions, chunk, done, startAnswer } from '../../test/start-answer.ts';
import { MemoryFactStore } from '../stores/memory-fact-store.ts';

const key = { upstream: 'up', model: 'm' };
const encoder = new TextEncoder();
/** What servers say that take no tools, or none from this model, with their status. */
const refusals: readonly (readonly [number, object])[] = [
  [
    400,
    { error: { message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set' } },
  ],
  [
    400,
    { error: { message: 'tool_choice="required" requires --tool-call-parser to be set', type: 'BadRequestError' } },
  ],
  [400, { error: { message: 'registry.ollama.ai/library/smollm2 does not support tools', type: 'api_error' } }],
  [500, { error: { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' } }],
  [404, { error: { message: 'No endpoints found that support tool use.', code: 404 } }],
];

type Run = ReturnType<typeof startAnswer>;

function start(facts: MemoryFactStore, options: AnswerOptions = {}): Run {
  return startAnswer({ ...options, setup: { facts, ...options.setup } });
}

function refuse(run: Run, [status, body]: (typeof refusals)[number]): void {
  run.to().start(status, 'application/json');
  run.to().data(encoder.encode(JSON.stringify(body)));
  run.to().end();
}

/** The second request leaves when the first one has let go of its upstream. */
const sentAgain = () => new Promise((resolve) => setImmediate(resolve));

function say(run: Run, ...frames: readonly string[]): void {
  run.stream();
  run.data(frames.join('') + chunk({}, 'stop') + done);
  run.to().end();
}

const written = chunk({ content: 'I read.<tool_call>{"name":"read","arguments":{"path":"a"}}</tool_call>' });
const native = chunk({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'read', arguments: '{"path":"a"}' } }] });
const counted = (prompt: number) =>
  `data: ${JSON.stringify({ id: 'x', model: 'm', choices: [], usage: { prompt_tokens: prompt, completion_tokens: 3 } })}\n\n`;
const codes = (run: Run) => run.message().warnings.map(({ code }) => code);

describe('a server that refuses tools', () => {
  it.each(refusals)('%i %j: the same request is taught and sent again, and so are the next', async (...refusal) => {
    const facts = new MemoryFactStore();
    const run = start(facts);
    expect(run.sent[0]?.body).toHaveProperty('tools');
    refuse(run, refusal);
    await sentAgain();
    expect(run.events()).toEqual([]);
    expect(run.sent).toHaveLength(2);
    expect(run.sent[1]?.body).not.toHaveProperty('tools');
    expect(JSON.stringify(run.sent[1]?.body)).toContain('<tool_call>');
    say(run, written);
    expect(run.message()).toMatchObject({ calls: [{ name: 'read' }], text: 'I read.', finishReason: 'tool-calls' });
    expect(codes(run)).toEqual(['model-learnt']);
    expect(facts.get(key)).toEqual({ tools: 'refused' });
    expect(start(facts).sent[0]?.body).not.toHaveProperty('tools');
  });

  it('says so where a model rule wants native calls, and where nothing is learnt', async () => {
    const facts = new MemoryFactStore();
    const [refusal = expect.fail()] = refusals;
    for (const run of [start(facts, { rule: { toolCalling: 'native' } }), startAnswer()]) {
      refuse(run, refusal);
      await sentAgain();
      expect(run.sent).toHaveLength(1);
      expect(run.events().at(-1)).toMatchObject({ type: 'error', error: { code: 'upstream-refused' } });
    }
    expect(facts.get(key)).toBeUndefined();
  });

  it('in a stream: before anything was shown it is sent again, after that it is an error', async () => {
    const error = `data: ${JSON.stringify({ error: { message: 'm does not support tools', code: 400 } })}\n\n`;
    const early = start(new MemoryFactStore());
    early.stream();
    early.data(chunk({ role: 'assistant' }) + error);
    await sentAgain();
    say(early, chunk({ content: 'Hi' }));
    expect(early.message()).toMatchObject({ text: 'Hi', complete: true });
    const late = start(new MemoryFactStore());
    late.stream();
    late.data(chunk({ content: 'Hi' }) + error);
    await sentAgain();
    expect(late.sent).toHaveLength(1);
    expect(late.events().at(-1)).toMatchObject({ type: 'error' });
  });

  it('is told once more and no oftener', async () => {
    const run = start(new MemoryFactStore());
    const [refusal = expect.fail()] = refusals;
    refuse(run, refusal);
    await sentAgain();
    refuse(run, refusal);
    await sentAgain();
    expect(run.sent).toHaveLength(2);
    expect(run.events().map(({ type }) => type)).toEqual(['error']);
  });

  it('hears nothing more of a client that has gone, and is paused like any other', async () => {
    const [refusal = expect.fail()] = refusals;
    const gone = start(new MemoryFactStore());
    refuse(gone, refusal);
    gone.reply.abort();
    await sentAgain();
    expect([gone.sent.length, gone.events()]).toEqual([1, []]);
    const paused = start(new MemoryFactStore());
    refuse(paused, refusal);
    paused.reply.pause();
    await sentAgain();
    expect([paused.sent.length, paused.told]).toEqual([2, ['pause']]);
  });

  it('answers at once', async () => {
    let answers = 0;
    const run = start(new MemoryFactStore(), {
      atOnce: (to) => {
        const [status, body] = refusals[0] ?? expect.fail();
        answers += 1;
        to.start(answers === 1 ? status : 200, answers === 1 ? 'application/json' : 'text/event-stream');
        const text = answers === 1 ? JSON.stringify(body) : chunk({ content: 'Hi' }) + chunk({}, 'stop') + done;
        to.data(encoder.encode(text));
        to.end();
      },
    });
    await sentAgain();
    expect(run.message()).toMatchObject({ text: 'Hi', complete: true });
  });
});

it('a server that wants max_completion_tokens gets it, now and next time', async () => {
  const facts = new MemoryFactStore();
  const request = { sampling: { maxTokens: 50 } };
  const run = start(facts, { request });
  const message =
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
  refuse(run, [400, { error: { message, type: 'invalid_request_error', code: 'unsupported_parameter' } }]);
  await sentAgain();
  say(run, chunk({ content: 'Hi' }));
  expect(run.message()).toMatchObject({ text: 'Hi', warnings: [{ code: 'model-learnt' }] });
  const bodies = [...run.sent, ...start(facts, { request }).sent].map(({ body }) => body);
  expect(bodies[0]).toMatchObject({ max_tokens: 50 });
  for (const body of bodies.slice(1)) {
    expect(body).toMatchObject({ max_completion_tokens: 50 });
    expect(body).not.toHaveProperty('max_tokens');
  }
});

describe('a reply that shows how its model calls', () => {
  it('in text: it is a call, and the next requests teach that dialect', () => {
    const facts = new MemoryFactStore();
    const run = start(facts);
    say(run, written);
    expect(run.message()).toMatchObject({ calls: [{ name: 'read' }], finishReason: 'tool-calls' });
    expect(codes(run)).toEqual(['call-rescued', 'model-learnt']);
    expect(facts.get(key)).toEqual({ tools: 'written', dialect: 'hermes' });
    expect(start(facts).sent[0]?.body).not.toHaveProperty('tools');
  });

  it('natively: it stays so, whatever leaks later', () => {
    const facts = new MemoryFactStore();
    say(start(facts), native);
    expect(facts.get(key)).toEqual({ tools: 'called' });
    const leaking = start(facts);
    say(leaking, written);
    expect(codes(leaking)).toEqual(['call-rescued']);
    expect(start(facts).sent[0]?.body).toHaveProperty('tools');
  });

  it('in text, and it is the vendor’s own: that is a slip', () => {
    const facts = new MemoryFactStore();
    const run = start(facts, { upstream: { vendor: true } });
    say(run, written);
    expect(codes(run)).toEqual(['call-rescued']);
    expect(facts.get(key)).toBeUndefined();
  });

  it('in another dialect than it was taught: the next requests teach that one, and it counts no second time', () => {
    const facts = new MemoryFactStore();
    facts.put(key, { tools: 'refused' });
    const run = start(facts);
    say(
      run,
      chunk({ content: '<tool_call>\n<function=read>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>' }),
    );
    expect(codes(run)).toEqual(['call-foreign', 'model-learnt']);
    expect(facts.get(key)).toEqual({ tools: 'refused', dialect: 'qwen3-coder' });
    const next = start(facts);
    expect(JSON.stringify(next.sent[0]?.body)).toContain('<function=');
    say(next, chunk({ content: '[TOOL_CALLS]read[ARGS]{"path":"a"}' }));
    expect(codes(next)).toEqual(['call-foreign']);
    expect(facts.get(key)).toMatchObject({ dialect: 'qwen3-coder' });
  });
});

describe('a server that ignores tools', () => {
  const text = 'Read the file a.txt and tell me what it says.';
  const description = 'Reads a file of the project and returns its text, with a number before every line of it.';
  const request = {
    messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text }] }],
    tools: [{ name: 'read', description, inputSchema: { type: 'object' } }],
  };
  const cannot = chunk({ content: 'I cannot read files.' });

  it('is found out by the tokens that it has read, and its next requests are taught', () => {
    const facts = new MemoryFactStore();
    const run = start(facts, { request });
    say(run, cannot, counted(24));
    expect(run.message()).toMatchObject({ text: 'I cannot read files.', finishReason: 'stop' });
    expect(codes(run)).toEqual(['model-learnt']);
    expect(facts.get(key)).toEqual({ tools: 'ignored' });
    expect(start(facts).sent[0]?.body).not.toHaveProperty('tools');
  });

  it.each([
    ['it may have read them', { request }, 60],
    ['it has not read the messages either', { request }, 4],
    ['no tool may be called', { request: { ...request, toolChoice: 'none' as const } }, 24],
    ['the tools are too small to tell', { request: { ...request, tools: [{ name: 'read', inputSchema: true }] } }, 10],
  ])('nothing is certain where %s', (_, options, tokens) => {
    const facts = new MemoryFactStore();
    const run = start(facts, options);
    say(run, cannot, counted(tokens));
    expect(codes(run)).toEqual([]);
    expect(facts.get(key)).toBeUndefined();
  });
});

it('what several requests find out at once is learnt once, and nothing that is known is forgotten for it', async () => {
  const heard: unknown[] = [];
  const facts = new MemoryFactStore({ learnt: ({ facts: each }) => heard.push(each) });
  const [refusal = expect.fail()] = refusals;
  const runs = [start(facts), start(facts), start(facts)];
  for (const run of runs) refuse(run, refusal);
  await sentAgain();
  for (const run of runs) expect(run.sent).toHaveLength(2);
  expect(heard).toEqual([{ tools: 'refused' }]);

  const other = new MemoryFactStore();
  const [first = expect.fail(), second = expect.fail()] = [start(other), start(other)];
  say(first, native);
  say(second, written);
  expect(other.get(key)).toEqual({ tools: 'called' });
});

it('frames that are passed on have been shown, and the events that tell of them come all the same', async () => {
  const pieces: string[] = [];
  const run = start(new MemoryFactStore(), {
    upstream: { vendor: true },
    sink: {
      relay: {
        wire: 'openai-chat',
        body: {},
        start: () => pieces.push('start') > 0,
        get started() {
          return pieces.length > 0;
        },
        bytes: () => pieces.push('bytes'),
        over: () => {},
      },
    },
  });
  run.stream();
  run.data(chunk({ role: 'assistant' }));
  run.data(`data: ${JSON.stringify({ error: { message: 'm does not support tools', code: 400 } })}\n\n`);
  await sentAgain();
  expect(pieces).toEqual(['start', 'bytes', 'bytes']);
  expect([run.sent.length, run.events().map(({ type }) => type)]).toEqual([1, ['message-start', 'error']]);
});
