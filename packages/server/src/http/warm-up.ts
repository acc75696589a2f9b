import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { devNull } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import {
  anthropicMessagesUpstream,
  asDialect,
  type Dialect,
  type DialectId,
  dialects,
  forgetTexts,
  openaiChatClient,
  openaiChatUpstream,
  openaiResponsesUpstream,
  type UpstreamWire,
} from '@dragoman/core';
import { createSetup } from '../config/create-setup.ts';
import { loadConfig } from '../config/load-config.ts';
import { createLog } from '../log/create-log.ts';
import { createHttpTransport, loadUndici } from '../transports/http.ts';
import { startGateway } from './create-gateway.ts';
import { collectGarbage, collectYoungGarbage, keepWhatIsLearnt, letYoungGrow } from './garbage.ts';
import { forgetMessages } from './known-messages.ts';
import { forgetTools } from './known-tools.ts';

/** Milliseconds from the start: whoever waits for the port is answered before. */
const afterStart = 200;

/** Milliseconds between two steps, in which others have their turn. */
const pause = 2;

/** Milliseconds after which is looked again whether anybody is served. */
const busyPause = 100;

/** Milliseconds in which the log has written its last line. */
const untilWritten = 50;

/** Asked for and sent on, as keys are. */
const key = 'of-the-warm-up';

/** Frames of a streamed reply. */
const together = 50;

export interface WarmUpOptions {
  /** Makes what the gateway itself sends with. */
  readonly makeReady: () => void;
  /** Somebody is served: nothing begins meanwhile. */
  readonly isBusy: () => boolean;
  /** Ends it. */
  readonly signal?: AbortSignal;
}

/**
 * Runs what requests run through, step by step once the gateway listens, so that the first client's requests cost what the
 * thousandth costs and keep nobody waiting: code is slow until Node has compiled it. The requests are real ones, to a gateway of
 * their own on the loopback address, whose upstream answers at once; nothing of them is logged, stored or counted. It takes a
 * second of CPU, and leaves no garbage. Resolves with the statuses of their answers when it is over. Never rejects: a gateway
 * that stays cold serves.
 */
export async function warmUp({ makeReady, isBusy, signal }: WarmUpOptions): Promise<readonly number[]> {
  const statuses: number[] = [];
  const turn = async (milliseconds: number) => {
    const options = { ref: false, ...(signal === undefined ? {} : { signal }) };
    await sleep(milliseconds, undefined, options);
    while (isBusy()) {
      // Clients that never let it warm up are not to wait for room.
      letYoungGrow();
      await sleep(busyPause, undefined, options);
    }
  };
  try {
    await turn(afterStart);
    loadUndici();
    await turn(pause);
    makeReady();
    // What leaks into native replies is read by nearly all dialects at once: their forms are made one by one.
    for (const dialect of dialects.values()) {
      await turn(pause);
      dialect.grammar?.({ tools: [] });
    }
    compileAtOnce();
    await askOwn(requests(), { turn, statuses });
    await turn(pause);
    await collectGarbage();
    // Code knows what objects look like, and forgets it when the last of a kind is collected.
    await askOwn(lastRequests(), { turn, statuses });
    await turn(pause);
    // Else it is collected in the first client's request.
    collectYoungGarbage();
    keepWhatIsLearnt();
  } catch {
    // It serves as it is, or is about to end.
  } finally {
    compileWhatRepeats();
    letYoungGrow();
  }
  return statuses;
}

/** From now on a function is compiled when it runs for the first time: most of what a request runs through runs once in it. */
function compileAtOnce(): void {
  setFlagsFromString('--always-sparkplug');
}

/** From now on a function is compiled once it has run several times, as Node has it: code takes memory. */
function compileWhatRepeats(): void {
  setFlagsFromString('--no-always-sparkplug');
}

interface Asking {
  readonly turn: (milliseconds: number) => Promise<void>;
  readonly statuses: number[];
}

/** When it is over, nothing of it is kept but code. */
async function askOwn(requests: Iterable<WarmRequest>, { turn, statuses }: Asking): Promise<void> {
  const own = await startOwn();
  try {
    for (const request of requests) {
      await turn(pause);
      statuses.push(await own.ask(request));
    }
  } finally {
    await own.close();
  }
}

interface OwnGateway {
  readonly ask: (request: WarmRequest) => Promise<number>;
  readonly close: () => Promise<void>;
}

async function startOwn(): Promise<OwnGateway> {
  const upstream = await startUpstream();
  const common = { wire: 'openai-chat', baseUrl: addressOf(upstream), apiKey: key };
  const text = JSON.stringify({
    listen: { host: '127.0.0.1', port: 0 },
    keys: [{ name: 'own', key }],
    upstreams: {
      up: { ...common, models, quirks: { grammarField: 'grammar' } },
      plain: { ...common, models: { same: { toolCalling: 'native', passthrough: 'always' } } },
    },
  });
  const config = loadConfig({ env: {}, file: { name: 'the warm-up', text } });
  const redact = (each: string) => each;
  const nowhere = openSync(devNull, 'w');
  const log = createLog({ level: 'info', format: 'json', target: nowhere, redact });
  const setup = createSetup(config, { env: {} });
  // In the place of what is there: a copy would be an object of another shape than those that clients' requests run with.
  Object.assign(setup.setup, {
    // What is kept for a dialect goes with it.
    dialects: new Map([copyOf('hermes'), copyOf('anthropic-xml')]),
    // The vocabulary is read once somebody needs a count.
    countTokens: async () => 0,
  });
  const gateway = await startGateway({ config, setup, log, redact, env: {} });
  return {
    async ask({ path, body }) {
      // Over a new connection, as the first request of each client comes.
      const client = createHttpTransport({ baseUrl: `${gateway.url}/v1`, headers: { authorization: `Bearer ${key}` } });
      const status = await new Promise<number>((resolve, reject) => {
        let status = 0;
        const start = (told: number) => {
          status = told;
        };
        client.send(
          { upstream: 'warm-up', path, body },
          { start, data: () => {}, end: () => resolve(status), fail: reject },
        );
      });
      await client.close();
      return status;
    },
    async close() {
      await gateway.close();
      upstream.close();
      upstream.closeAllConnections();
      log.flush();
      await sleep(untilWritten);
      closeSync(nowhere);
      forgetTexts();
      forgetTools();
      forgetMessages();
    },
  };
}

/** Made as the dialect itself is: what code learns of the one holds for the other. */
function copyOf(id: DialectId): [DialectId, Dialect] {
  const dialect = dialects.get(id);
  if (dialect === undefined) throw new Error(`there is no dialect ${id}`);
  const { table, parts, grammar, createParser } = dialect;
  return [id, asDialect({ id, table, parts, grammar, createParser })];
}

function addressOf(server: Server): string {
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/v1`;
}

/** Tools in an API, as JSON before the conversation, and as tags: what a model reads and writes is nearly all of it. */
const models = {
  native: { toolCalling: 'native' },
  hermes: { toolCalling: { dialect: 'hermes' } },
  text: { toolCalling: 'text' },
  tagged: { toolCalling: { dialect: 'anthropic-xml' } },
};

/** As clients name them, with one whose replies pass as they come. */
const names = ['plain/same', ...Object.keys(models).map((model) => `up/${model}`)];

interface WarmRequest {
  readonly path: string;
  readonly body: object;
}

/** The API of nearly all upstreams, and others: what runs for all of them is worth compiling. */
const wires = [openaiChatUpstream, anthropicMessagesUpstream, openaiResponsesUpstream];

/**
 * So many that Node takes what they run for worth compiling, also where a client wants its answer whole. Long conversations would leave
 * no more than these.
 */
function* requests(): Generator<WarmRequest> {
  for (const wire of wires) {
    for (const model of names) {
      for (const more of [{ stream: true }, { stream: false }, { stream: false, tool_choice: 'required' }]) {
        yield writtenIn(wire, { model, ...newChat(), ...more });
      }
    }
  }
}

/** To the models that nearly all clients ask. */
function* lastRequests(): Generator<WarmRequest> {
  for (const model of names.slice(0, 3)) {
    for (const stream of [true, false]) yield writtenIn(openaiChatUpstream, { model, ...newChat(), stream });
  }
}

/** As a client of that API would send it. */
function writtenIn(wire: UpstreamWire, chat: { readonly model: string; readonly stream: boolean }): WarmRequest {
  const { path, body } = wire.writeRequest(openaiChatClient.readRequest(chat), chat.model, {});
  return { path, body: Object.assign({}, body, { stream: chat.stream }) };
}

let chats = 0;

/** One round of a conversation, with a tool of its own: what is made of tools is made once for equal ones. */
function newChat(): object {
  chats += 1;
  const description = `Says what this is for, at some length, as the tools of agents do (${chats}).`;
  return {
    messages: [
      { role: 'system', content: 'You are a careful programmer.' },
      { role: 'user', content: 'Read it.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_0', type: 'function', function: { name: 'read', arguments: '{"path":"docs/<b>\\".md"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_0', content: 'Text with `code`, <tags>, <|marks|> and "quotes".\n' },
      { role: 'assistant', content: 'It says:\n\n```ts\nconst a = 1;\n```\n' },
      { role: 'user', content: 'Read the file README.md, and say what is in it. <|im_start|>' },
    ],
    tools: [
      {
        type: 'function',
        function: {
          name: 'read',
          description,
          parameters: {
            type: 'object',
            properties: {
              path: { type: 'string', description },
              lines: { type: 'array', items: { type: 'integer', minimum: 1 } },
              mode: { enum: ['all', 'some'] },
              options: {
                type: 'object',
                properties: { a: { type: 'boolean' }, b: { type: 'number' } },
                required: ['a'],
              },
              or: { anyOf: [{ type: 'string' }, { type: 'null' }] },
            },
            required: ['path'],
          },
        },
      },
    ],
  };
}

/** As long as that of a model at work: what runs for each piece of it is worth compiling. */
const reply = [
  'It says `a`, "b" and:\n\n```ts\nconst a = 1;\n```\n\n* one\n* two\n',
  'A line of prose, as models write them before they call a tool.\n'.repeat(10),
  '<tool_call>\n{"name": "read", "arguments": {"path": "',
  'docs/\\"README\\".md, '.repeat(30),
  '", "lines": [1, 2], "mode": "all"}}\n</tool_call>',
].join('');
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

async function startUpstream(): Promise<Server> {
  let answers = 0;
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      // Models that write their calls are asked for streams, whatever their client wants, and some servers answer whole all the same.
      answers += 1;
      const isStream = answers % 2 === 1;
      response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json');
      if (isStream) void writeStream(response);
      else response.end(whole());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** With the members that nearly all servers write, in their order: what code learns of it holds for their answers. */
const answer = { id: '0', object: 'chat.completion', created: 1, model: 'own' };

function whole(): string {
  const message = { role: 'assistant', content: reply };
  return JSON.stringify({ ...answer, choices: [{ index: 0, message, finish_reason: 'stop' }], usage });
}

/** Its frames. */
function streamed(): string[] {
  const frame = (delta: object, finish: string | null = null, more = {}) =>
    `data: ${JSON.stringify({ ...answer, choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`;
  const words = reply.split(/(?<= )/).map((content) => frame({ content }));
  return [...words, frame({}, 'stop', { usage }), 'data: [DONE]\n\n'];
}

/** A few at a time: what is read at once is one turn of the event loop. */
async function writeStream(response: ServerResponse): Promise<void> {
  const frames = streamed();
  for (let from = 0; from < frames.length; from += together) {
    response.write(frames.slice(from, from + together).join(''));
    await sleep(pause);
  }
  response.end();
}
