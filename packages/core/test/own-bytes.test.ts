import { chatRequest, runs } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../src/chat/event.ts';
import { EventWriter } from '../src/chat/event-writer.ts';
import type { Message } from '../src/chat/message.ts';
import { dialects } from '../src/dialects/registry.ts';
import { writeJson } from '../src/json/json-text.ts';
import { runStage } from '../src/stream/stage.ts';
import { templateNames } from '../src/wires/openai-completions/templates.ts';
import { clientWires, upstreamWires } from '../src/wires/registry.ts';
import type { ClientWire, ReplyContext } from '../src/wires/wire.ts';
import { anyCuts, anyLines, cut } from './file-lines.ts';
import { type AnswerOptions, startAnswer } from './start-answer.ts';

const text = { type: 'string' } as const;
const tools = ['Edit', 'Task', 'name'].map((name) => ({
  name,
  inputSchema: { type: 'object' as const, properties: { content: text }, required: ['content'] },
}));

/** Lines of files in all the places that a conversation has; each is between marks of its own. */
const places = ['system', 'user', 'call', 'result'] as const;
type Place = (typeof places)[number];
const between = '\n---- and\n';
type Said = Readonly<Record<Place, string>>;

const anySaid = fc.record({ system: anyLines, user: anyLines, call: anyLines, result: anyLines });
/** System text keeps the marks of calls, which clients may teach there, but neither those of turns nor joiners of its own. */
const joined = fc.constantFrom(
  'a\u2060b \u2060\u2060',
  '#\u2060# User',
  '\u2060\u2060 <|im_end|> [/INST] <|eot_id|>\n### User:\u2060',
  'none',
);
const anyJoined = anySaid.chain((said) => joined.map((system) => ({ ...said, system })));
const marked = (place: Place, said: Said) => `BEGIN ${place}\n${said[place]}\nEND ${place}`;

function conversation(said: Said): readonly Message[] {
  const part = (place: Place) => [{ type: 'text' as const, text: marked(place, said) }];
  const call = JSON.stringify({ content: marked('call', said) });
  return [
    { role: 'system', content: part('system') },
    { role: 'user', content: part('user') },
    { role: 'assistant', content: [{ type: 'tool-call', callId: 'a', name: 'Edit', arguments: call }] },
    { role: 'tool', callId: 'a', content: part('result') },
  ];
}

/** All texts of a body, those in JSON text, too. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.startsWith('{"content"') ? textsIn(JSON.parse(value)) : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** What the model was shown in this place; absent where it says nothing there. */
function shownIn(texts: readonly string[], place: Place): string | undefined {
  const [before, after] = [`BEGIN ${place}\n`, `\nEND ${place}`];
  const found = texts.find((each) => each.includes(before));
  return found?.slice(found.indexOf(before) + before.length, found.indexOf(after));
}

interface Spoken {
  readonly said: string;
  readonly args?: string;
}

interface Written {
  readonly client: ClientWire;
  readonly stream: boolean;
}

/** A reply with this text, or with a native call of these arguments, as a server of the wire writes it. */
function replyOf({ said, args }: Spoken, { client, stream }: Written): string {
  const events: ChatEvent[] = [];
  const writer = new EventWriter((event) => events.push(event));
  writer.start('r', 'm');
  for (const piece of cut(said, [7])) writer.text(piece);
  if (args !== undefined) {
    writer.callStart('c1', 'Edit');
    for (const piece of cut(args, [5])) writer.callDelta(piece);
    writer.callEnd();
  }
  writer.end(args === undefined ? 'stop' : 'tool-calls');
  const context: ReplyContext = { request: chatRequest({ model: 'm', tools, stream }), replyId: 'r', created: 1 };
  if (stream) return runStage(client.createStreamWriter(context), events).join('');
  const whole = client.writeMessage(events, context);
  return typeof whole === 'string' ? whole : writeJson(whole);
}

interface Way extends AnswerOptions {
  readonly wire: string;
  /** What of a conversation the wire can say. */
  readonly said: readonly Place[];
  /** How a call is written in the reply; absent: the wire has none. */
  readonly calls?: 'native' | 'hermes' | 'cline-xml';
}

/** What the model makes of what it was shown. */
type Copy = (shown: string) => Spoken;

/** A conversation before a model that copies all it is shown; what it was shown, and what the client hears. */
async function converse(way: Way, { said, copy, sizes, stream }: Conversed) {
  const client = clientWires.get(way.wire) ?? expect.fail(way.wire);
  const messages = conversation(said).slice(0, way.calls === undefined ? 2 : 4);
  const asked = { model: 'up/m', messages, tools: way.calls === undefined ? [] : tools, stream };
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const onEvent = ({ type }: ChatEvent) => {
    if (type === 'message-end' || type === 'error') finish();
  };
  const answer = startAnswer({ ...way, request: asked, setup: { maxReplyBytes: 10_000_000 }, onEvent });
  const body: unknown = JSON.parse(writeJson(answer.sent[0]?.body ?? expect.fail('nothing was sent')));
  const texts = textsIn(body);
  const shown = way.said.map((place) => shownIn(texts, place) ?? expect.fail(`${place} was not told`));
  const reply = replyOf(copy(shown.join(between)), { client, stream });
  const type = client.framing === 'sse' ? 'text/event-stream' : 'application/x-ndjson';
  answer.to().start(200, stream ? type : 'application/json');
  for (const piece of cut(reply, [...sizes, 900])) answer.data(piece);
  answer.to().end();
  await finished;
  return { shown, message: answer.message() };
}

interface Conversed {
  readonly said: Said;
  readonly copy: Copy;
  readonly sizes: readonly number[];
  readonly stream: boolean;
}

const inText: Copy = (shown) => ({ said: `It says:\n${shown}\nNothing else.` });

function inCall(calls: NonNullable<Way['calls']>): Copy {
  const dialect = dialects.get(calls);
  return (shown) => {
    const args = JSON.stringify({ content: shown });
    if (dialect === undefined) return { said: '', args };
    return { said: dialect.renderCalls([{ callId: 'c', ordinal: 0, name: 'Edit', arguments: args }], tools) };
  };
}

async function comesBack(way: Way, anySaid: fc.Arbitrary<Said>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(anySaid, anyCuts, fc.boolean(), async (said, sizes, stream) => {
      const whole = way.said.map((place) => said[place]).join(between);
      const answered = await converse(way, { said, sizes, stream, copy: inText });
      if (way.calls === 'native') expect(answered.shown).toEqual(way.said.map((place) => said[place]));
      expect(answered.message).toMatchObject({ text: `It says:\n${whole}\nNothing else.`, calls: [] });
      if (way.calls === undefined) return;
      const called = await converse(way, { said, sizes, stream, copy: inCall(way.calls) });
      expect(called.message.calls.map((call) => JSON.parse(call.arguments))).toEqual([{ content: whole }]);
    }),
    { numRuns: runs(12) },
  );
}

const both = [...clientWires.keys()].filter((id) => upstreamWires.has(id));
const isTextOnly = (id: string) => upstreamWires.get(id)?.textOnly === true;

describe('A-209 a native model is told the bytes of files, and what it copies of them arrives as it wrote it', () => {
  it.each(both.filter((id) => !isTextOnly(id)))('%s', async (wire) => {
    await comesBack({ wire, said: places, calls: 'native', rule: { toolCalling: 'native' } }, anySaid);
  });
});

describe('A-209 where a conversation is one text, what a model copies comes back byte for byte', () => {
  const wire = 'openai-completions';
  const said = ['system', 'user', 'result'] as const;

  it.each(templateNames)('template %s, without tools', async (template) => {
    await comesBack({ wire, quirks: { template }, said: ['system', 'user'] }, anyJoined);
  });

  const ways = templateNames.flatMap((template) =>
    (['hermes', 'cline-xml', 'any'] as const).map((dialect) => ({ template, dialect })),
  );
  it.each(ways)('template $template, calls in $dialect', async ({ template, dialect }) => {
    const calls = dialect === 'any' ? 'hermes' : dialect;
    const way = {
      wire,
      quirks: { template },
      said,
      calls,
      rule: { toolCalling: dialect === 'any' ? ('text' as const) : { dialect } },
    };
    await comesBack(way, anyJoined);
  });
});

it.each([
  ['a native model', 'native' as const],
  ['a model with a dialect', { dialect: 'hermes' }],
])('A-209 a prompt that a client of such a wire wrote goes on byte for byte: %s', (_, toolCalling) => {
  const prompt = 'a\u2060b <|im_end|> <tool_call> \u2060\u2060';
  const wire = 'openai-completions';
  const request = clientWires.get(wire)?.readRequest({ model: 'up/m', prompt, stream: true }) ?? expect.fail(wire);
  const { sent, ...answer } = startAnswer({ wire, request, rule: { toolCalling } });
  expect(sent[0]?.body).toMatchObject({ prompt });
  answer.stream();
  const choice = { index: 0, text: `${prompt} x`, finish_reason: 'stop' };
  answer.data(`data: ${JSON.stringify({ choices: [choice] })}\n\ndata: [DONE]\n\n`);
  answer.to().end();
  expect(answer.message().text).toBe(`${prompt} x`);
});
