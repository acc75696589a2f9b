// Table: what a model that makes no mistake says to each task.

import { diff, html, json, longFile, python } from '../../src/probe/tasks/argument-tasks.ts';

export interface Said {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: object }[];
  /** It came to the limit of its tokens. */
  readonly isCut?: true;
  /** Before anything else. */
  readonly thought?: string;
}

const call = (name: string, values: object) => ({ name, arguments: values });
const calls = (...all: readonly ReturnType<typeof call>[]): Said => ({ calls: all });
const read = (path: string) => call('read_file', { path });
const write = (path: string, content: string) => calls(call('write_file', { path, content }));

/** The right answer to a prompt of a task, which shows how far the task is. */
export const rightAnswers: Readonly<Record<string, Said | ((prompt: string) => Said)>> = {
  'one-timer': calls(call('set_timer', { minutes: 25 })),
  'one-city': calls(call('city_weather', { city: 'Lima' })),
  'one-mail': calls(call('send_mail', { to: 'Peter', body: 'Good morning!' })),
  'one-note': calls(call('open_file', { path: 'notes.txt' })),
  'one-timer-plain': calls(call('set_timer', { minutes: 8 })),
  'none-hello': { text: 'Well.' },
  'none-sum': { text: 'Four.' },
  'none-sky': { text: 'Blue.' },
  'one-file': calls(read('src/app.ts')),
  'one-of-five': calls(call('list_files', { folder: './docs/guides/' })),
  'one-whole': calls(call('get_weather', { city: 'Lisbon', unit: 'celsius' })),
  'one-without-arguments': calls(call('current_time', {})),
  'two-files': calls(read('src/server.ts'), read('./src/client.ts')),
  'three-cities': calls(...['Oslo', 'Rome', 'Cairo'].map((city) => call('get_weather', { city, unit: 'celsius' }))),
  'two-tools': calls(call('list_files', { folder: 'src' }), read('package.json')),
  'none-known': { text: 'Paris.' },
  'none-thanks': { text: 'Goodbye!' },
  'none-about-tools': { text: 'It finds lines that hold a text.' },
  'forced-any': calls(call('list_files', { folder: '.' })),
  'forced-named': calls(call('search', { query: 'test' })),
  'forced-none': { text: 'I would read the file with my tool for that.' },
  'typed-numbers': calls(call('set_alarm', { hour: 6, minute: 45, volume: 0.3, repeat: true })),
  'typed-null': calls(call('update_ticket', { number: 4711, assignee: null })),
  'typed-enum': calls(call('update_ticket', { number: 812, priority: 'P1' })),
  'typed-objects': calls(
    call('create_order', {
      customer: 'Miller',
      items: [
        { article: 'A-17', quantity: 3 },
        { article: 'B-2', quantity: 12 },
        { article: 'C-300', quantity: 1 },
      ],
    }),
  ),
  'typed-nested': calls(
    call('create_event', {
      title: 'Review',
      place: { city: 'Vienna', room: { floor: 4, name: 'Klimt' } },
      guests: ['Ada', 'Grace', 'Linus'],
    }),
  ),
  'typed-optional': calls(call('search', { query: 'TODO' })),
  'code-python': write('greet.py', python),
  'code-diff': calls(call('apply_patch', { patch: diff })),
  'code-json': write('config.json', JSON.stringify(json)),
  'code-markup': write('index.html', html),
  'code-command': calls(call('run_command', { command: `grep -rn "it's here" --include='*.ts' src | wc -l` })),
  'code-long': write('items.csv', longFile),
  'result-number': { text: 'It has 48,213 lines.' },
  'result-of-two': { text: 'b.log, with 9127 lines.' },
  'error-again': calls(read('README.md')),
  'error-told': { text: 'I cannot tell: the permission to read it was denied.' },
  'two-rounds': (prompt) => {
    if (prompt.includes('90317')) return { text: 'The code is 90317.' };
    return calls(read(prompt.includes('data/blue.txt') ? 'data/blue.txt' : 'start.txt'));
  },
  'read-then-write': (prompt) =>
    prompt.includes('slow is smooth') ? write('loud.txt', 'SLOW IS SMOOTH') : calls(read('motto.txt')),
  'tools-20': calls(call('archive_playlist', { name: 'Summer' })),
  'tools-60': calls(call('share_dashboard', { name: 'Sales', reason: 'You asked for it.' })),
  'tools-60-whole': calls(call('archive_device', { name: 'Lamp' }), call('close_survey', { name: 'Lunch' })),
  'long-4k': write('out/amber/short.txt', 'done'),
  'long-8k': write('out/amber/middle.txt', 'done\n'),
  'long-16k': write('out/amber/long.txt', 'done'),
};
