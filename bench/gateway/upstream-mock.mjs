// The upstream of the gateway benchmark: answers as fast as a socket allows, with answers that are made once.
// The path says which: /whole/… one JSON body, /stream/… a stream whose frames are written one by one, each
// in a turn of its own, /burst/… the same frames all at once, /brief/… a stream of few chunks whose rest follows its beginning a little later, /idle/… the start of a stream that never goes on; …/text/… plain text, …/hermes/… a tool call written as text.
import { createServer } from 'node:net';
import { dialects } from '@dragoman/core';
import { textFrames } from '../replies/chat-stream.mjs';
import { sourceCode } from '../replies/source-code.mjs';
import { cut, writeReply } from '../replies/write-reply.mjs';

const pieceLength = 16;
const chunks = 200;

const hermes = dialects.get('hermes');
const texts = {
  text: { whole: sourceCode(600), stream: sourceCode(pieceLength * chunks) },
  hermes: { whole: writeReply(hermes, 500).text, stream: writeReply(hermes, 2740).text.slice(0, pieceLength * chunks) },
};

function wholeAnswer(content) {
  const body = JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion',
    created: 1_760_000_000,
    model: 'bench',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 120, completion_tokens: 180, total_tokens: 300 },
  });
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return [Buffer.from(head + body)];
}

function streamAnswer(content) {
  const frames = textFrames(cut(content, pieceLength));
  const chunk = (text) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
  return [head, ...frames.map(chunk), '0\r\n\r\n'].map((text) => Buffer.from(text));
}

const answers = new Map();
for (const [name, { whole, stream }] of Object.entries(texts)) {
  answers.set(`whole/${name}`, wholeAnswer(whole));
  answers.set(
    `stream/${name}`,
    streamAnswer(stream).flatMap((part) => [part, 'turn']),
  );
  answers.set(`burst/${name}`, [Buffer.concat(streamAnswer(stream))]);
  answers.set(`idle/${name}`, streamAnswer(stream).slice(0, 3));
  const [head, role, first, ...rest] = streamAnswer(stream);
  answers.set(`brief/${name}`, [Buffer.concat([head, role, first]), 'pause', Buffer.concat(rest)]);
}

const notFound = 'HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n';

/** Writes the parts that are bytes; the words between them say how long to wait. */
function write(socket, parts, from = 0) {
  for (let at = from; at < parts.length; at += 1) {
    const part = parts[at];
    if (part === 'turn') return void setImmediate(write, socket, parts, at + 1);
    if (part === 'pause') return void setTimeout(write, 2, socket, parts, at + 1);
    socket.write(part);
  }
}

/** Answers each request once its body, whose length is given or chunked, has come. */
function serve(socket) {
  socket.setNoDelay(true);
  let waiting = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (data) => {
    waiting = waiting.length === 0 ? data : Buffer.concat([waiting, data]);
    for (;;) {
      const end = waiting.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = waiting.latin1Slice(0, end).toLowerCase();
      const length = bodyLength(head, waiting.subarray(end + 4));
      if (length === undefined || waiting.length < end + 4 + length) return;
      waiting = waiting.subarray(end + 4 + length);
      const [, kind = '', name = ''] = head.slice(0, 200).split(' ')[1]?.split('/') ?? [];
      write(socket, answers.get(`${kind}/${name}`) ?? [Buffer.from(notFound)]);
    }
  });
}

/** How many bytes of `body` belong to the request; undefined while that is open. */
function bodyLength(head, body) {
  const at = head.indexOf('content-length:');
  if (at >= 0) return Number.parseInt(head.slice(at + 15), 10);
  if (!head.includes('transfer-encoding: chunked')) return 0;
  const end = body.indexOf('0\r\n\r\n');
  return end < 0 ? undefined : end + 5;
}

const server = createServer(serve);
server.listen(0, '127.0.0.1', 4096, () => process.send?.({ port: server.address().port }));
process.once('disconnect', () => process.exit());
