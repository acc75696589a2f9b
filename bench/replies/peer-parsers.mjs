import { dialects } from '@dragoman/core';
import { importPeer } from '../measure/peers.mjs';
import { prose, tools, writeReply } from './write-reply.mjs';

/**
 * The stream parsers of `@ai-sdk-tool/parser`, if it is installed. `dialect` is ours that reads the same text; a form
 * that none of ours reads yet is written by the peer itself. `time` reads a reply and tells the CPU milliseconds, how
 * many deltas of arguments came before the call ended, and whether the arguments came back as they were written.
 */
export async function loadPeerParsers() {
  const peer = await importPeer('@ai-sdk-tool/parser');
  if (peer === undefined) return [];
  const forms = [
    ['Hermes', 'hermes', peer.hermesProtocol()],
    ['morph-XML', 'cline-xml', peer.morphXmlProtocol()],
    ['Qwen3-Coder', 'qwen3-coder', peer.qwen3CoderProtocol()],
    ['UI-TARS-XML', 'qwen3-coder', peer.uiTarsXmlProtocol()],
    ['YAML-XML', undefined, peer.yamlXmlProtocol()],
  ];
  return forms.map(([form, dialect, protocol]) => {
    const reply = (length) => writeReply(dialects.get(dialect) ?? writtenBy(protocol), length);
    return {
      name: `@ai-sdk-tool/parser ${form}`,
      dialect,
      reply,
      async time(pieces, content) {
        const runs = [];
        const from = performance.now();
        while (runs.length < 5 && performance.now() - from < 1500) runs.push(await read(protocol, pieces, content));
        return runs.reduce((best, run) => (run.milliseconds < best.milliseconds ? run : best));
      },
    };
  });
}

function writtenBy(protocol) {
  return {
    renderCalls: ([call]) =>
      protocol.formatToolCall({
        type: 'tool-call',
        toolCallId: call.callId,
        toolName: call.name,
        input: call.arguments,
      }),
  };
}

async function read(protocol, pieces, content) {
  const asked = tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    name,
    description,
    inputSchema,
  }));
  const stream = protocol.createStreamParser({ tools: asked });
  const found = { deltas: 0, whole: false, text: '' };
  const before = process.cpuUsage();
  const listening = listen(stream.readable, found);
  const writer = stream.writable.getWriter();
  await writer.write({ type: 'text-start', id: '0' });
  for (const delta of pieces) await writer.write({ type: 'text-delta', id: '0', delta });
  await writer.write({ type: 'text-end', id: '0' });
  await writer.write({ type: 'finish', finishReason: 'stop', usage: {} });
  await writer.close();
  await listening;
  const { user, system } = process.cpuUsage(before);
  const whole = found.input !== undefined && JSON.parse(found.input).content === content;
  return {
    milliseconds: (user + system) / 1000,
    deltas: found.deltas,
    whole: whole && found.text.startsWith(prose.trim()),
  };
}

async function listen(readable, found) {
  for await (const part of readable) {
    if (part.type === 'tool-input-delta') found.deltas += 1;
    else if (part.type === 'tool-call') found.input = part.input;
    else if (part.type === 'text-delta') found.text += part.delta;
  }
}
