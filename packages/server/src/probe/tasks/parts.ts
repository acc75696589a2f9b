import type { JsonSchema, Message, ToolDefinition } from '@dragoman/core';
import type { ProbeTask } from '../task.ts';

type Schema = Exclude<JsonSchema, boolean>;

type WrittenTask = Pick<ProbeTask, 'id' | 'title' | 'judge'> &
  Partial<ProbeTask> & {
    /** What the user says, where that is the whole conversation. */
    readonly ask?: string;
  };

/** The tasks of a group; the answers are streamed, unless a task says otherwise. */
export function tasksOf(
  { group, tools = [] }: Pick<ProbeTask, 'group'> & Partial<Pick<ProbeTask, 'tools'>>,
  tasks: readonly WrittenTask[],
): readonly ProbeTask[] {
  return tasks.map(({ ask = '', ...task }) => ({ group, tools, stream: true, messages: [user(ask)], ...task }));
}

/** A tool whose parameters are all required, unless `optional` names them. */
export function tool(
  name: string,
  description: string,
  { properties = {}, optional = [] }: { readonly properties?: Schema; readonly optional?: readonly string[] } = {},
): ToolDefinition {
  const required = Object.keys(properties).filter((each) => !optional.includes(each));
  return { name, description, inputSchema: { type: 'object', properties, required } };
}

/** A text parameter. */
export const text = (description: string): Schema => ({ type: 'string', description });

export const system = (words: string): Message => ({ role: 'system', content: [{ type: 'text', text: words }] });
export const user = (words: string): Message => ({ role: 'user', content: [{ type: 'text', text: words }] });

/** Calls of the past with their results. */
export function round(
  ...calls: readonly {
    readonly name: string;
    readonly arguments: object;
    readonly result: string;
    readonly failed?: true;
  }[]
): readonly Message[] {
  const ids = calls.map((_, at) => `call_probe${at + 1}`);
  return [
    {
      role: 'assistant',
      content: calls.map(({ name, arguments: values }, at) => ({
        type: 'tool-call',
        callId: ids[at] ?? '',
        name,
        arguments: JSON.stringify(values),
      })),
    },
    ...calls.map(
      ({ name, result, failed }, at): Message => ({
        role: 'tool',
        callId: ids[at] ?? '',
        name,
        content: [{ type: 'text', text: result }],
        status: failed === true ? 'error' : 'ok',
      }),
    ),
  ];
}

export const readFile = tool('read_file', 'Reads a file of the project and returns its text.', {
  properties: { path: text('The path of the file, from the root of the project.') },
});

export const writeFile = tool('write_file', 'Writes a file of the project. What the file held before is lost.', {
  properties: {
    path: text('The path of the file, from the root of the project.'),
    content: text('The whole new text of the file.'),
  },
});

export const listFiles = tool('list_files', 'Lists the files in a folder of the project.', {
  properties: { folder: text('The folder, from the root of the project.') },
});

export const search = tool('search', 'Finds lines that hold a text in the files of the project.', {
  properties: {
    query: text('The text to look for.'),
    folder: text('Look only in this folder. Default: everywhere.'),
    limit: { type: 'integer', description: 'Return at most so many lines. Default: all.' },
    ignoreCase: { type: 'boolean', description: 'Whether upper and lower case are the same. Default: false.' },
  },
  optional: ['folder', 'limit', 'ignoreCase'],
});

export const runCommand = tool('run_command', 'Runs a command in the shell and returns what it prints.', {
  properties: { command: text('The command line.') },
});

export const getWeather = tool('get_weather', 'Tells the weather in a city right now.', {
  properties: {
    city: text('The name of the city.'),
    unit: { type: 'string', enum: ['celsius', 'fahrenheit'], description: 'The unit of the temperature.' },
  },
});

/** What an agent that works on files has. */
export const fileTools = [readFile, writeFile, listFiles, search, runCommand];
