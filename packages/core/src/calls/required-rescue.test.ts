import { type Cuts, chatRequest, cutText, readTools, violationsOf } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { collect } from '../chat/collect.ts';
import type { ChatEvent, FinishReason } from '../chat/event.ts';
import { EventWriter } from '../chat/event-writer.ts';
import type { ToolChoice } from '../chat/tool.ts';
import { DragomanError } from '../errors.ts';
import { CallIds } from '../prepare/call-ids.ts';
import { runStage } from '../stream/stage.ts';
import { createRequiredRescue } from './required-rescue.ts';

const tools = readTools('read(path: string, limit?: integer)\nlist()');

type Script = (writer: EventWriter) => void;

function read(script: Script, choice: ToolChoice = { name: 'read' }) {
  const events: ChatEvent[] = [];
  const writer = new EventWriter((event) => events.push(event));
  writer.start('reply', 'model');
  script(writer);
  const request = chatRequest({ tools, toolChoice: choice });
  let drawn = 0;
  const randomHex = (length: number) => {
    drawn += 1;
    return String(drawn).padStart(length, '0');
  };
  const callIds = new CallIds({ request, randomHex });
  const out = runStage(createRequiredRescue({ request, limits: {}, callIds, hidden: () => {} }), events);
  expect(violationsOf(out)).toEqual([]);
  const { text, calls, warnings, finishReason } = collect(out);
  return {
    events,
    out,
    text,
    calls: calls.map((each) => `${each.name} ${each.arguments}`),
    codes: warnings.map(({ code }) => code),
    finishReason,
  };
}

const said =
  (text: string, { cuts = 'chars', end = 'stop' }: { cuts?: Cuts; end?: FinishReason } = {}): Script =>
  (writer) => {
    for (const piece of cutText(text, cuts)) writer.text(piece);
    writer.end(end);
  };

const given = '{"path": "a.txt"}';
const call = `{"name": "read", "arguments": ${given}}`;
const rescued = { text: '', calls: [`read ${given}`], codes: ['call-rescued'], finishReason: 'tool-calls' };

describe('a reply of a native model that is the required call as plain JSON is that call', () => {
  it.each<[what: string, text: string, choice?: ToolChoice]>([
    ['with its name', call],
    ['of any tool', call, 'required'],
    ['in a fence', `\`\`\`json\n${call}\n\`\`\`\n`],
    ['in a list', `[${call}]`, 'required'],
    ['its arguments alone', given],
    ['its arguments in a fence', `\n\`\`\`\n${given}\n\`\`\``],
  ])('%s', (_, text, choice) => {
    expect(read(said(text), choice)).toMatchObject(rescued);
    expect(read(said(text, { cuts: 'whole' }), choice)).toMatchObject(rescued);
  });

  it('repaired, with what was repaired', () => {
    const found = read(said("{'path': 'a.txt', 'limit': '5',}"));
    expect(found).toMatchObject({ calls: ['read {"path": "a.txt", "limit": 5}'], finishReason: 'tool-calls' });
    expect(found.codes).toEqual(expect.arrayContaining(['call-rescued', 'json-repaired', 'value-coerced']));
  });

  it('behind what it has thought', () => {
    const found = read((writer) => {
      writer.reasoning('Which file?');
      said(call)(writer);
    });
    expect(found).toMatchObject(rescued);
  });
});

describe('passes as the very events that came', () => {
  it.each<[what: string, script: Script, choice?: ToolChoice]>([
    ['words', said('I will read it.')],
    ['words and JSON', said(`So: ${call}`)],
    ['JSON and words', said(`${call}\nShall I?`)],
    ['JSON of another tool that nobody declared', said('{"name": "delete", "arguments": {}}'), 'required'],
    ['JSON of another tool than the one that has to be called', said('{"name": "list", "arguments": {}}')],
    ['arguments of no tool in particular', said(given), 'required'],
    ['keys that the tool does not have', said('{"file": "a"}')],
    ['a fence of code', said('```js\nread()\n```')],
    ['JSON that breaks off', said('{"path": "a.t')],
    ['JSON that was cut', said(call, { end: 'length' })],
    ['nothing', said('')],
    ['white space', said(' \n')],
    [
      'JSON in front of a native call',
      (writer) => {
        writer.text(call);
        writer.callStart('c1', 'list');
        writer.callEnd();
        writer.end('tool-calls');
      },
    ],
    [
      'JSON behind a native call',
      (writer) => {
        writer.callStart('c1', 'list');
        writer.callEnd();
        writer.text(call);
        writer.end('tool-calls');
      },
    ],
    [
      'a refusal',
      (writer) => {
        writer.marked({ text: call, refusal: true });
        writer.end('stop');
      },
    ],
    [
      'JSON before a failure',
      (writer) => {
        writer.text(call);
        writer.fail(new DragomanError('upstream-cut', 'It broke off.'));
      },
    ],
    [
      'thinking without end after JSON',
      (writer) => {
        writer.text(call);
        for (let count = 0; count < 1 << 11; count += 1) writer.reasoning('So '.repeat(300));
        writer.end('stop');
      },
    ],
    ['a text too long for a call', said(`{"path": "${'a'.repeat(1 << 20)}"}`, { cuts: [1000] })],
  ])('%s', (_, script, choice) => {
    const { events, out } = read(script, choice);
    expect(out).toEqual(events);
  });
});

it('words leave at once', () => {
  const shown: ChatEvent[] = [];
  const request = chatRequest({ tools, toolChoice: 'required' });
  const callIds = new CallIds({ request, randomHex: () => '0' });
  const stage = createRequiredRescue({ request, limits: {}, callIds, hidden: () => {} })((event) => shown.push(event));
  const writer = new EventWriter((event) => stage.push(event));
  writer.text(' `');
  expect(shown).toEqual([]);
  writer.text('read');
  expect(shown.map((event) => ('text' in event ? event.text : event.type))).toEqual(['text-start', ' `', 'read']);
});
