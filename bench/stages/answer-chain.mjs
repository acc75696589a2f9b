import { answer, clientWires, defaultModelRule } from '@dragoman/core';
import { tools } from '../replies/write-reply.mjs';

const wire = clientWires.get('openai-chat');
const quiet = { connect: 0, firstToken: 0, idle: 0, total: 0 };

/**
 * The whole way of one reply without any network: an upstream's bytes in, the client's frames out, all stages of the
 * engine between them. Returns a function that sends the reads through a fresh reply and tells how many characters left.
 */
export function replyChain(toolCalling, reads) {
  let receiver;
  const connection = { pause() {}, resume() {}, abort() {} };
  const transport = {
    send(_request, to) {
      receiver = to;
      return connection;
    },
  };
  const models = new Map([['m', { ...defaultModelRule, toolCalling }]]);
  const upstream = { name: 'up', wire: 'openai-chat', transport, quirks: {}, deadlines: quiet, models };
  const setup = {
    upstreams: new Map([['up', upstream]]),
    aliases: new Map(),
    maxTools: 128,
    maxReplyBytes: 1 << 30,
    toolCalling: true,
    countTokens: async (texts) => texts.join('').length,
    now: () => performance.now(),
    randomHex: (length) => '0'.repeat(length),
  };
  const request = wire.readRequest({
    model: 'up/m',
    stream: true,
    messages: [{ role: 'user', content: 'Add a filter to the list.' }],
    tools: tools.map(({ inputSchema, ...rest }) => ({
      type: 'function',
      function: { ...rest, parameters: inputSchema },
    })),
  });
  return () => {
    let characters = 0;
    const writer = wire.createStreamWriter({ request, replyId: 'a', created: 0 })((frames) => {
      characters += frames.length;
    });
    answer(request, setup, { event: (event) => writer.push(event), flush() {} });
    receiver.start(200, 'text/event-stream');
    for (const chunk of reads) receiver.data(chunk);
    receiver.end();
    return characters;
  };
}
