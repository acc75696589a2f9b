// What single stages cost, and why stages push into sinks (docs/decisions/0002-stages-push-into-sinks.md).
import { clientWires, decodeSse, defaultModelRule, dialects, encodeSse, readAny, runStage } from '@dragoman/core';
import { escapeJson } from '../packages/core/dist/json/json-escape.js';
import { JsonReader } from '../packages/core/dist/json/json-reader.js';
import { SchemaView } from '../packages/core/dist/json/schema.js';
import { EscapedSpeech } from '../packages/core/dist/prepare/escaped-speech.js';
import { prepareTextMessages } from '../packages/core/dist/prepare/render-history.js';
import { alternate } from './measure/cpu-time.mjs';
import { readFlags } from './measure/flags.mjs';
import { Report } from './measure/report.mjs';
import { summary } from './measure/statistics.mjs';
import { callFrames, reads, textFrames } from './replies/chat-stream.mjs';
import { sourceCode } from './replies/source-code.mjs';
import { cut, writeReply } from './replies/write-reply.mjs';
import { replyChain } from './stages/answer-chain.mjs';
import * as arrays from './stages/with-arrays.mjs';
import * as sinks from './stages/with-sinks.mjs';

const flags = readFlags();
const report = new Report('stages', flags);
const timing = flags.quick ? { rounds: 3, milliseconds: 15 } : { rounds: 9, milliseconds: 50 };
const pieces = cut(sourceCode(40_960), 16);

compareWays();
measureFraming();
measureJson();
measureReplies();
measureEscape();
report.finish();

/** What is said before, as a model without native calls is told it, and what of that is finding and escaping markers. */
function measureEscape() {
  const text = sourceCode(10_240);
  const schema = { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } };
  const tools = Array.from({ length: 30 }, (_, at) => ({
    name: `tool_${at}`,
    description: 'A. ',
    inputSchema: schema,
  }));
  const messages = Array.from({ length: 20 }, (_, at) => [
    { role: 'user', content: [{ type: 'text', text: `Go on with ${at}.` }] },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', callId: `c${at}`, name: 'tool_1', arguments: '{"path":"a"}' }],
    },
    { role: 'tool', callId: `c${at}`, content: [{ type: 'text', text }] },
  ]).flat();
  const request = { messages, tools, toolChoice: 'auto', parallelToolCalls: true };
  const hermes = dialects.get('hermes');
  const used = { hermes, 'cline-xml': dialects.get('cline-xml'), auto: readAny(hermes) };
  const ways = Object.entries(used).flatMap(([id, dialect]) => {
    const prepare = () =>
      prepareTextMessages({ request, dialect, rule: defaultModelRule, nativeIdOf: () => undefined }).messages.length;
    const markers = () => {
      const speech = new EscapedSpeech({ dialect, tools, anyCase: false, frames: [] });
      for (let at = 0; at < 20; at += 1) speech.escape(text);
      return speech.count;
    };
    return [
      [`${id}, all of it`, prepare],
      [`${id}, markers`, markers],
    ];
  });
  const times = alternate(Object.fromEntries(ways), timing);
  report.table('A history of 200 KB with 30 tools, told as text: milliseconds', {
    columns: {
      work: { of: ([name]) => name },
      ms: { of: ([, each]) => summary(each).median, digits: 2 },
      least: { of: ([, each]) => summary(each).min, digits: 2 },
    },
    rows: Object.entries(times),
  });
}

/** Sinks against lists, over few and many stages, with and without the work that JSON is. */
function compareWays() {
  const deltas = pieces.map((text) => ({ type: 'text-delta', block: 0, text }));
  const network = reads(textFrames(pieces), 1).map(String);
  const batched = reads(textFrames(pieces), 16).map(String);
  const ways = (withSinks, withArrays, inputs) => ({
    sinks: () => sinks.runChain(withSinks(), inputs),
    'lists, handed on': () => arrays.runChain(withArrays(arrays.throughThrifty), inputs),
    'lists, copied': () => arrays.runChain(withArrays(arrays.throughPlain), inputs),
  });
  const rows = [
    ['4 stages, event by event', ways(sinks.eventChain, arrays.eventChain, deltas)],
    ['7 stages from text to frames, one frame a read', ways(sinks.wholeChain, arrays.wholeChain, network)],
    ['7 stages from text to frames, 16 frames a read', ways(sinks.wholeChain, arrays.wholeChain, batched)],
  ].map(([name, candidates]) => {
    const sizes = new Set(Object.values(candidates).map((work) => work()));
    if (sizes.size !== 1) throw new Error(`${name}: the ways do not write the same`);
    const times = alternate(candidates, timing);
    return { name, costs: Object.fromEntries(Object.entries(times).map(([way, each]) => [way, perPiece(each)])) };
  });
  const of = (way, value) => ({ of: ({ costs }) => costs[way][value], digits: 0 });
  report.table(`sinks against lists: CPU ns per delta, ${pieces.length} deltas`, {
    columns: {
      chain: { of: ({ name }) => name },
      sinks: of('sinks', 'median'),
      'min–max': { of: ({ costs }) => span(costs.sinks) },
      'lists, handed on': of('lists, handed on', 'median'),
      'min–max ': { of: ({ costs }) => span(costs['lists, handed on']) },
      'lists, copied': of('lists, copied', 'median'),
      'min–max  ': { of: ({ costs }) => span(costs['lists, copied']) },
    },
    rows,
  });
}

function measureFraming() {
  const frames = textFrames(pieces);
  const fail = (error) => {
    throw error;
  };
  const wire = clientWires.get('openai-chat');
  const request = wire.readRequest({ model: 'm', stream: true, messages: [{ role: 'user', content: 'x' }] });
  const decode = (chunks) => () => runStage(decodeSse({ fail }), chunks).length;
  const data = frames.map((frame) => frame.slice(6, -2));
  const events = [
    { type: 'message-start', id: 'a', model: 'm' },
    { type: 'text-start', block: 0 },
    ...pieces.map((text) => ({ type: 'text-delta', block: 0, text })),
    { type: 'text-end', block: 0 },
    { type: 'message-end', finishReason: 'stop' },
  ];
  const writer = wire.createStreamWriter({ request, replyId: 'a', created: 0 });
  const times = alternate(
    {
      'decode SSE, one frame a read': decode(reads(frames, 1)),
      'decode SSE, 16 frames a read': decode(reads(frames, 16)),
      'decode SSE, all in one read': decode(reads(frames, frames.length)),
      'encode SSE': () => data.reduce((sum, each) => sum + encodeSse(each).length, 0),
      'write Chat Completions chunks': () => runStage(writer, events).length,
    },
    timing,
  );
  costTable('framing: CPU ns per frame', times, (each) => perPiece(each));
}

function measureJson() {
  const code = sourceCode(102_400);
  const json = JSON.stringify({ path: 'src/list.tsx', content: code });
  const escapeAll = (parts) => () => parts.reduce((sum, part) => sum + escapeJson(part).length, 0);
  const stringifyAll = (parts) => () => parts.reduce((sum, part) => sum + JSON.stringify(part).slice(1, -1).length, 0);
  const readAll = (parts) => () => {
    let length = 0;
    const reader = new JsonReader({
      schema: SchemaView.any,
      emit: (text) => {
        length += text.length;
      },
      warning() {},
    });
    for (const part of parts) reader.read(part, 0);
    return length;
  };
  const times = alternate(
    {
      'escapeJson, 4-character pieces': escapeAll(cut(code, 4)),
      'JSON.stringify instead': stringifyAll(cut(code, 4)),
      'escapeJson, 4 KB pieces': escapeAll(cut(code, 4096)),
      'JsonReader, 4-character pieces': readAll(cut(json, 4)),
      'JsonReader, 4 KB pieces': readAll(cut(json, 4096)),
      'JsonReader, in one piece': readAll(cut(json, 0)),
    },
    timing,
  );
  report.table('JSON text: MB/s over 100 KB of source code', {
    columns: {
      work: { of: ([name]) => name },
      'MB/s': { of: ([, each]) => code.length / 1_048_576 / (summary(each).median / 1000), digits: 0 },
      most: { of: ([, each]) => code.length / 1_048_576 / (summary(each).min / 1000), digits: 0 },
    },
    rows: Object.entries(times),
  });
}

/** All stages of a reply, from an upstream's bytes to the client's frames. */
function measureReplies() {
  const length = 40_960;
  const json = JSON.stringify({ path: 'src/list.tsx', content: sourceCode(length) });
  const streams = [
    ['native text', 'native', textFrames(cut(sourceCode(length), 16))],
    ['native call', 'native', callFrames('write_file', cut(json, 16))],
    ...[...dialects.values()].map((dialect) => [
      `call in ${dialect.id}`,
      { dialect: dialect.id },
      textFrames(cut(writeReply(dialect, length).text, 16)),
    ]),
  ];
  const rows = streams.map(([name, toolCalling, frames]) => {
    const way = (count) => replyChain(toolCalling, reads(frames, count));
    const times = alternate({ 1: way(1), 16: way(16), 64: way(64) }, timing);
    const cost = (key) => (summary(times[key]).median * 1000) / frames.length;
    return { name, frames: frames.length, costs: [cost('1'), cost('16'), cost('64')], least: summary(times['1']).min };
  });
  const of = (place) => ({ of: ({ costs }) => costs[place], digits: 2 });
  report.table('a whole reply without the network, 16-character pieces: CPU µs per chunk', {
    columns: {
      reply: { of: ({ name }) => name },
      chunks: { of: ({ frames }) => frames, digits: 0 },
      'one a read': of(0),
      least: { of: ({ least, frames }) => (least * 1000) / frames, digits: 2 },
      '16 a read': of(1),
      '64 a read': of(2),
    },
    rows,
  });
}

function costTable(title, times, costOf) {
  report.table(title, {
    columns: {
      work: { of: ([name]) => name },
      ns: { of: ([, each]) => costOf(each).median, digits: 0 },
      'min–max': { of: ([, each]) => span(costOf(each)) },
    },
    rows: Object.entries(times),
  });
}

/** CPU nanoseconds for each piece of the reply. */
function perPiece(times) {
  const { median, min, max } = summary(times.map((each) => (each * 1e6) / pieces.length));
  return { median, min, max };
}

function span({ min, max }) {
  return `${min.toFixed(0)}–${max.toFixed(0)}`;
}
