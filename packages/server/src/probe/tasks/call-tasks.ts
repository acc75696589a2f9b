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
  tasksOf,
  text,
  tool,
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
  ...tasksOf({ group: 'one call', tools: homeTools }, [
    {
      id: 'one-timer',
      title: 'sets a timer',
      ask: 'Set a timer for 25 minutes.',
      judge: callsExactly({ name: 'set_timer', arguments: { minutes: 25 } }),
    },
    {
      id: 'one-city',
      title: 'asks for the weather',
      ask: 'Tell me the weather in the city Lima.',
      judge: callsExactly({ name: 'city_weather', arguments: { city: oneOf('Lima') } }),
    },
    {
      id: 'one-mail',
      title: 'sends a mail',
      ask: 'Send a mail to Peter that says good morning.',
      stream: false,
      judge: callsExactly({
        name: 'send_mail',
        arguments: { to: holding('Peter'), body: holding('good morning') },
      }),
    },
    {
      id: 'one-note',
      title: 'opens a file',
      ask: 'Open the file notes.txt.',
      judge: callsExactly({ name: 'open_file', arguments: { path: path('notes.txt') } }),
    },
    {
      id: 'one-timer-plain',
      title: 'sets a timer that is not asked for by its name',
      ask: 'The eggs need 8 minutes, tell me when they are done.',
      judge: callsExactly({ name: 'set_timer', arguments: { minutes: 8 } }),
    },
  ]),
  ...tasksOf({ group: 'no call', tools: homeTools }, [
    {
      id: 'none-hello',
      title: 'is greeted',
      ask: 'Hello, how are you?',
      judge: callsNothing,
    },
    {
      id: 'none-sum',
      title: 'adds two numbers',
      ask: 'What is two plus two?',
      judge: callsNothing,
    },
    {
      id: 'none-sky',
      title: 'says what everybody sees',
      ask: 'What colour has the sky?',
      stream: false,
      judge: callsNothing,
    },
  ]),
];

export const callTasks: readonly ProbeTask[] = [
  ...tasksOf({ group: 'one call' }, [
    {
      id: 'one-file',
      title: 'reads a file, with one tool',
      tools: [readFile],
      ask: 'Read the file src/app.ts and tell me what it does.',
      judge: callsExactly({ name: 'read_file', arguments: { path: path('src/app.ts') } }),
    },
    {
      id: 'one-of-five',
      title: 'chooses the right one of five tools',
      tools: fileTools,
      ask: 'Which files are in the folder docs/guides?',
      judge: callsExactly({ name: 'list_files', arguments: { folder: (value) => folder(value, 'docs/guides') } }),
    },
    {
      id: 'one-whole',
      title: 'asks for the weather, in an answer that is not streamed',
      tools: [getWeather, search],
      ask: 'What is the weather in Lisbon right now? In celsius, please.',
      stream: false,
      judge: callsExactly({ name: 'get_weather', arguments: { city: oneOf('Lisbon', 'Lisboa'), unit: 'celsius' } }),
    },
    {
      id: 'one-without-arguments',
      title: 'calls a tool that has no parameters',
      tools: [tool('current_time', 'Tells the date and time right now.'), readFile],
      ask: 'What time is it now?',
      stream: false,
      judge: callsExactly({ name: 'current_time', arguments: {} }),
    },
  ]),
  ...tasksOf({ group: 'several calls' }, [
    {
      id: 'two-files',
      title: 'reads two files in one reply',
      tools: [readFile, writeFile],
      ask: 'Read both src/server.ts and src/client.ts. Make both calls at once, in one reply, before you say anything else.',
      judge: callsExactly(
        { name: 'read_file', arguments: { path: path('src/server.ts') } },
        { name: 'read_file', arguments: { path: path('src/client.ts') } },
      ),
    },
    {
      id: 'three-cities',
      title: 'asks for three cities in one reply that is not streamed',
      tools: [getWeather],
      ask: 'Compare the weather in Oslo, Rome and Cairo, in celsius. Ask for all three cities at once, in one reply.',
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
      title: 'calls two different tools in one reply',
      tools: fileTools,
      ask: 'Do two things at once, in one reply: list the files in the folder src, and read the file package.json.',
      judge: callsExactly(
        { name: 'list_files', arguments: { folder: (value) => folder(value, 'src') } },
        { name: 'read_file', arguments: { path: path('package.json') } },
      ),
    },
  ]),
  ...tasksOf({ group: 'no call' }, [
    {
      id: 'none-known',
      title: 'answers what every model knows',
      tools: fileTools,
      ask: 'What is the capital of France? Answer with one word.',
      judge: every(callsNothing, knows('Paris')),
    },
    {
      id: 'none-thanks',
      title: 'says goodbye',
      tools: [readFile, runCommand],
      ask: 'Thank you, that was all for today. Goodbye!',
      judge: callsNothing,
    },
    {
      id: 'none-about-tools',
      title: 'explains a tool instead of calling it',
      tools: [search, listFiles],
      ask: 'Explain in one sentence what your tool named search does. Do not call any tool.',
      stream: false,
      judge: callsNothing,
    },
  ]),
  ...tasksOf({ group: 'forced' }, [
    {
      id: 'forced-any',
      title: 'has to call some tool (`required`)',
      tools: [readFile, listFiles, search],
      ask: 'I am new to this project. What is it about?',
      toolChoice: 'required',
      judge: callsAny('read_file', 'list_files', 'search'),
    },
    {
      id: 'forced-named',
      title: 'has to call the tool that is named',
      tools: [readFile, listFiles, search],
      ask: 'Hello! Where are the tests of this project?',
      toolChoice: { name: 'search' },
      stream: false,
      judge: callsAny('search'),
    },
    {
      id: 'forced-none',
      title: 'must not call (`none`)',
      tools: [readFile, listFiles],
      ask: 'How would you find out what is in README.md? Say it in one sentence.',
      toolChoice: 'none',
      judge: every(callsNothing, keepsBack(['tool_call', 'function_call', '"arguments"'], 'It wrote a call as text.')),
    },
  ]),
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
