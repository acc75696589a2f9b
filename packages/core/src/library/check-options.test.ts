import { describe, expect, it } from 'vitest';
import { textOf } from '../chat/message.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { ParseContext } from '../dialects/dialect.ts';
import { hermes } from '../dialects/hermes/index.ts';
import { DragomanError } from '../errors.ts';
import * as parsing from '../parse.ts';
import { MemoryCallIdStore } from '../stores/memory-call-id-store.ts';
import * as library from './library.ts';
import { askTextModel } from './text-model.ts';

const tools = [{ name: 'list', inputSchema: { type: 'object', properties: {} } }];
const text = '<tool_call>{"name": "list"}</tool_call>';
const hi = { role: 'user', content: [{ type: 'text', text: 'Hi' }] };

function refusal(run: () => unknown): DragomanError {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof DragomanError) return thrown;
    throw thrown;
  }
  throw new Error('It was taken.');
}

/** As programs without types call it. */
function given<Wanted>(json: object): Wanted {
  return Object(json);
}

describe('reading', () => {
  it.each<[options: object, param: string | undefined, words: string]>([
    [
      { policy: { undeclared: 'fwd' } },
      'policy.undeclared',
      'policy.undeclared is "fwd": give it one of "forward", "text", "drop", or leave it out.',
    ],
    [{ policy: { undeclred: 'text' } }, 'policy.undeclred', 'There is no option "policy.undeclred". Known are fences,'],
    [{ policy: 'strict' }, 'policy', 'policy is "strict": give it an object with some of fences,'],
    [{ policy: { maxCalls: '1' } }, 'policy.maxCalls', 'is "1": give it a whole number from 0 on'],
    [{ policy: { only: 5 } }, 'policy.only', 'give it a string, or leave it out.'],
    [{ limits: { callLength: 0 } }, 'limits.callLength', 'is 0: give it a whole number from 1 on'],
    [{ opened: true }, 'opened', 'opened is true: give it one of "reasoning"'],
    [{ over: 1 }, 'over', 'over is 1: give it a function'],
    [{ polcy: {} }, 'polcy', 'There is no option "polcy". Known are tools, opened, policy,'],
    [{ tools: undefined }, 'tools', 'tools is missing: give a list of { name'],
    [{ tools: [{}] }, 'tools[0].name', 'tools[0].name is missing: give { name'],
    [{ dialect: { id: 'own' } }, 'dialect', 'dialect is of the type "object": give it a Dialect'],
  ])('%j is refused', (options, param, words) => {
    const wrong = given<parsing.ReadingOptions & library.ReadingOptions>({ tools, dialect: hermes, ...options });
    for (const read of [library.parseAllToolCalls, parsing.parseAllToolCalls]) {
      const error = refusal(() => read(text, wrong));
      expect([error.code, error.param]).toEqual(['config-invalid', param]);
      expect(error.message).toContain(words);
    }
    expect(refusal(() => library.createParserStream(wrong)).message).toContain(words);
  });

  it.each<[options: object, param: string, words: string]>([
    [{ callIds: {} }, 'callIds', 'callIds is of the type "object": give it a CallIdStore, such as a MemoryCallIdStore'],
    [{ messages: 'Hi' }, 'messages', 'messages is "Hi": give a list of { role, content }'],
    [{ escaped: 1 }, 'escaped', 'escaped is 1: give it one of true, false'],
  ])('%j of a conversation is refused', (options, param, words) => {
    const read = () => library.parseAllToolCalls(text, given({ tools, dialect: 'hermes', ...options }));
    for (const refused of [read, () => parsing.conversationOf(options)]) {
      const error = refusal(refused);
      expect([error.code, error.param]).toEqual(['config-invalid', param]);
      expect(error.message).toContain(words);
    }
  });

  it('the parsing entry takes a conversation as one option, which calls in reasoning need', () => {
    const { parseAllToolCalls, conversationOf } = parsing;
    const options = { tools, dialect: hermes };
    expect(refusal(() => parseAllToolCalls(text, given({ ...options, messages: [hi] }))).message).toBe(
      'There is no option "messages". Known are tools, opened, policy, limits, answered, over, unclosed, mayOpen, watch, dialect, conversation.',
    );
    expect(refusal(() => parseAllToolCalls(text, given({ ...options, conversation: {} }))).param).toBe('conversation');
    const thought = { ...options, policy: { reasoning: 'fire' } } as const;
    expect(refusal(() => parseAllToolCalls(text, thought)).message).toBe(
      'policy.reasoning is "fire": give the option conversation, too.',
    );
    const { calls } = parseAllToolCalls(`<think>${text}</think>`, { ...thought, conversation: conversationOf() });
    expect(calls).toMatchObject([{ name: 'list' }]);
  });

  it('what is undefined counts as left out', () => {
    const policy = { undeclared: undefined, maxCalls: undefined, names: undefined };
    const options = given<library.ReadingOptions>({
      tools,
      dialect: 'hermes',
      policy,
      limits: { callLength: undefined },
      messages: undefined,
    });
    const { calls, text: rest } = library.parseAllToolCalls(`${text}<tool_call>{"name": "other"}</tool_call>`, options);
    expect(calls).toMatchObject([{ name: 'list', arguments: '{}' }]);
    expect(rest).toContain('other');
  });

  it('takes all that there is', () => {
    const options = {
      tools,
      dialect: 'hermes',
      policy: { maxCalls: Number.POSITIVE_INFINITY, answers: 'read', only: 'list', names: 'nearest' },
      limits: { callLength: 100 },
      callIds: new MemoryCallIdStore({ maxSize: 10 }).of(''),
      messages: [hi],
      over: () => {},
    };
    expect(library.parseToolCalls(text, given(options))).toHaveLength(1);
  });

  it('a dialect is named by its id or given, and the nearest ones are told', () => {
    // @ts-expect-error ids are known while somebody types.
    expect(refusal(() => library.parseToolCalls(text, { tools, dialect: 'hermess' })).message).toMatch(
      /^There is no dialect "hermess"\. Near are "hermes".*; there are anthropic-xml, /,
    );
    expect(refusal(() => library.parseToolCalls(text, given({ tools }))).message).toContain('name no dialect');
    expect(refusal(() => parsing.parseToolCalls(text, given({ tools }))).message).toContain('dialect is missing');
    // What a map of dialects gives for an id that it does not hold.
    const nothing = { dialect: undefined };
    for (const refused of [
      () => parsing.createReplyParser(given({ tools, ...nothing })),
      () => parsing.renderMessages({ messages: [] }, given(nothing)),
    ]) {
      expect(refusal(refused).message).toContain('dialect is missing');
    }
    const byId = refusal(() => parsing.parseToolCalls(text, given({ tools, dialect: 'hermes' })));
    expect(byId.message).toContain("@dragoman/core itself takes a dialect's id, too");
    expect(
      Reflect.apply(refusal, undefined, [() => Reflect.apply(library.parseToolCalls, undefined, [text])]).code,
    ).toBe('config-invalid');
  });

  it('what is no text is refused, with how to make it one', async () => {
    const bytes = given<string>(new TextEncoder().encode(text));
    expect(refusal(() => library.parseToolCalls(bytes, { tools, dialect: 'hermes' })).message).toContain(
      'give it as a string, such as TextDecoderStream makes of bytes.',
    );
    expect(
      refusal(() => Reflect.apply(library.parseToolCalls, undefined, [undefined, { tools, dialect: 'hermes' }]))
        .message,
    ).toBe('text is missing: give it as a string, such as TextDecoderStream makes of bytes.');
    const events = [];
    for await (const event of library.parseStream([bytes], { tools, dialect: 'hermes' })) events.push(event);
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'config-invalid', param: 'text' } });
  });

  it.each([
    ['explainReply', (context: ParseContext) => library.explainReply(text, 'hermes', context)],
    ['findCalls', (context: ParseContext) => library.findCalls(text, 'hermes', context)],
    ['recogniseDialect', (context: ParseContext) => library.recogniseDialect(text, context)],
  ])('%s refuses a context that would not do what it says', (_, run) => {
    expect(refusal(() => run(given({ tools, policy: { names: 'near' } }))).param).toBe('policy.names');
    expect(refusal(() => run(given({ tools, polcy: {} }))).param).toBe('polcy');
    expect(refusal(() => run(given({}))).message).toContain('tools is missing: give a list');
  });

  it('recogniseDialect refuses what is no dialect', () => {
    expect(refusal(() => library.recogniseDialect(text, given({ tools, own: 'hermes' }))).param).toBe('own');
    expect(refusal(() => library.recogniseDialect(text, given({ tools, own: [{}] }))).param).toBe('own[0]');
    expect(library.recogniseDialect(text, { tools, own: [hermes] })?.id).toBe('hermes');
  });
});

describe('writing', () => {
  it.each<[conversation: object, options: object, param: string | undefined, words: string]>([
    [{ messages: [hi] }, { systemText: 'user' }, 'systemText', 'one of "system", "first-user", "both"'],
    [{ messages: [hi] }, { results: { format: 'plain' } }, 'results.format', 'is "plain"'],
    [{ messages: [hi] }, { policy: {} }, 'policy', 'There is no option "policy". Known are dialect,'],
    [{ messages: [hi], toolChoice: 'lst' }, {}, 'toolChoice', 'give it one of "auto", "none", "required"'],
    [{ messages: [hi], toolChoice: { type: 'function' } }, {}, 'toolChoice', 'give it { name } of a tool.'],
    [{}, {}, 'messages', 'messages is missing: give a list of { role, content }'],
    [{ messages: [{ role: 'user', content: 'Hi' }] }, {}, 'messages[0].content', "readRequest of a client's wire"],
    [{ messages: [hi, null] }, {}, 'messages[1]', 'messages[1] is null: give { role'],
    [{ messages: [{ ...hi, role: 'human' }] }, {}, 'messages[0].role', 'one of system, user, assistant, tool'],
    [
      { messages: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }] },
      {},
      'messages[0].content[0].type',
      'is "input_text": give one of text, reasoning, image, tool-call.',
    ],
    [
      { messages: [{ role: 'assistant', content: [{ type: 'tool-call', callId: 'a', name: 'list', arguments: {} }] }] },
      {},
      'messages[0].content[0].arguments',
      'is of the type "object": give it a text.',
    ],
    [{ messages: [{ role: 'tool', content: [] }] }, {}, 'messages[0].callId', 'give the id of the call, or ""'],
    [{ messages: [hi], tools: [{ name: '' }] }, {}, 'tools[0].name', 'tools[0].name is ""'],
  ])('%j with %j is refused', (conversation, options, param, words) => {
    const error = refusal(() => library.renderMessages(given(conversation), given({ dialect: 'hermes', ...options })));
    expect([error.code, error.param]).toEqual(['config-invalid', param]);
    expect(error.message).toContain(words);
  });

  it('what is undefined counts as left out', () => {
    const fields = { tools: undefined, toolChoice: undefined, parallelToolCalls: undefined };
    const { messages } = library.renderMessages(given({ messages: [hi], ...fields }), { dialect: 'hermes' });
    expect(messages).toEqual(library.renderMessages(given({ messages: [hi] }), { dialect: 'hermes' }).messages);
  });

  it('a rule for results may be given in part', () => {
    const { messages } = library.renderMessages(
      given({
        messages: [
          hi,
          { role: 'assistant', content: [{ type: 'tool-call', callId: 'a', name: 'list', arguments: '{}' }] },
          { role: 'tool', callId: 'a', content: [{ type: 'text', text: 'x'.repeat(500) }] },
        ],
        tools,
      }),
      given({ dialect: 'hermes', results: { format: 'simple' }, systemText: undefined }),
    );
    expect(textOf(messages.at(-1)?.content ?? [])).toContain('x'.repeat(500));
  });

  it('a form of documentation that there is not is refused', () => {
    const [tool = expect.fail()] = tools;
    expect(refusal(() => library.renderToolDoc(tool, given(Object('long')))).message).toContain('give one of line,');
  });
});

it.each<[rule: object, param: string]>([
  [{ policy: { undeclared: 'fwd' } }, 'policy.undeclared'],
  [{ callNonce: 'word' }, 'callNonce'],
  [{ policy: { maxCalls: 0 } }, 'policy.maxCalls'],
  [{ limits: { callLength: '9' } }, 'limits.callLength'],
])('a rule for askTextModel: %j is refused', (rule, param) => {
  const request = given<ChatRequest>({ model: 'm', messages: [hi], tools, toolChoice: 'auto', sampling: {} });
  expect(refusal(() => askTextModel(request, { dialect: hermes, rule: given(rule) })).param).toBe(param);
});
