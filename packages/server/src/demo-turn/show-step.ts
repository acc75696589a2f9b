import type { ModelTurn } from '../transports/scripted/scripted-transport.ts';
import { gatherDeltas } from './gather-deltas.ts';
import { type Layout, layOut, type Panel } from './lay-out.ts';
import type { AgentStep } from './run-agent-turn.ts';

/** The most lines of a panel; long prompts are shown from both ends. */
const mostLines = 48;
/** The longest text inside of JSON, in UTF-16 units. */
const longestText = 200;

/** What of a step is known besides what the client sent and got. */
export interface Insight {
  /** The model's own turn; undefined for a gateway that runs elsewhere, which tells no one. */
  readonly turn: ModelTurn | undefined;
}

/** One step of the demonstration as text: what the client sent, the prompt, the raw reply and the native deltas. */
export function showStep(step: AgentStep, insight: Insight, layout: Layout): string {
  return [
    layOut(sentPanel(step), promptPanel(insight), layout),
    layOut(replyPanel(insight), deltaPanel(step), layout),
  ].join('\n');
}

function sentPanel({ request }: AgentStep): Panel {
  const shortened = JSON.stringify(
    request,
    (_, value: unknown) => (typeof value === 'string' ? shorten(value) : value),
    2,
  );
  return { title: 'What the client sent (POST /v1/chat/completions)', lines: middleOut(shortened.split('\n')) };
}

const unknown = [
  'Not known: a running gateway keeps prompts and raw replies to itself. Without --url the demonstration starts its own gateway and shows them.',
];

function promptPanel({ turn }: Insight): Panel {
  const title = 'The prompt as the model saw it';
  if (turn === undefined) return { title, lines: unknown };
  const lines = turn.messages.flatMap(({ role, text }) => [`[${role}]`, ...text.split('\n'), '']);
  return { title, lines: middleOut(lines) };
}

function replyPanel({ turn }: Insight): Panel {
  const title = 'The raw reply of the model';
  return { title, lines: turn === undefined ? unknown : middleOut(turn.reply.split('\n')) };
}

function deltaPanel({ answer }: AgentStep): Panel {
  return {
    title: 'The native deltas that the client got',
    lines: [...middleOut(gatherDeltas(answer.deltas)), `finish_reason: ${answer.finishReason}`],
  };
}

/** The first and the last lines, and between them how many are left out. */
export function middleOut(lines: readonly string[], most = mostLines): string[] {
  if (lines.length <= most) return [...lines];
  const head = Math.ceil((most - 1) * 0.6);
  const tail = most - 1 - head;
  return [...lines.slice(0, head), `… ${lines.length - head - tail} more lines …`, ...lines.slice(-tail)];
}

function shorten(text: string): string {
  if (text.length <= longestText) return text;
  const last = text.charCodeAt(longestText - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? longestText - 1 : longestText;
  return `${text.slice(0, end)}… (${text.length} characters)`;
}
