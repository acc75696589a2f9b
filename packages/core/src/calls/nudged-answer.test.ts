import { expect, it } from 'vitest';
import { type AnswerOptions, chunk, done, startAnswer } from '../../test/start-answer.ts';
import { DragomanError } from '../errors.ts';
import { defaultModelRule } from '../plan/rules.ts';

const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

/** A text model that is asked once more for what it requires. */
function asking(options: AnswerOptions) {
  const reply = startAnswer({
    ...options,
    rule: { toolCalling: { dialect: 'hermes' }, nudge: { ...defaultModelRule.nudge, max: 1, answers: 'once' } },
  });
  const say = (text: string, end = 'stop') => {
    reply.stream();
    reply.data(chunk({ content: text }) + chunk({}, end) + done);
    reply.to().end();
  };
  return { ...reply, say };
}

const requiresAnswer: AnswerOptions = {
  request: { tools: [], outputFormat: { type: 'json-schema', name: 'count', schema } },
};
const requiresCall: AnswerOptions = { request: { toolChoice: 'required' } };

it('A-051: the warning says where the first answer was wrong, and quotes what was left out', async () => {
  const reply = asking(requiresAnswer);
  reply.say('{"n":"many"}');
  await turn();
  reply.say('{"n":5}');
  const { warnings, content } = reply.message();
  expect(content).toMatchObject([{ type: 'text', text: '{"n":5}' }]);
  const nudged = warnings.filter(({ code }) => code === 'answer-nudged');
  expect(nudged).toHaveLength(1);
  expect(nudged[0]?.message).toContain('$.n');
  expect(nudged[0]?.message).toContain(JSON.stringify('{"n":"many"}'));
});

it.each<[what: string, first: string, second: string, end: string, delivered: string]>([
  ['words instead of JSON', '{"n":"many"}', 'I have said so.', 'stop', '{"n":"many"}'],
  ['nothing instead of JSON', '{"n":"many"}', '', 'stop', '{"n":"many"}'],
  ['nothing instead of words', 'Many.', ' ', 'stop', 'Many.'],
  ['what breaks off instead of JSON', '{"n":"many"}', '{"n": 5, "m": "and', 'length', '{"n":"many"}'],
  ['other JSON that does not fit', '{"n":"many"}', '{"n":"few"}', 'stop', '{"n":"few"}'],
  ['JSON that does not fit instead of words', 'Many.', '{"n":"few"}', 'stop', '{"n":"few"}'],
  ['other words', 'Many.', 'Very many.', 'stop', 'Very many.'],
  ['what breaks off instead of words', 'Many.', '{"n": 5', 'length', '{"n": 5'],
  ['what fits', 'Many.', '{"n": 5}', 'stop', '{"n": 5}'],
])('A-051: the better answer is delivered where the second one is %s', async (_, first, second, end, delivered) => {
  const reply = asking(requiresAnswer);
  reply.say(first);
  await turn();
  reply.say(second, end);
  const { text, finishReason, warnings } = reply.message();
  expect({ text, finishReason }).toEqual({ text: delivered, finishReason: delivered === first ? 'stop' : end });
  // Nothing is lost: what was left out is told.
  const told = warnings.map(({ message }) => message).join();
  for (const each of [first, second]) if (each !== delivered) expect(told).toContain(JSON.stringify(each.trim()));
});

it.each([
  ['an answer', requiresAnswer],
  ['a call', requiresCall],
])('nothing is asked for once more of %s when the client has left', async (_, required) => {
  const early = asking({
    ...required,
    onEvent: (event, reply) => {
      if (event.type === 'warning' && event.warning.code.endsWith('-nudged')) reply()?.abort();
    },
  });
  early.say('Many.');
  await turn();
  expect(early.sent).toHaveLength(1);
  const late = asking(required);
  late.say('Many.');
  late.reply.abort();
  await turn();
  expect(late.sent).toHaveLength(1);
  expect(late.events().filter(({ type }) => type === 'message-end' || type === 'error')).toEqual([]);
});

it.each([
  ['an answer', requiresAnswer, 'message-end'],
  ['a call', requiresCall, 'error'],
])('nothing is asked for once more of %s that was broken off, and it ends once', async (_, required, end) => {
  const reply = asking(required);
  reply.say('Many.');
  reply.reply.breakOff(new DragomanError('draining', 'Over.'));
  await turn();
  expect(reply.sent).toHaveLength(1);
  expect(reply.events().filter(({ type }) => type === 'message-end' || type === 'error')).toMatchObject([
    { type: end },
  ]);
});

const requiresBoth: AnswerOptions = {
  request: {
    toolChoice: 'required',
    ...(requiresAnswer.request?.outputFormat && { outputFormat: requiresAnswer.request.outputFormat }),
  },
};
const call = '<tool_call>\n{"name": "read", "arguments": {}}\n</tool_call>';

it.each<[first: string, second: string, text: string, calls: number]>([
  ['I will.', '{"n": 5}', '{"n": 5}', 0],
  ['{"n": 5}', '{"n": 6}', '{"n": 6}', 0],
  ['{"n": 5}', 'I will.', '{"n": 5}', 0],
  ['I will.', ' ', 'I will.', 0],
  ['I will.', call, 'I will.', 1],
  ['{"n": 5}', call, '{"n": 5}', 1],
  ['I will.', `Now.\n${call}`, 'I will.\n\nNow.', 1],
])(
  'A-049: where a call and JSON are required, %j and then %j become one text only beside a call',
  async (first, second, text, calls) => {
    for (const stream of [true, false]) {
      const reply = asking({ ...requiresBoth, request: { ...requiresBoth.request, stream } });
      reply.say(`<think>Well.</think>${first}`);
      await turn();
      reply.say(second);
      await turn();
      const message = reply.message();
      expect(message.text.trimEnd()).toBe(text);
      expect(message.content.filter(({ type }) => type === 'tool-call')).toHaveLength(calls);
      expect(message.content).toContainEqual({ type: 'reasoning', text: 'Well.' });
      const told = message.warnings.map(({ message }) => message).join();
      for (const each of [first, second.trim()]) {
        if (!text.includes(each) && !each.includes(call)) expect(told).toContain(JSON.stringify(each));
      }
    }
  },
);

it('A-049: the best of several replies without the call is delivered where the last one fails', async () => {
  const reply = startAnswer({
    ...requiresBoth,
    rule: { toolCalling: { dialect: 'hermes' }, nudge: { ...defaultModelRule.nudge, max: 2 } },
  });
  for (const text of ['{"n": 5}', 'I will.']) {
    reply.stream();
    reply.data(chunk({ content: text }) + chunk({}, 'stop') + done);
    reply.to().end();
    await turn();
  }
  reply.reply.breakOff(new DragomanError('draining', 'Over.'));
  await turn();
  expect(reply.message().text).toBe('{"n": 5}');
});
