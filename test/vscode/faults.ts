import { chatFrames, chatStream, errorReply, type ScriptedReply, type SeenRequest, type Step } from '@dragoman/testkit';
import { begun, type Shown } from './open-window.ts';
import { task, taskModel } from './task-model.ts';

/** The models there are: one that answers, one with a small window, and one whose server stops when it has listed it. */
export type FaultyModel = 'text' | 'small' | 'gone';

/** Something that goes wrong between VS Code and a model's server. */
export interface Fault {
  /** In the words of the table that people read. */
  readonly what: string;
  readonly model: FaultyModel;
  readonly asked: string;
  /** What the server of Chat Completions answers. `isShown` says whether the view shows the first words by now. */
  readonly reply: (request: SeenRequest, isShown: () => boolean) => ScriptedReply;
}

/** As servers answer. */
export const faults: readonly Fault[] = [
  { what: 'The model writes its tool calls as text', model: 'text', asked: task, reply: taskModel },
  fails('The server refuses the key (401)', errorReply(401, 'Incorrect API key provided.')),
  fails('Too many requests (429)', errorReply(429, 'Rate limit reached for requests.', { 'retry-after': '20' })),
  fails('The server is overloaded (503)', errorReply(503, 'The model is overloaded.')),
  fails('The server lost the model (404)', errorReply(404, 'The model "text" does not exist.')),
  fails(
    'The prompt is too long for the server (400)',
    errorReply(
      400,
      "This model's maximum context length is 16384 tokens. However, your messages resulted in 17020 tokens.",
    ),
  ),
  { ...fails('The server has stopped', chatStream('Hello.')), model: 'gone' },
  breaksOff('The answer is cut', { cut: true }),
  breaksOff('An error comes within the answer', {
    text: 'data: {"error":{"message":"CUDA out of memory.","type":"server_error","code":500}}\n\n',
  }),
  fails('The answer is empty', chatStream('')),
  { ...fails('A window of 8,192 tokens, in agent mode', chatStream('Hello.')), model: 'small' },
];

function fails(what: string, reply: ScriptedReply): Fault {
  return { what, model: 'text', asked: 'Say hello.', reply: () => reply };
}

/** The end comes when the person has read the beginning. */
function breaksOff(what: string, end: Step): Fault {
  const words = `${begun} words.`;
  const [role = '', text = ''] = chatFrames(words, { pieces: words.length });
  function* steps(isShown: () => boolean): Generator<Step> {
    yield { text: role + text };
    while (!isShown()) yield { delay: 20 };
    yield end;
  }
  return { what, model: 'text', asked: 'Say hello.', reply: (_, isShown) => ({ steps: steps(isShown) }) };
}

/** What Copilot Chat writes before each provider's own words. */
const preface = /^Sorry, your request failed\. Please try again\.\s+Client Request Id: \S+\s+Reason: /;

/** What a provider says of a failure, without Copilot Chat's own words; empty where nothing failed. */
export function reasonIn({ error }: Shown): string {
  return error.replace(preface, '').trim();
}

const longest = 240;

/** What is shown, for a cell of a table: long texts cut, the lines of a stack trace counted, changing numbers left out. */
export function cellOf(shown: Shown): string {
  const [words = '', ...calls] = reasonIn(shown).split(/ at (?:async )?[\w.<>]+ \(/);
  const trace = calls.length === 0 ? '' : `(and ${calls.length} lines of a stack trace)`;
  const text = shown.texts.at(-1) ?? '';
  const parts = [text === '' ? '' : `“${inOneLine(text)}”`, inOneLine(words), trace];
  return parts.filter((part) => part !== '').join(' ');
}

function inOneLine(text: string): string {
  const line = text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080')
    .replaceAll(/\/tmp\/\S+\/work\/1/g, '/work')
    .replaceAll(/about (\d+),\d{3} tokens/g, 'about $1,000 tokens');
  const whole = line.length > longest ? `${line.slice(0, longest)} …` : line;
  return whole.replaceAll(/[\\`*_[<|]/g, (character) => `\\${character}`);
}
