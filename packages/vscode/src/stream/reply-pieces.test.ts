import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  callItem,
  completed,
  type Event,
  event,
  messageItem,
  scriptedClient,
  streamed,
  written,
} from '../../test/scripted-server.ts';
import { ToolNames } from '../translate/tools.ts';
import { promisesCall } from './promised-call.ts';
import { type ReplyPiece, ReplyPieces } from './reply-pieces.ts';

// Replies as servers stream them, through the client, to what the chat shows.

const tools = ['read', 'a_b'].map((name) => ({ type: 'function' as const, name, parameters: { type: 'object' } }));

interface Read {
  readonly pieces: ReplyPiece[];
  readonly warnings: string[];
  readonly text: string;
  readonly error?: unknown;
}

/** `before`: ids of calls earlier in the conversation. */
async function readStream(stream: string, before: readonly string[] = []): Promise<Read> {
  const pieces: ReplyPiece[] = [];
  const warnings: string[] = [];
  const reply = new ReplyPieces({
    emit: (piece) => pieces.push(piece),
    names: new ToolNames(['read', 'a.b']),
    warn: (warning) => warnings.push(warning),
  });
  const textOf = () => pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
  const client = scriptedClient(
    () => streamed(stream),
    ({ level, message }) => {
      if (level === 'warn') warnings.push(message);
    },
  );
  try {
    const input = before.flatMap((id) => [
      { type: 'function_call', call_id: id, name: 'read', arguments: '{}' } as const,
      { type: 'function_call_output', call_id: id, output: '' } as const,
    ]);
    for await (const part of client.reply({ model: 'm', input, tools })) reply.push(part);
    reply.end();
  } catch (error) {
    return { pieces, warnings, text: textOf(), error };
  }
  return { pieces, warnings, text: textOf() };
}

const read = (events: readonly Event[], before: readonly string[] = []) => readStream(written(events), before);
const callsOf = ({ pieces }: Read) => pieces.filter((piece) => piece.kind === 'call');

const opened = event('output_item.added', {
  output_index: 0,
  item: { type: 'message', id: 'm1', role: 'assistant', content: [] },
});
const text = (delta: string, fields: object = {}) =>
  event('output_text.delta', { item_id: 'm1', output_index: 0, content_index: 0, delta, ...fields });
const added = (item: object, output_index = 0) => event('output_item.added', { output_index, item });
const done = (item: object, output_index = 0) => event('output_item.done', { output_index, item });
const args = (delta: string, fields: object = {}) =>
  event('function_call_arguments.delta', { item_id: 'f1', output_index: 0, delta, ...fields });
const begun = (fields: object = {}) => callItem({ arguments: '', status: 'in_progress', ...fields });
const call = { kind: 'call', callId: 'c1', name: 'read', input: { path: 'a' } };

describe('text', () => {
  it('C-051 C-066: is a piece for each delta, in order, white space and all', async () => {
    const { pieces } = await read([
      opened,
      ...['a', '\n', ' ', 'b'].map((delta) => text(delta)),
      completed([messageItem('a\n b')]),
    ]);
    expect(pieces.map((piece) => piece.kind === 'text' && piece.text)).toEqual(['a', '\n', ' ', 'b']);
  });

  it('C-052: that only the end holds comes once, and what was streamed never twice', async () => {
    expect((await read([completed([messageItem('hi')])])).text).toBe('hi');
    expect(
      (await read([opened, text('h'), text('i'), done(messageItem('hi')), completed([messageItem('hi')])])).text,
    ).toBe('hi');
  });

  it('C-061: links come after it, none twice', async () => {
    const link = (url: string) => ({ type: 'url_citation', url, title: `T ${url}`, start_index: 0, end_index: 4 });
    const item = messageItem('said', { annotations: [link('u1'), link('u1'), link('u2')] });
    expect((await read([opened, text('said'), done(item), completed([item])])).text).toBe(
      'said\n\nSources:\n- [T u1](u1)\n- [T u2](u2)',
    );
  });

  it('C-059: a refusal is marked once', async () => {
    const refusal = (delta: string) =>
      event('refusal.delta', { item_id: 'm1', output_index: 0, content_index: 0, delta });
    const whole = {
      type: 'message',
      id: 'm1',
      status: 'completed',
      content: [{ type: 'refusal', refusal: 'I will not.' }],
    };
    const events = [opened, refusal('I '), refusal('will '), refusal('not.'), done(whole), completed([whole])];
    expect((await read(events)).text).toBe('**The model refused:** I will not.');
  });
});

describe('calls', () => {
  it('C-053 C-055: leave once, with the name of the item and the arguments of all deltas', async () => {
    const deltas = ['{"pa', 'th"', ':"a', '"}'].map((delta) => args(delta));
    const whole = event('function_call_arguments.done', { item_id: 'f1', output_index: 0, arguments: '{"path":"a"}' });
    const all = await read([added(begun()), ...deltas, whole, done(callItem()), completed([callItem()])]);
    expect(callsOf(all)).toEqual([call]);
    expect(all.warnings).toEqual([]);
  });

  it('C-053: that are only in the response leave', async () => {
    expect(callsOf(await read([completed([callItem()])]))).toEqual([call]);
  });

  it('C-054: have an id of their own, also where the server counts from the start in every turn', async () => {
    const again = await read([completed([callItem()])], ['c1']);
    expect(callsOf(again)).toEqual([{ ...call, callId: 'c1_2' }]);
    expect(again.warnings).toHaveLength(1);
  });

  it('C-057: whose arguments come by turns are told apart', async () => {
    const second = { item_id: 'f2', output_index: 1 };
    const other = { id: 'f2', call_id: 'c2' };
    const items = [callItem(), callItem({ ...other, arguments: '{"path":"b"}' })];
    const all = await read([
      added(begun()),
      added(begun(other), 1),
      args('{"path":'),
      args('{"path"', second),
      args('"a"}'),
      args(':"b"}', second),
      ...items.map((item, index) => done(item, index)),
      completed(items),
    ]);
    expect(callsOf(all)).toEqual([call, { ...call, callId: 'c2', input: { path: 'b' } }]);
  });

  it.each([
    ['{"a":1', { a: 1 }],
    ['{"a":[1,{"b":2}', { a: [1, { b: 2 }] }],
    ['"{\\"a\\":1}"', { a: 1 }],
    ['{"content":"half of', {}],
    ['what?', {}],
  ])('C-056: whose arguments are no object and that the server calls whole are not lost: %s', async (told, input) => {
    const item = callItem({ arguments: told });
    const all = await read([added(begun()), args(told), done(item), completed([item])]);
    expect(callsOf(all)).toEqual([{ ...call, input }]);
    expect(all.warnings).not.toEqual([]);
  });

  it.each(['', 'null'])('C-056: without arguments have none: %j', async (told) => {
    const item = callItem({ arguments: told });
    expect(callsOf(await read([done(item), completed([item])]))).toEqual([{ ...call, input: {} }]);
  });

  it('C-058: that the output limit cut off do not run', async () => {
    const cut = callItem({ arguments: '{"path":"a', status: 'incomplete' });
    const response = { status: 'incomplete', output: [cut], incomplete_details: { reason: 'max_output_tokens' } };
    const all = await read([added(begun()), args('{"path":"a'), done(cut), event('incomplete', { response })]);
    expect(callsOf(all)).toEqual([]);
    expect(all.warnings).toHaveLength(1);
    expect(all.text).toContain('longest output');
  });

  it('C-058: that are open when the stream ends do not run, and the turn fails', async () => {
    const all = await readStream(written([added(begun()), args('{"path":"a"}')]).replace('data: [DONE]\n\n', ''));
    expect(callsOf(all)).toEqual([]);
    expect(all.error).toMatchObject({ code: 'stream_cut' });
  });

  it('C-038: come back under the name that VS Code knows', async () => {
    expect(callsOf(await read([completed([callItem({ name: 'a_b' })])]))).toMatchObject([{ name: 'a.b' }]);
  });

  it('C-070: keep their place between texts', async () => {
    const later = { ...messageItem('second'), id: 'm2' };
    const { pieces } = await read([
      opened,
      text('first '),
      done(messageItem('first ')),
      done(callItem(), 1),
      done(later, 2),
      completed([messageItem('first '), callItem(), later]),
    ]);
    expect(pieces.map((piece) => (piece.kind === 'text' ? piece.text : piece.kind))).toEqual([
      'first ',
      'call',
      'second',
    ]);
  });
});

describe('thoughts', () => {
  it.each(['reasoning.delta', 'reasoning_text.delta', 'reasoning_summary_text.delta'])(
    'C-060: of %s never be in the answer',
    async (type) => {
      const at = { item_id: 'r1', output_index: 0, content_index: 0, summary_index: 0 };
      const { pieces, text: said } = await read([
        added({ type: 'reasoning', id: 'r1', summary: [] }),
        event(type, { ...at, delta: 'Hm.' }),
        done({ type: 'reasoning', id: 'r1', summary: [] }),
        added({ type: 'message', id: 'm1', role: 'assistant', content: [] }, 1),
        text('Yes.', { output_index: 1 }),
        completed(),
      ]);
      expect(pieces[0]).toEqual({ kind: 'thinking', text: 'Hm.' });
      expect(said).toBe('Yes.');
    },
  );

  it('that only the server can read ride along for the next round', async () => {
    const item = { type: 'reasoning', id: 'r1', summary: [], encrypted_content: 'sealed' };
    const { pieces } = await read([done(item), completed([item, messageItem('x')])]);
    expect(pieces).toContainEqual({ kind: 'thinking', text: '', sealed: 'sealed' });
  });
});

describe('the end', () => {
  const incomplete = (reason: string) =>
    read([
      opened,
      text('so far'),
      event('incomplete', { response: { status: 'incomplete', incomplete_details: { reason }, output: [] } }),
    ]);

  it('C-062: of an incomplete answer says why and keeps the text', async () => {
    expect((await incomplete('max_output_tokens')).text).toMatch(/^so far\n\n.*longest output/);
    expect((await incomplete('content_filter')).text).toMatch(/^so far\n\n.*content filter/);
  });

  it.each([
    [event('failed', { response: { error: { code: 'server_error', message: 'Out of memory.' } } }), 'server_error'],
    [
      event('failed', { response: { error: { code: 'rate_limit_exceeded', message: 'Slow.' } } }),
      'rate_limit_exceeded',
    ],
    [
      { type: 'error', error: { type: 'too_many_requests', code: null, message: 'Busy.', param: null } },
      'too_many_requests',
    ],
    [event('failed', { response: { error: { code: 'odd', message: 'Odd.' } } }), 'odd'],
  ])('C-063: of a failed one is an error with its code: %j', async (failure, code) => {
    expect((await read([opened, text('a'), failure])).error).toMatchObject({ code });
  });

  it('C-064: of one that says nothing, or only thinks, says so', async () => {
    expect((await read([completed()])).text).toContain('answered with nothing');
    const usage = { input_tokens: 5, output_tokens: 7, total_tokens: 12 };
    const thought = event('reasoning.delta', { item_id: 'r1', output_index: 0, content_index: 0, delta: 'Hm.' });
    const events = [added({ type: 'reasoning', id: 'r1', summary: [] }), thought, completed([], { usage })];
    expect((await read(events)).text).toContain('thought (7 tokens)');
    expect((await read([completed([callItem()])])).text).toBe('');
  });

  it('C-067: needs no [DONE], but an event that ends the reply', async () => {
    const events = [opened, text('hi'), completed([messageItem('hi')])];
    const without = await readStream(written(events).replace('data: [DONE]\n\n', ''));
    expect(without).toEqual(await read(events));
    expect((await readStream(written([opened, text('half')]).replace('data: [DONE]\n\n', ''))).error).toMatchObject({
      code: 'stream_cut',
    });
  });

  it('C-050: events of unknown types show nothing', async () => {
    expect((await read([event('surprise', { delta: 'boo' }), opened, text('x'), completed()])).text).toBe('x');
  });
});

describe('whatever comes', () => {
  const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.constantFrom('f1', 'm1'));
  const item = fc.record(
    {
      type: fc.constantFrom('message', 'function_call', 'reasoning', 'other'),
      id: value,
      call_id: value,
      name: value,
      arguments: value,
    },
    { requiredKeys: [] },
  );
  const type = fc.constantFrom(
    'output_item.added',
    'output_item.done',
    'output_text.delta',
    'output_text.done',
    'refusal.delta',
    'reasoning.delta',
    'function_call_arguments.delta',
  );
  const fields = fc.record(
    { item_id: value, output_index: value, delta: value, text: value, item },
    { requiredKeys: [] },
  );
  const anyEvent = fc.tuple(type, fields).map(([name, rest]) => event(name, rest));

  test('C-064: an answer that ends says something, and the same call never twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEvent, { maxLength: 20 }), async (events) => {
        const all = await read([...events, completed()]);
        const ids = callsOf(all).map((each) => each.kind === 'call' && each.callId);
        expect(new Set(ids).size).toBe(ids.length);
        expect(all.error !== undefined || all.text.trim() !== '' || ids.length > 0).toBe(true);
      }),
    );
  });
});

describe('C-069: an announced call', () => {
  it.each(['I will now read the file.', 'Sure.\n\nLet me check the tests:', "Fine. I'll run it now…"])(
    'C-069: %s',
    (said) => expect(promisesCall(said)).toBe(true),
  );
  it.each(['The file has 3 lines.', 'Shall I? Let me know!', 'Should I run it, or will you check?', ''])(
    'is none: %s',
    (said) => expect(promisesCall(said)).toBe(false),
  );
});
