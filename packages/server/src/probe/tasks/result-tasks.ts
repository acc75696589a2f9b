// Table: tasks about what comes back from tools.

import {
  argumentsOf,
  callsExactly,
  callsNothing,
  either,
  every,
  keepsBack,
  path,
  reply,
  says,
  saysOneOf,
} from '../judges.ts';
import type { ProbeTask, ToldCall } from '../task.ts';
import { fileTools, readFile, round, runCommand, search, tasksOf, user, writeFile } from './parts.ts';

/** A project with these files, which can be read and written. */
function projectOf(files: Readonly<Record<string, string>>): (call: ToldCall) => string {
  const wordsOf = (value: unknown) => (typeof value === 'string' ? value : '');
  return (call) => {
    const values = argumentsOf(call) ?? {};
    const file = wordsOf(values.path);
    const name = file.startsWith('./') ? file.slice(2) : file;
    if (call.name === writeFile.name) return 'Written.';
    if (call.name !== readFile.name) return 'Error: this tool is switched off.';
    return files[name] ?? `Error: there is no file ${JSON.stringify(file)}.`;
  };
}

export const resultTasks: readonly ProbeTask[] = [
  ...tasksOf({ group: 'results' }, [
    {
      id: 'result-number',
      title: 'says a number that only the result has',
      tools: [runCommand, readFile],
      messages: [
        user('How many lines has data/log.txt? Give me the number.'),
        ...round({ name: 'run_command', arguments: { command: 'wc -l data/log.txt' }, result: '48213 data/log.txt' }),
      ],
      judge: every(says('48213'), callsNothing),
    },
    {
      id: 'result-of-two',
      title: 'compares two results',
      tools: [runCommand, readFile],
      messages: [
        user('Which of a.log and b.log has more lines? Answer with its name and its number of lines.'),
        ...round(
          { name: 'run_command', arguments: { command: 'wc -l a.log' }, result: '7310 a.log' },
          { name: 'run_command', arguments: { command: 'wc -l b.log' }, result: '9127 b.log' },
        ),
      ],
      stream: false,
      judge: every(says('b.log', '9127'), callsNothing),
    },
    {
      id: 'error-again',
      title: 'tries again where the error says how, or reports it',
      tools: fileTools,
      messages: [
        user('Read the file Readme.md and sum it up.'),
        ...round({
          name: 'read_file',
          arguments: { path: 'Readme.md' },
          result: 'Error: there is no file "Readme.md". There is "README.md".',
          failed: true,
        }),
      ],
      judge: either(
        every(callsNothing, saysOneOf(['README.md'], 'It neither tried again nor reported the error.')),
        callsExactly({ name: 'read_file', arguments: { path: path('README.md') } }),
      ),
    },
    {
      id: 'error-told',
      title: 'reports an error instead of making up what was not read',
      tools: [readFile],
      messages: [
        user('At which port does the server in server.conf listen?'),
        ...round({
          name: 'read_file',
          arguments: { path: 'server.conf' },
          result: 'Error: permission denied. This file cannot be read by anybody.',
          failed: true,
        }),
      ],
      judge: every(
        callsNothing,
        keepsBack(['8080', '8443', '3000', '443', '80 '], 'It made up a port that no result holds.'),
        saysOneOf(
          [
            'permission',
            'denied',
            'not read',
            'unable',
            'cannot',
            "can't",
            'could not',
            "couldn't",
            'not able',
            'error',
            'access',
          ],
          'It did not say that the file could not be read.',
        ),
      ),
    },
    {
      id: 'two-rounds',
      title: 'follows a file to another one, in three replies',
      tools: [readFile, search],
      ask: 'The file start.txt names another file. Read both, one after the other, and tell me the code in the second one.',
      world: projectOf({ 'start.txt': 'The code is in data/blue.txt', 'data/blue.txt': 'code: 90317' }),
      judge: every(
        reply(0, callsExactly({ name: 'read_file', arguments: { path: path('start.txt') } })),
        reply(1, callsExactly({ name: 'read_file', arguments: { path: path('data/blue.txt') } })),
        says('90317'),
      ),
    },
    {
      id: 'read-then-write',
      title: 'writes what it has read, in capital letters',
      tools: [readFile, writeFile],
      ask: 'Read motto.txt, then write the same words in capital letters into the file loud.txt.',
      world: (call) => (call.name === writeFile.name ? undefined : projectOf({ 'motto.txt': 'slow is smooth' })(call)),
      stream: false,
      judge: every(
        reply(0, callsExactly({ name: 'read_file', arguments: { path: path('motto.txt') } })),
        callsExactly({ name: 'write_file', arguments: { path: path('loud.txt'), content: loud } }),
      ),
    },
  ]),
];

function loud(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() === 'SLOW IS SMOOTH' ? undefined : 'is not "SLOW IS SMOOTH"';
}
