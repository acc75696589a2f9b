// Table: tasks about which calls are made, and whether.

import { callsAny, callsExactly, callsNothing, every, holding, keepsBack, oneOf, path, says } from '../judges.ts';
import type { ProbeTask } from '../task.ts';
import {
  fileTools,
  getWeather,
  listFiles,
  readFile,
  runCommand,
  search,
  text,
  tool,
  user,
  writeFile,
} from './parts.ts';

const homeTools = [
  tool('city_weather', 'Tells the weather in a city.', { properties: { city: text('The name of the city.') } }),
  tool('set_timer', 'Sets a timer.', {
    properties: { minutes: { type: 'integer', description: 'How many minutes.' } },
  }),
  tool('send_mail', 'Sends a mail.', { properties: { to: text('The person.'), body: text('What it says.') } }),
  tool('open_file', 'Opens a file.', { properties: { path: text('The path of the file.') } }),
].map((each) => ({ ...each, inputSchema: { ...Object(each.inputSchema), additionalProperties: false } }));

/** What a small model may get right, too: what is to be said stands in the question. */
export const plainTasks: readonly ProbeTask[] = [
  {
    id: 'one-timer',
    group: 'one call',
    title: 'sets a timer',
    tools: homeTools,
    messages: [user('Set a timer for 25 minutes.')],
    stream: true,
    judge: callsExactly({ name: 'set_timer', arguments: { minutes: 25 } }),
  },
  {
    id: 'one-city',
    group: 'one call',
    title: 'asks for the weather',
    tools: homeTools,
    messages: [user('Tell me the weather in the city Lima.')],
    stream: true,
    judge: callsExactly({ name: 'city_weather', arguments: { city: oneOf('Lima') } }),
  },
  {
    id: 'one-mail',
    group: 'one call',
    title: 'sends a mail',
    tools: homeTools,
    messages: [user('Send a mail to Peter that says good morning.')],
    stream: false,
    judge: callsExactly({
      name: 'send_mail',
      arguments: { to: holding('Peter'), body: holding('good morning') },
    }),
  },
  {
    id: 'one-note',
    group: 'one call',
    title: 'opens a file',
    tools: homeTools,
    messages: [user('Open the file notes.txt.')],
    stream: true,
    judge: callsExactly({ name: 'open_file', arguments: { path: path('notes.txt') } }),
  },
  {
    id: 'one-timer-plain',
    group: 'one call',
    title: 'sets a timer that is not asked for by its name',
    tools: homeTools,
    messages: [user('The eggs need 8 minutes, tell me when they are done.')],
    stream: true,
    judge: callsExactly({ name: 'set_timer', arguments: { minutes: 8 } }),
  },
  {
    id: 'none-hello',
    group: 'no call',
    title: 'is greeted',
    tools: homeTools,
    messages: [user('Hello, how are you?')],
    stream: true,
    judge: callsNothing,
  },
  {
    id: 'none-sum',
    group: 'no call',
    title: 'adds two numbers',
    tools: homeTools,
    messages: [user('What is two plus two?')],
    stream: true,
    judge: callsNothing,
  },
  {
    id: 'none-sky',
    group: 'no call',
    title: 'says what everybody sees',
    tools: homeTools,
    messages: [user('What colour has the sky?')],
    stream: false,
    judge: callsNothing,
  },
];

export const callTasks: readonly ProbeTask[] = [
  {
    id: 'one-file',
    group: 'one call',
    title: 'reads a file, with one tool',
    tools: [readFile],
    messages: [user('Read the file src/app.ts and tell me what it does.')],
    stream: true,
    judge: callsExactly({ name: 'read_file', arguments: { path: path('src/app.ts') } }),
  },
  {
    id: 'one-of-five',
    group: 'one call',
    title: 'chooses the right one of five tools',
    tools: fileTools,
    messages: [user('Which files are in the folder docs/guides?')],
    stream: true,
    judge: callsExactly({ name: 'list_files', arguments: { folder: (value) => folder(value, 'docs/guides') } }),
  },
  {
    id: 'one-whole',
    group: 'one call',
    title: 'asks for the weather, in an answer that is not streamed',
    tools: [getWeather, search],
    messages: [user('What is the weather in Lisbon right now? In celsius, please.')],
    stream: false,
    judge: callsExactly({ name: 'get_weather', arguments: { city: oneOf('Lisbon', 'Lisboa'), unit: 'celsius' } }),
  },
  {
    id: 'one-without-arguments',
    group: 'one call',
    title: 'calls a tool that has no parameters',
    tools: [tool('current_time', 'Tells the date and time right now.'), readFile],
    messages: [user('What time is it now?')],
    stream: false,
    judge: callsExactly({ name: 'current_time', arguments: {} }),
  },
  {
    id: 'two-files',
    group: 'several calls',
    title: 'reads two files in one reply',
    tools: [readFile, writeFile],
    messages: [
      user(
        'Read both src/server.ts and src/client.ts. Make both calls at once, in one reply, before you say anything else.',
      ),
    ],
    stream: true,
    judge: callsExactly(
      { name: 'read_file', arguments: { path: path('src/server.ts') } },
      { name: 'read_file', arguments: { path: path('src/client.ts') } },
    ),
  },
  {
    id: 'three-cities',
    group: 'several calls',
    title: 'asks for three cities in one reply that is not streamed',
    tools: [getWeather],
    messages: [
      user('Compare the weather in Oslo, Rome and Cairo, in celsius. Ask for all three cities at once, in one reply.'),
    ],
    stream: false,
    judge: callsExactly(
      ...['Oslo', 'Rome', 'Cairo'].map((city) => ({
        name: 'get_weather',
        arguments: { city: oneOf(city), unit: 'celsius' },
      })),
    ),
  },
  {
    id: 'two-tools',
    group: 'several calls',
    title: 'calls two different tools in one reply',
    tools: fileTools,
    messages: [
      user('Do two things at once, in one reply: list the files in the folder src, and read the file package.json.'),
    ],
    stream: true,
    judge: callsExactly(
      { name: 'list_files', arguments: { folder: (value) => folder(value, 'src') } },
      { name: 'read_file', arguments: { path: path('package.json') } },
    ),
  },
  {
    id: 'none-known',
    group: 'no call',
    title: 'answers what every model knows',
    tools: fileTools,
    messages: [user('What is the capital of France? Answer with one word.')],
    stream: true,
    judge: every(callsNothing, knows('Paris')),
  },
  {
    id: 'none-thanks',
    group: 'no call',
    title: 'says goodbye',
    tools: [readFile, runCommand],
    messages: [user('Thank you, that was all for today. Goodbye!')],
    stream: true,
    judge: callsNothing,
  },
  {
    id: 'none-about-tools',
    group: 'no call',
    title: 'explains a tool instead of calling it',
    tools: [search, listFiles],
    messages: [user('Explain in one sentence what your tool named search does. Do not call any tool.')],
    stream: false,
    judge: callsNothing,
  },
  {
    id: 'forced-any',
    group: 'forced',
    title: 'has to call some tool (`required`)',
    tools: [readFile, listFiles, search],
    messages: [user('I am new to this project. What is it about?')],
    toolChoice: 'required',
    stream: true,
    judge: callsAny('read_file', 'list_files', 'search'),
  },
  {
    id: 'forced-named',
    group: 'forced',
    title: 'has to call the tool that is named',
    tools: [readFile, listFiles, search],
    messages: [user('Hello! Where are the tests of this project?')],
    toolChoice: { name: 'search' },
    stream: false,
    judge: callsAny('search'),
  },
  {
    id: 'forced-none',
    group: 'forced',
    title: 'must not call (`none`)',
    tools: [readFile, listFiles],
    messages: [user('How would you find out what is in README.md? Say it in one sentence.')],
    toolChoice: 'none',
    stream: true,
    judge: every(callsNothing, keepsBack(['tool_call', 'function_call', '"arguments"'], 'It wrote a call as text.')),
  },
];

function knows(word: string) {
  const said = says(word);
  return (replies: Parameters<typeof said>[0]) => {
    const decision = said(replies);
    return decision.ok ? decision : { ok: false as const, why: `It did not answer ${JSON.stringify(word)}.` };
  };
}

/** A folder: with or without `./` in front and `/` after. */
function folder(value: unknown, wanted: string): string | undefined {
  const trimmed = typeof value === 'string' && value.endsWith('/') ? value.slice(0, -1) : value;
  return path(wanted)(trimmed);
}
