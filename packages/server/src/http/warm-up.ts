import {
  answer,
  type ChatEvent,
  defaultModelRule,
  dialects,
  type EngineSetup,
  type ModelRule,
  openaiChatClient,
  type Receiver,
  type Upstream,
} from '@dragoman/core';
import { loadUndici } from '../transports/http.ts';

/** Milliseconds from the start: whoever waits for the port is answered before. */
const afterStart = 200;

/** Milliseconds between two steps, in which others have their turn. */
const pause = 2;

/** How often each kind of request is sent: Node has then compiled what a request runs through. */
const times = 6;

/**
 * Loads, makes and runs once what requests need, step by step once the gateway listens, so that the first client's requests
 * cost what the thousandth costs: without it, the first one takes a tenth of a second. Nothing is sent or logged.
 */
export function warmUp(): void {
  const kinds = (['native', { dialect: 'hermes' }] as const).flatMap((toolCalling) => [
    () => askInMemory(toolCalling, true),
    () => askInMemory(toolCalling, false),
  ]);
  // What leaks into native replies is read by nearly all dialects at once: their tables are made one by one.
  const tables = [...dialects.values()].map((dialect) => () => dialect.createParser({ tools: [] }));
  const steps = [loadUndici, ...tables, ...Array.from({ length: times }, () => kinds).flat()];
  const next = () => {
    steps.shift()?.();
    if (steps.length > 0) setTimeout(next, pause).unref();
  };
  setTimeout(next, afterStart).unref();
}

const body = {
  model: 'warm-up/model',
  messages: [
    { role: 'system', content: 'You are a careful programmer.' },
    { role: 'user', content: 'Read the file README.md, and say what is in it.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"README.md"}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '# Title\n\nText with `code`, <tags> and "quotes".\n' },
  ],
  tools: [
    {
      type: 'function',
      function: {
        name: 'read',
        description: 'Reads a file.',
        parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      },
    },
  ],
};

const reply = 'It says:\n\n<tool_call>\n{"name": "read", "arguments": {"path": "docs/README.md"}}\n</tool_call>';

/** One request, from its body to the answer's, whose upstream answers at once. */
function askInMemory(toolCalling: ModelRule['toolCalling'], stream: boolean): void {
  const request = openaiChatClient.readRequest({ ...body, stream }, {});
  const context = { request, replyId: '0', created: 0, elapsed: () => 0, report: () => {} };
  const events: ChatEvent[] = [];
  const writer = openaiChatClient.createStreamWriter(context)(() => {});
  answer(request, setupFor({ ...defaultModelRule, toolCalling }, stream ? streamed : whole), {
    event(event) {
      if (stream) writer.push(event);
      else events.push(event);
      if (!stream && event.type === 'message-end') openaiChatClient.writeMessage(events, context);
    },
    flush: () => {},
  });
}

function setupFor(rule: ModelRule, respond: (to: Receiver) => void): EngineSetup {
  const upstream: Upstream = {
    name: 'warm-up',
    wire: 'openai-chat',
    transport: {
      send(_, receiver) {
        respond(receiver);
        return { pause: () => {}, resume: () => {}, abort: () => {} };
      },
    },
    quirks: {},
    deadlines: { connect: 0, firstToken: 0, idle: 0, total: 0 },
    models: new Map([['model', rule]]),
  };
  return {
    upstreams: new Map([[upstream.name, upstream]]),
    aliases: new Map(),
    maxTools: 1,
    maxReplyBytes: 1_000_000,
    toolCalling: true,
    countTokens: async () => 0,
    now: () => 0,
    every: () => () => {},
    randomHex: (length) => '0'.repeat(length),
  };
}

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

function whole(to: Receiver): void {
  const message = { role: 'assistant', content: reply };
  to.start(200, 'application/json');
  to.data(Buffer.from(JSON.stringify({ id: '0', choices: [{ index: 0, message, finish_reason: 'stop' }], usage })));
  to.end();
}

function streamed(to: Receiver): void {
  const write = (frame: object) => to.data(Buffer.from(`data: ${JSON.stringify({ id: '0', ...frame })}\n\n`));
  to.start(200, 'text/event-stream');
  for (const word of reply.split(/(?<= )/)) write({ choices: [{ index: 0, delta: { content: word } }] });
  write({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage });
  to.data(Buffer.from('data: [DONE]\n\n'));
  to.end();
}
