import type { PlatformFault, PlatformOptions } from '@dragoman/testkit';
import { sample } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { gatewayForTest } from './for-test.ts';
import { description, model, platformForTest, upstreamsFor } from './platform-setup.ts';
import { type Said, sdkAskers } from './sdk-askers.ts';

const timeouts = { connect: 1500, firstToken: 1500, idle: 1500 };

async function start(options: PlatformOptions) {
  const platform = await platformForTest(options);
  const conversation = { ...description, reply: { ...description.reply, error: 'error.message' } };
  const upstreams = upstreamsFor(platform, conversation, { timeouts });
  const gateway = await gatewayForTest({ config: { upstreams } });
  return { platform, gateway };
}

interface FaultCase {
  readonly name: string;
  readonly fault: PlatformFault;
  readonly status: number;
  readonly words: string;
  /** What the client is shown of the reply where it streams. */
  readonly shown: string;
}

const half = 'Only half of what I want';

const faults: readonly FaultCase[] = [
  { name: 'refuses with 500', fault: { status: 500 }, status: 502, words: 'Not now.', shown: '' },
  { name: 'refuses with 429', fault: { status: 429 }, status: 429, words: 'Not now.', shown: '' },
  { name: 'shows a page with status 200', fault: { page: 200 }, status: 400, words: 'text/html', shown: '' },
  { name: 'shows a page with status 502', fault: { page: 502 }, status: 502, words: '502', shown: '' },
  {
    name: 'refuses in a body with status 200',
    fault: { refuses: 'Come back tomorrow.' },
    status: 502,
    words: 'Come back tomorrow.',
    shown: '',
  },
  { name: 'never sends headers', fault: { silent: true }, status: 504, words: 'did not answer within', shown: '' },
  { name: 'stalls before the first word', fault: { stall: '' }, status: 504, words: 'wrote nothing within', shown: '' },
  { name: 'stalls in the reply', fault: { stall: half }, status: 504, words: 'silent', shown: half },
  { name: 'breaks the connection in the reply', fault: { cut: half }, status: 502, words: 'broke', shown: half },
  {
    name: 'reports an error in the reply',
    fault: { fails: 'The model fell asleep.', after: half },
    status: 502,
    words: 'The model fell asleep.',
    shown: half,
  },
];

/** Every API, streamed and whole, each in a conversation of its own. */
const clients = [...sdkAskers].flatMap(([name, ask]) =>
  [true, false].map((stream) => {
    const title = `${name}, ${stream ? 'streamed' : 'whole'}`;
    const first: readonly Said[] = [{ role: 'user', content: `hi by ${title}` }];
    const second: readonly Said[] = [
      ...first,
      { role: 'assistant', content: 'hello' },
      { role: 'user', content: 'go on' },
    ];
    return { title, ask, stream, first, second };
  }),
);

describe('a platform of which a client of each API hears that it', () => {
  it.each(sample(faults, 3))('A-229 A-230 $name; the next request works', async (each) => {
    let fault: PlatformFault | undefined;
    const { platform, gateway } = await start({
      answer: ({ before }) => fault ?? (before.length === 0 ? 'hello' : `whole, after ${before.length}`),
    });
    const place = { url: gateway.url, model };
    const all = (told: (client: (typeof clients)[number]) => Promise<void>) => Promise.all(clients.map(told));
    await all(async ({ title, ask, stream, first }) => {
      expect(await ask({ ...place, stream, history: first }), title).toEqual({ text: 'hello' });
    });
    fault = each.fault;
    await all(async ({ title, ask, stream, second }) => {
      const { text, error } = await ask({ ...place, stream, history: second });
      expect(text, title).toBe(stream ? each.shown : '');
      expect(error?.words, title).toContain(each.words);
      const isInStream = stream && each.shown !== '';
      if (!isInStream) expect(error?.status, title).toBe(each.status);
    });
    fault = undefined;
    await all(async ({ title, ask, stream, second }) => {
      expect(await ask({ ...place, stream, history: second }), title).toEqual({ text: 'whole, after 1' });
    });
    expect(platform.chats.size).toBe(clients.length);
  });
});

interface BeginningCase {
  readonly name: string;
  readonly fault: NonNullable<ReturnType<NonNullable<PlatformOptions['begins']>>>;
  readonly status: number;
  readonly words: string;
}

const badBeginnings: readonly BeginningCase[] = [
  { name: 'refuses with 500', fault: { status: 500 }, status: 502, words: 'Not now.' },
  { name: 'refuses with 403', fault: { status: 403 }, status: 400, words: "refused the gateway's key" },
  { name: 'shows a page with status 200', fault: { page: 200 }, status: 400, words: 'text/html' },
  { name: 'refuses in a body with status 200', fault: { refuses: 'No guests.' }, status: 502, words: 'No guests.' },
  { name: 'never sends headers', fault: { silent: true }, status: 504, words: 'did not answer within' },
];

describe('a conversation that a platform does not begin, because it', () => {
  it.each(sample(badBeginnings, 2))('A-229 $name: every API says so, and the next request begins one', async (each) => {
    let fault: BeginningCase['fault'] | undefined = each.fault;
    const { platform, gateway } = await start({ answer: () => 'hello', begins: () => fault });
    const place = { url: gateway.url, model };
    await Promise.all(
      clients.map(async ({ title, ask, stream, first }) => {
        const { text, error } = await ask({ ...place, stream, history: first });
        expect(text, title).toBe('');
        expect(error?.status, title).toBe(each.status);
        expect(error?.words, title).toContain(each.words);
      }),
    );
    expect(platform.chats.size).toBe(0);
    fault = undefined;
    const [{ ask, first } = expect.fail()] = clients;
    expect(await ask({ ...place, stream: true, history: first })).toEqual({ text: 'hello' });
  });

  it('takes its time: the client gets its answer all the same', async () => {
    const { gateway } = await start({ answer: () => 'hello', begins: () => ({ late: 500, reply: '' }) });
    const place = { url: gateway.url, model };
    for (const { title, ask, stream, first } of clients) {
      expect(await ask({ ...place, stream, history: first }), title).toEqual({ text: 'hello' });
    }
  });

  it('gives the id of another conversation: nobody hears what is said there', async () => {
    const { platform, gateway } = await start({
      answer: ({ text, before }) => `heard ${[...before.map((turn) => turn.text), text].join('; ')}`,
      begins: (count) => (count === 2 ? { id: 'chat-1' } : undefined),
    });
    const [{ ask } = expect.fail()] = clients;
    const say = (content: string) =>
      ask({ url: gateway.url, model, stream: true, history: [{ role: 'user', content }] });
    expect(await say('my secret')).toEqual({ text: 'heard my secret' });
    expect(await say('what do you know?')).toEqual({ text: 'heard what do you know?' });
    expect([...platform.chats.values()].map((turns) => turns.length)).toEqual([1, 1]);
  });
});
