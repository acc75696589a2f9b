import { growthOf, sized } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import type { AssistantMessage, Message, ToolMessage, UserMessage } from '../chat/message.ts';
import type { ToolDefinition } from '../chat/tool.ts';
import type { KnownPoint } from '../stores/conversation-store.ts';
import { type Lineage, readHistory } from './decide-lineage.ts';

const user = (...texts: string[]): UserMessage => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text })),
});
const says = (text: string): AssistantMessage => ({ role: 'assistant', content: [{ type: 'text', text }] });
const result = (callId: string, text: string): ToolMessage => ({
  role: 'tool',
  callId,
  content: [{ type: 'text', text }],
});
/** An answer that calls `read` once for each pair of id and arguments. */
const calls = (text: string, ...pairs: readonly (readonly [string, string])[]): AssistantMessage => ({
  role: 'assistant',
  content: [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...pairs.map(([callId, given]) => ({ type: 'tool-call' as const, callId, name: 'read', arguments: given })),
  ],
});

/** What differs between requests beside their messages. */
interface Asking {
  readonly identity?: string;
  readonly model?: string;
  readonly tools?: readonly ToolDefinition[];
  /** System text and tools. */
  readonly told?: string;
}

/** Blocks are in a tag here. */
const withoutBlocks = (text: string): string => text.replaceAll(/<env>.*?<\/env>/gs, '');
const blocksIn = (messages: readonly Message[]): readonly string[] =>
  JSON.stringify(messages.filter(({ role }) => role === 'user')).match(/<env>.*?<\/env>/gs) ?? [];

/** An upstream's side of some conversations: points are named for the replies after which they stand. */
class Platform {
  readonly #points = new Map<string, KnownPoint>();
  /** The ids of points, by key. */
  readonly #ids = new Map<string, string[]>();

  asks(messages: readonly Message[], options: Asking = {}): Lineage {
    const { lookUps, lineageIn } = this.#read(messages, options);
    const pointsOf = (key: string) => (this.#ids.get(key) ?? []).flatMap((id) => this.#points.get(id) ?? []);
    const found = new Map(lookUps.map((key) => [key, pointsOf(key)]));
    const { identity, told = '' } = options;
    return lineageIn(found, { identity, told, shows: (block) => blocksIn(messages).includes(block) });
  }

  /** The request is sent, and `reply` is what comes back. Where it went to, in words. */
  answers(messages: readonly Message[], reply: AssistantMessage, options: Asking = {}): string {
    const lineage = this.begins(messages, options);
    const { depth, pointAfter } = this.#read(messages, options);
    const { identity, told = '' } = options;
    const count = this.#points.size + 1;
    const id = `p${count}`;
    const at = 'point' in lineage ? lineage.point : undefined;
    const conversation = at?.conversation ?? `c${count}`;
    const { keys, ...known } = pointAfter(reply.content);
    const shown = [...(at?.shown ?? []), ...blocksIn(messages)];
    const point = { id, conversation, depth: depth + 1, told, shown, ...known, continuations: 0, open: 0 };
    this.#points.set(id, identity === undefined ? point : { ...point, identity });
    for (const key of keys) this.#ids.set(key, [...(this.#ids.get(key) ?? []), id]);
    return `${lineage.kind} ${at?.id ?? conversation}`;
  }

  /** A message goes out after the point that the request continues. */
  begins(messages: readonly Message[], options: Asking = {}): Lineage {
    const lineage = this.asks(messages, options);
    if ('point' in lineage) {
      const { point } = lineage;
      this.#points.set(point.id, { ...point, continuations: point.continuations + 1 });
    }
    return lineage;
  }

  #read(messages: readonly Message[], { model = 'm', tools = [] }: Asking) {
    return readHistory(messages, { salt: ['up', model], withoutBlocks, tools });
  }
}

describe('which conversation a request continues', () => {
  it('begins anew where no model has said anything yet', () => {
    const platform = new Platform();
    expect(platform.answers([user('hi')], says('hello'))).toBe('new c1');
    expect(platform.answers([user('hi')], says('hello'))).toBe('new c2');
  });

  it('goes on after the reply that the history ends with, over rounds of calls', () => {
    const platform = new Platform();
    const first = calls('', ['a', '{"path":"x"}']);
    const history: Message[] = [user('read x')];
    expect(platform.answers(history, first)).toBe('new c1');
    history.push(first, result('a', 'text of x'));
    const second = calls('and y', ['b', '{"path":"y"}']);
    expect(platform.answers(history, second)).toBe('continue p1');
    history.push(second, result('b', 'text of y'));
    expect(platform.answers(history, says('both read'))).toBe('continue p2');
    history.push(says('both read'), user('thanks'));
    expect(platform.asks(history)).toMatchObject({
      kind: 'continue',
      point: { id: 'p3', conversation: 'c1', depth: 3 },
    });
  });

  it('an identical retry is a branch and no continuation of itself', () => {
    const platform = new Platform();
    platform.answers([user('hi')], says('hello'));
    const history = [user('hi'), says('hello'), user('go on')];
    expect(platform.answers(history, says('gone'))).toBe('continue p1');
    expect(platform.answers(history, says('gone'))).toBe('branch p1');
    expect(platform.answers([...history, says('gone'), user('more')], says('done'))).toBe('continue p3');
  });

  it('an edited message is a branch, and the older one can still be gone on with', () => {
    const platform = new Platform();
    platform.answers([user('hi')], says('hello'));
    const older = [user('hi'), says('hello'), user('one')];
    const edited = [user('hi'), says('hello'), user('two')];
    platform.answers(older, says('1'));
    expect(platform.answers(edited, says('2'))).toBe('branch p1');
    expect(platform.asks([...older, says('1'), user('x')])).toMatchObject({ kind: 'continue', point: { id: 'p2' } });
    expect(platform.asks([...edited, says('2'), user('x')])).toMatchObject({ kind: 'continue', point: { id: 'p3' } });
  });

  it('of two requests at a time the second is a branch, whichever ends first', () => {
    const platform = new Platform();
    platform.answers([user('hi')], says('hello'));
    const history = [user('hi'), says('hello'), user('go on')];
    platform.begins(history);
    expect(platform.asks(history).kind).toBe('branch');
  });

  it('a history that nobody knows has diverged and never continues', () => {
    const platform = new Platform();
    expect(platform.answers([user('hi'), says('hello'), user('x')], says('y'))).toBe('diverged c1');
    expect(platform.asks([user('hi'), says('hello'), user('x'), says('y'), user('z')]).kind).toBe('continue');
  });

  it('an answer that the upstream has not seen is not passed over, however much before it is known', () => {
    const platform = new Platform();
    platform.answers([user('hi')], says('hello'));
    const history = [
      user('hi'),
      says('hello'),
      user('one'),
      calls('', ['a', '{}']),
      result('a', 'r'),
      says('b'),
      user('c'),
    ];
    expect(platform.asks(history).kind).toBe('diverged');
  });

  it('a history that the client has made shorter is compacted', () => {
    const platform = new Platform();
    const history: Message[] = [user('one')];
    for (const reply of ['1', '2', 'three']) {
      platform.answers(history, says(reply));
      history.push(says(reply), user('next'));
    }
    const short = [user('summary of one and two'), says('three'), user('next')];
    expect(platform.asks(short).kind).toBe('compacted');
    expect(platform.asks([user('another'), says('never said'), user('next')]).kind).toBe('diverged');
  });

  it('a history that ends with an answer has nothing to send and continues nothing', () => {
    const platform = new Platform();
    platform.answers([user('hi')], says('hello'));
    expect(platform.asks([user('hi'), says('hello')]).kind).toBe('diverged');
    expect(platform.asks([user('hi'), says('hello'), user(' ')]).kind).toBe('diverged');
  });

  it('system text says nothing of where a conversation stands', () => {
    const platform = new Platform();
    platform.answers([{ ...user('be brief'), role: 'system' }, user('hi')], says('hello'));
    const other: Message[] = [{ ...user('it is noon'), role: 'system' }, user('hi'), says('hello'), user('x')];
    expect(platform.asks(other).kind).toBe('continue');
  });

  it('models never share a conversation', () => {
    const platform = new Platform();
    platform.answers([user('hi')], says('hello'), { model: 'one' });
    expect(platform.asks([user('hi'), says('hello'), user('x')], { model: 'two' }).kind).toBe('diverged');
  });
});

describe('clients that write their history anew', () => {
  const callId = 'call_0123456789abcdef01234567';
  const reply = calls('Reading.\n\n', [callId, '{"path":"x","lines":[1,2],"deep":{"b":1.0,"a":null}}']);

  const continues = (answer: AssistantMessage, ...after: Message[]) => {
    const platform = new Platform();
    platform.answers([user('read x')], reply);
    return platform.asks([user('read x'), answer, ...after]).kind;
  };

  it.each([
    [
      'white space in arguments',
      calls('Reading.\n\n', [callId, '{ "path": "x", "lines": [1, 2], "deep": {"b": 1, "a": null} }']),
    ],
    ['the order of keys', calls('Reading.\n\n', [callId, '{"deep":{"a":null,"b":1},"lines":[1,2],"path":"x"}'])],
    ['trimmed text', calls('Reading.', [callId, '{"path":"x","lines":[1,2],"deep":{"a":null,"b":1}}'])],
    ['dropped text beside calls', calls('', [callId, '{"path":"x","lines":[1,2],"deep":{"a":null,"b":1}}'])],
  ])('%s changes nothing', (_, answer) => {
    expect(continues(answer, result(callId, 'r'))).toBe('continue');
  });

  it.each([
    ['another value', calls('Reading.', [callId, '{"path":"y","lines":[1,2],"deep":{"a":null,"b":1}}'])],
    ['another order of items', calls('Reading.', [callId, '{"path":"x","lines":[2,1],"deep":{"a":null,"b":1}}'])],
    ['one call more', calls('Reading.', [callId, '{"path":"x"}'], ['call_2', '{}'])],
    ['another text', calls('Written.', [callId, '{"path":"x","lines":[1,2],"deep":{"a":null,"b":1}}'])],
  ])('%s is another history', (_, answer) => {
    expect(continues(answer, result(callId, 'r'))).toBe('diverged');
  });

  it.each([
    ['adds', '{"path":"x"}', '{"limit":{"a":1,"b":2},"path":"x","replace_all":false}', 'continue'],
    ['drops', '{"path":"x","replace_all":false}', '{"path":"x"}', 'continue'],
    ['changes', '{"path":"x","replace_all":false}', '{"path":"x","replace_all":true}', 'diverged'],
    [
      'puts in place of another value',
      '{"path":"x","replace_all":true}',
      '{"path":"x","replace_all":false}',
      'diverged',
    ],
  ])('a default that a client %s: %s, then %s', (_, written, shown, kind) => {
    const inputSchema = {
      type: 'object',
      properties: { replace_all: { default: false }, limit: { default: { b: 2, a: 1 } }, path: { type: 'string' } },
    };
    const tools = [{ name: 'read', inputSchema }];
    const platform = new Platform();
    platform.answers([user('read x')], calls('', [callId, written]), { tools });
    const history = [user('read x'), calls('', [callId, shown]), result(callId, 'r')];
    expect(platform.asks(history, { tools }).kind).toBe(kind);
  });

  it('ids that change their form change nothing, because results are known by the place of their calls', () => {
    const two = (one: string, other: string) => calls('', [one, '{"path":"x"}'], [other, '{"path":"y"}']);
    const platform = new Platform();
    platform.answers([user('go')], two('call_1', 'call_2'));
    platform.answers([user('go'), two('call_1', 'call_2'), result('call_1', 'X'), result('call_2', 'Y')], says('ok'));
    const anew = [
      user('go'),
      two('toolu_9', 'toolu_8'),
      result('toolu_8', 'Y'),
      result('toolu_9', 'X'),
      says('ok'),
      user('?'),
    ];
    expect(platform.asks(anew).kind).toBe('continue');
    const swapped = [
      user('go'),
      two('toolu_9', 'toolu_8'),
      result('toolu_8', 'X'),
      result('toolu_9', 'Y'),
      says('ok'),
      user('?'),
    ];
    expect(platform.asks(swapped).kind).toBe('diverged');
  });

  it('an answer in several messages, with its reasoning, is the same answer', () => {
    const pieces: Message[] = [
      { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }] },
      says('Reading.'),
      calls('', [callId, '{"path":"x","lines":[1,2],"deep":{"b":1,"a":null}}']),
    ];
    const platform = new Platform();
    platform.answers([user('read x')], reply);
    expect(platform.asks([user('read x'), ...pieces, result(callId, 'r')]).kind).toBe('continue');
  });

  it('a late result of a parallel call is a branch after the calls, or changes what was answered already', () => {
    const both = calls('', ['a', '{"path":"x"}'], ['b', '{"path":"y"}']);
    const platform = new Platform();
    platform.answers([user('go')], both);
    expect(platform.answers([user('go'), both, result('a', 'X')], says('waiting'))).toBe('continue p1');
    expect(platform.answers([user('go'), both, result('a', 'X'), result('b', 'Y')], says('both'))).toBe('branch p1');
    const late = [user('go'), both, result('a', 'X'), says('waiting'), result('b', 'Y')];
    expect(platform.asks(late).kind).toBe('diverged');
  });

  it('a constant block after the newest message hides neither the text before it nor the conversation', () => {
    const reminder = '<reminder>constant</reminder>';
    const platform = new Platform();
    const first = says('An answer of so many words that no other conversation holds the very same one.');
    expect(platform.answers([user('one', reminder)], first)).toBe('new c1');
    // The front end shows the block at the newest message only.
    expect(platform.answers([user('one'), first, user('two', reminder)], says('2'))).toBe('continue p1');
    expect(platform.answers([user('one'), first, user('two'), says('2'), user('three', reminder)], says('3'))).toBe(
      'continue p2',
    );
    // Another text before the same block is another request.
    expect(platform.asks([user('one'), first, user('other', reminder)]).kind).toBe('branch');
    expect(platform.asks([user('other', reminder), first, user('x', reminder)]).kind).toBe('diverged');
  });

  it('arguments that are no JSON or nest without end are compared as they are written', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    for (const text of ['{"path": unquoted}', deep]) {
      const platform = new Platform();
      platform.answers([user('go')], calls('', ['a', text]));
      expect(platform.asks([user('go'), calls('', ['a', ` ${text}\n`]), result('a', 'r')]).kind).toBe('continue');
    }
  });
});

describe('conversations that look alike', () => {
  it('go on one by one where nothing tells them apart, and none is continued twice', () => {
    const platform = new Platform();
    platform.answers([user('hi')], says('hello'));
    platform.answers([user('hi')], says('hello'));
    expect(platform.answers([user('hi'), says('hello'), user('I am one')], says('1'))).toBe('continue p2');
    expect(platform.answers([user('hi'), says('hello'), user('I am two')], says('2'))).toBe('continue p1');
  });

  it('keep to what the client says they are', () => {
    const platform = new Platform();
    const history = [user('hi'), says('hello'), user('x')];
    platform.answers([user('hi')], says('hello'), { identity: 'one' });
    platform.answers([user('hi')], says('hello'), { identity: 'two' });
    expect(platform.asks(history, { identity: 'one' })).toMatchObject({ kind: 'continue', point: { id: 'p1' } });
    expect(platform.asks(history, { identity: 'two' })).toMatchObject({ kind: 'continue', point: { id: 'p2' } });
    expect(platform.asks(history, { identity: 'three' }).kind).toBe('diverged');
  });

  it('are found by a client that says only sometimes which one it is', () => {
    const platform = new Platform();
    platform.answers([user('hi')], says('hello'), { identity: 'one' });
    const second = [user('hi'), says('hello'), user('x')];
    expect(platform.answers(second, says('y'))).toBe('continue p1');
    expect(platform.asks([...second, says('y'), user('z')], { identity: 'one' }).kind).toBe('continue');
  });
});

describe('histories of which not everything is known', () => {
  const long = 'An answer of so many words that no other conversation holds the very same one.';
  const env = (what: string) => `<env>${what}</env>`;
  const callId = 'call_0123456789abcdef01234567';

  it('other system text: a short greeting may be anybody, an answer of some length is not', () => {
    for (const [reply, kind] of [
      ['hello', 'unclear'],
      [long, 'continue'],
    ] as const) {
      const platform = new Platform();
      platform.answers([user('hi')], says(reply), { told: 'the rules of another' });
      expect(platform.asks([user('hi'), says(reply), user('x')], { told: 'mine' }).kind).toBe(kind);
    }
  });

  it('of conversations in the same words that with the same system text goes on', () => {
    const platform = new Platform();
    platform.answers([user('hi')], says('hello'), { told: 'one' });
    platform.answers([user('hi')], says('hello'), { told: 'two' });
    const history = [user('hi'), says('hello'), user('x')];
    expect(platform.asks(history, { told: 'one' })).toMatchObject({ kind: 'continue', point: { id: 'p1' } });
    expect(platform.asks(history, { told: 'two' })).toMatchObject({ kind: 'continue', point: { id: 'p2' } });
    expect(platform.asks(history, { told: 'three' }).kind).toBe('unclear');
  });

  it('a block that changes: the ids of calls prove the conversation, nothing else of a short one does', () => {
    const platform = new Platform();
    platform.answers([user(env('noon'), 'read x')], calls('', [callId, '{}']));
    const later = [user(env('one'), 'read x'), calls('', [callId, '{}']), result(callId, 'r')];
    expect(platform.asks(later).kind).toBe('continue');
    const renamed = [user(env('one'), 'read x'), calls('', ['id-1', '{}']), result('id-1', 'r')];
    expect(platform.asks(renamed).kind).toBe('unclear');
  });

  it('a block that only moves says that the upstream has seen nothing else', () => {
    const platform = new Platform();
    platform.answers([user('one', env('constant'))], says('1'));
    expect(platform.asks([user('one'), says('1'), user('two', env('constant'))]).kind).toBe('continue');
    expect(platform.asks([user('one'), says('1'), user('two', env('other'))]).kind).toBe('unclear');
    expect(platform.asks([user('one'), says('1'), user('two')]).kind).toBe('unclear');
  });

  it('two conversations that differ only in what the history no longer shows: neither goes on', () => {
    const platform = new Platform();
    platform.answers([user('fix it', env('a.ts'))], says(long));
    const history = [user('fix it'), says(long), user('thanks')];
    expect(platform.asks(history).kind).toBe('continue');
    platform.answers([user('fix it', env('b.ts'))], says(long));
    expect(platform.asks(history).kind).toBe('unclear');
  });

  it('text beside calls: what the history does not show may be there, but not the other way round', () => {
    const withText = calls('Reading.', [callId, '{}']);
    const without = calls('', [callId, '{}']);
    const platform = new Platform();
    platform.answers([user('go')], withText);
    expect(platform.asks([user('go'), without, result(callId, 'r')]).kind).toBe('continue');
    const other = new Platform();
    other.answers([user('go')], without);
    expect(other.asks([user('go'), withText, result(callId, 'r')]).kind).toBe('diverged');
  });

  it('a plain reply without text beside its calls is not taken for one whose text was dropped', () => {
    const platform = new Platform();
    platform.answers([user('go')], calls('I look into the file of another.', ['call_1', '{}']));
    platform.answers([user('go')], calls('', ['call_2', '{}']));
    const history = [user('go'), calls('', ['call_2', '{}']), result('call_2', 'r')];
    expect(platform.asks(history)).toMatchObject({ kind: 'continue', point: { id: 'p2' } });
  });

  it('where the client says which conversation it is, that is enough', () => {
    const platform = new Platform();
    platform.answers([user('one', env('noon'))], says('1'), { identity: 'mine' });
    const history = [user('one'), says('1'), user('two', env('later'))];
    expect(platform.asks(history).kind).toBe('unclear');
    expect(platform.asks(history, { identity: 'mine' }).kind).toBe('continue');
  });
});

it('long histories are read in linear time, whatever their results answer', () => {
  const histories = (size: number) => {
    const numbers = Array.from({ length: size }, (_, number) => number);
    const strange = numbers.flatMap((number) => [
      user('go'),
      calls('', [`call_${number}`, '{}']),
      result(`x${number}`, 'r'),
    ]);
    const many = calls('', ...numbers.map((number): [string, string] => [`call_${number}`, '{}']));
    const answered = [user('go'), many, ...numbers.map((number) => result(`call_${number}`, 'r'))];
    expect(readHistory(strange, { salt: [] }).depth).toBe(size);
    expect(readHistory(answered, { salt: [] }).depth).toBe(1);
  };
  expect(growthOf(histories, sized(5000))).toBeLessThan(1.1);
});
