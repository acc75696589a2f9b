import { chatStream, type ScriptedReply, type SeenRequest } from '@dragoman/testkit';
import { at } from '../servers/ask.ts';

/** What a person asks for that `taskModel` does. */
export const task =
  'Create main.js and lib.js, which say what 40 and 2 add up to. Run main.js, and repair what is wrong.';

/** What is in the files when the task is done. */
export const doneFiles = {
  'main.js': "const { sum } = require('./lib.js');\nconsole.log('The sum is ' + sum(40, 2) + '.');\n",
  'lib.js': 'exports.sum = (a, b) => a + b;\n',
};

/** Prompt and completion tokens that the model counts in each round; the last round's are what a context meter shows. */
const taskUsage = (round: number) => ({ prompt: 20_000 + 1000 * round, completion: 50 });

const wrong = 'exports.sum = (a, b) => a + c;\n';

/**
 * A model that knows nothing of tools: it does the task in five rounds, each a reply in plain text. It goes on only when
 * it reads what the calls of the round before have done, and else says what it misses.
 */
export function taskModel({ body }: SeenRequest): ScriptedReply {
  const messages = listOf(at(body, 'messages')).map((message) => ({
    role: at(message, 'role'),
    text: String(at(message, 'content')),
  }));
  const round = messages.filter(({ role }) => role === 'assistant').length;
  const read = messages.at(-1)?.text ?? '';
  const folder = folderIn(messages.map(({ text }) => text).join('\n'));
  const inFolder = (name: string) => `${folder}/${name}`;
  const run = call('run_in_terminal', {
    ...{ command: 'node main.js', explanation: 'Runs it.', goal: 'See what it says', mode: 'sync', timeout: 20_000 },
  });
  const rounds = [
    {
      sees: task,
      writes: `I create both files.\n${call('create_file', { filePath: inFolder('main.js'), content: doneFiles['main.js'] })}
${call('create_file', { filePath: inFolder('lib.js'), content: wrong })}`,
    },
    { sees: inFolder('lib.js'), writes: `Now I run it.\n${run}` },
    {
      sees: 'ReferenceError: c is not defined',
      writes: `There is no c.\n${call('replace_string_in_file', {
        filePath: inFolder('lib.js'),
        oldString: wrong,
        newString: doneFiles['lib.js'],
      })}`,
    },
    { sees: inFolder('lib.js'), writes: `I run it again.\n${run}` },
    { sees: 'The sum is 42.', writes: 'Both files are there, and they say 42.' },
  ];
  const now = rounds[round];
  const text = now !== undefined && read.includes(now.sees) ? now.writes : `I miss ${now?.sees} in ${read}`;
  return chatStream(text, { pieces: 12, usage: taskUsage(round) });
}

/** A model that knows nothing of tools either: it creates `hello.txt` and says so. */
export function creatingModel({ body }: SeenRequest): ScriptedReply {
  const texts = listOf(at(body, 'messages')).map((message) => String(at(message, 'content')));
  const filePath = `${folderIn(texts.join('\n'))}/hello.txt`;
  const isDone = listOf(at(body, 'messages')).some((message) => at(message, 'role') === 'assistant');
  const text = isDone ? 'It is there.' : call('create_file', { filePath, content: 'hello\n' });
  return chatStream(text, { usage: taskUsage(isDone ? 1 : 0) });
}

/** A call as models write it that were trained on Hermes. */
function call(name: string, values: object): string {
  return `<tool_call>\n${JSON.stringify({ name, arguments: values })}\n</tool_call>`;
}

/** Copilot Chat tells models of the folder that is open. */
function folderIn(prompt: string): string {
  return /folders:\n- (\S+)/.exec(prompt)?.[1] ?? '';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
