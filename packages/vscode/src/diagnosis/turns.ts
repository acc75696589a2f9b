import { redact, redactText } from '../log/logger.ts';
import type { ReplyCall, Usage } from '../stream/reply-pieces.ts';
import type { WrittenRequest } from '../translate/written-request.ts';
import { describeChecks } from './describe-checks.ts';
import type { WrittenText } from './written-text.ts';

/** One request and its answer, as far as it went. */
export interface Turn {
  readonly at: Date;
  readonly modelId: string;
  readonly endpoint: string;
  /** Who asked: `github.copilot-chat`, or another extension. */
  readonly initiator: string;
  /** Copilot Chat asked for a title or the like. */
  readonly utility: boolean;
  request?: WrittenRequest;
  /** What the model wrote, where the engine inside read it. */
  written?: WrittenText;
  /** What was repaired or left out on the way there. */
  notes: readonly string[];
  /** What was unexpected on the way back. */
  readonly warnings: string[];
  readonly calls: ReplyCall[];
  text: string;
  thinking: string;
  parts: number;
  usage?: Usage;
  error?: string;
  /** Milliseconds from VS Code's question: until the request left, until the first piece, and until the end. */
  sentAfter?: number;
  firstAfter?: number;
  endedAfter?: number;
  /** Tools were offered, and the answer ends with the announcement of a call that never came. */
  promised: boolean;
}

/** So many are kept, and of so many the request, which may hold images. */
const kept = 20;
const keptWhole = 3;

/** The last turns, for whoever asks what happened. They live in memory only. */
export class Turns {
  readonly #turns: Turn[] = [];

  begin(facts: Pick<Turn, 'at' | 'modelId' | 'endpoint' | 'initiator' | 'utility'>): Turn {
    const turn: Turn = {
      ...facts,
      notes: [],
      warnings: [],
      calls: [],
      text: '',
      thinking: '',
      parts: 0,
      promised: false,
    };
    this.#turns.push(turn);
    if (this.#turns.length > kept) this.#turns.shift();
    for (const older of this.#turns.slice(0, -keptWhole)) {
      delete older.request;
      delete older.written;
    }
    return turn;
  }

  /** The last one that a person asked for, if there is one. */
  last(): Turn | undefined {
    return this.#turns.findLast(({ utility }) => !utility) ?? this.#turns.at(-1);
  }

  all(): readonly Turn[] {
    return this.#turns;
  }

  clear(): void {
    this.#turns.length = 0;
  }
}

/** A turn as a page of Markdown: what was sent, what came, what became of it. Holds no keys; holds what was said. */
export function explainTurn(turn: Turn): string {
  const { request, usage } = turn;
  const sections = [
    '# Last turn',
    table([
      ['Asked at', turn.at.toLocaleString()],
      ['Model', turn.modelId],
      ['Endpoint', turn.endpoint],
      ['Asked by', turn.initiator],
      ['Ended', endOf(turn)],
      ['Request left after', milliseconds(turn.sentAfter)],
      ['First text after', milliseconds(turn.firstAfter)],
      ['Whole answer after', milliseconds(turn.endedAfter)],
      [
        'Tokens',
        usage === undefined
          ? 'unknown'
          : `${number(usage.input)} in${some(usage.cached, 'from a cache')}, ${number(usage.output)} out${some(usage.reasoning, 'of thinking')}`,
      ],
    ]),
    ...listed('Repaired or left out on the way there', turn.notes),
    ...listed('Unexpected on the way back', turn.warnings),
    ...(turn.promised
      ? [
          '## A call that never came\n\nThe answer ends with the announcement of a call. The model stopped, or wrote its call in a form that was not recognised: see the text below. With a server of your own, set `toolCalling` of the endpoint to the dialect of the model.',
        ]
      : []),
    `## Calls\n\n${turn.calls.length === 0 ? 'None.' : turn.calls.map(({ callId, name, input }) => `- \`${name}\` as \`${callId}\` with \`${JSON.stringify(redact(input))}\``).join('\n')}`,
    ...writtenIn(turn),
    `## Text\n\n${fenced(redactText(turn.text), 'text')}`,
    ...(turn.thinking === '' ? [] : [`## Thinking\n\n${fenced(redactText(turn.thinking), 'text')}`]),
    ...(request === undefined
      ? []
      : [
          `## Checks of the request\n\n${fenced(describeChecks(request), 'text')}`,
          `## Request\n\n${fenced(JSON.stringify(redact(request), undefined, 2), 'json')}`,
        ]),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** Where the calls were read in what the model wrote. */
function writtenIn({ written, text, thinking }: Turn): readonly string[] {
  const all = written?.read() ?? '';
  const isKnown = all === '' || all === text || all === thinking + text;
  return isKnown ? [] : [`## What the model wrote\n\n${fenced(redactText(all), 'text')}`];
}

function endOf({ error, endedAfter, parts }: Turn): string {
  if (error !== undefined) return `with an error: ${redactText(error)}`;
  return endedAfter === undefined ? `not yet, after ${parts} parts` : `well, after ${parts} parts`;
}

const number = (value: number) => value.toLocaleString('en-US');

const some = (count: number, what: string) => (count === 0 ? '' : ` (${number(count)} ${what})`);

const milliseconds = (value: number | undefined) => (value === undefined ? 'not yet' : `${Math.round(value)} ms`);

const table = (rows: readonly (readonly [string, string])[]) =>
  ['| | |', '|---|---|', ...rows.map(([name, value]) => `| ${name} | ${value.replaceAll('|', '\\|')} |`)].join('\n');

const listed = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : [`## ${title}\n\n${lines.map((line) => `- ${line}`).join('\n')}`];

/** With a fence that the text does not hold. */
function fenced(text: string, language: string): string {
  let fence = '```';
  while (text.includes(fence)) fence += '`';
  return `${fence}${language}\n${text}\n${fence}`;
}
