// Table: tasks about which calls are made, and whether.

import { callsAny, callsExactly, callsNothing, every, keepsBack, oneOf, path, says } from '../judges.ts';
import type { ProbeTask } from '../task.ts';
import { fileTools, getWeather, listFiles, readFile, runCommand, search, tool, user, writeFile } from './parts.ts';

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
