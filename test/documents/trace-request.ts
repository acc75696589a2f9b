import {
  answer,
  CallIds,
  type ChatEvent,
  type ChatRequest,
  clientWires,
  createCallParser,
  type Deadlines,
  defaultModelRule,
  type EngineSetup,
  type Plan,
  parseContextOf,
  parseSse,
  planRequest,
  prepareRequest,
  runStage,
  type Transport,
} from '@dragoman/core';

/** What each stage makes of one request, in the order of the stages. */
export interface Trace {
  readonly request: ChatRequest;
  readonly plan: Plan;
  /** The prepared messages, as the upstream gets them. */
  readonly upstreamBody: unknown;
  readonly upstreamEvents: readonly ChatEvent[];
  readonly parsed: readonly ChatEvent[];
  /** What the client reads. */
  readonly written: string;
  /** What the client reads when the whole engine has answered; must be the same. */
  readonly answered: string;
}

const deadlines: Deadlines = { connect: 0, firstToken: 0, idle: 0, total: 0 };

/** Sends one request through each stage by hand, against an upstream that answers with `stream`, and once through all. */
export function traceRequest(body: unknown, stream: string): Trace {
  const client = clientWires.get('openai-chat');
  if (client === undefined) throw new Error('openai-chat is missing');
  const setup = setupWith(stream);
  const request = client.readRequest(body);
  const plan = planRequest(request, setup);
  const { wire, dialect, upstreamRequest } = prepareRequest(request, { plan, setup });
  if (dialect === undefined) throw new Error('the model has no dialect');
  const frames = runStage(parseSse({ fail: raise }), [stream]);
  const upstreamEvents = runStage(wire.createStreamReader(request), frames);
  const callIds = new CallIds({ request, randomHex: setup.randomHex });
  const context = parseContextOf(request, plan.rule);
  const parsed = runStage(createCallParser({ dialect, context, callIds }), upstreamEvents);
  const writer = client.createStreamWriter({ request, replyId: 'r1', created: 1795248735 });
  const answeredEvents: ChatEvent[] = [];
  answer(request, setup, { event: (event) => answeredEvents.push(event), flush() {} });
  return {
    request,
    plan,
    upstreamBody: upstreamRequest.body,
    upstreamEvents,
    parsed,
    written: runStage(writer, parsed).join(''),
    answered: runStage(writer, answeredEvents).join(''),
  };
}

function raise(error: Error): never {
  throw error;
}

function setupWith(stream: string): EngineSetup {
  const transport: Transport = {
    send: (_, receiver) => {
      receiver.start(200, 'text/event-stream');
      receiver.data(new TextEncoder().encode(stream));
      receiver.end();
      return { pause() {}, resume() {}, abort() {} };
    },
  };
  const rule = { ...defaultModelRule, toolCalling: { dialect: 'hermes' } };
  const models = new Map([['qwen2.5-7b', rule]]);
  const local = { name: 'local', wire: 'openai-chat', transport, quirks: {}, deadlines, models };
  return {
    upstreams: new Map([['local', local]]),
    aliases: new Map([['gpt-4o', 'local/qwen2.5-7b']]),
    maxTools: 128,
    maxReplyBytes: 1_000_000,
    toolCalling: true,
    countTokens: async () => 0,
    now: () => 0,
    randomHex: (length) => '1f2e3d4c5b6a79880011aabb'.slice(0, length),
  };
}
