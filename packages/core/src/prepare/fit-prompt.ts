import { type Message, textOf } from '../chat/message.ts';
import { DragomanError } from '../errors.ts';
import type { Plan } from '../plan/plan.ts';
import type { Saving } from './shorten-results.ts';

/** What is allowed for headings and the like around each message, in UTF-16 units. */
const aroundMessage = 24;

/** Escaped markers make what was shortened longer again, so it may take another attempt, and seldom a third. */
const mostAttempts = 3;

/** What is saved grows in steps of this part of the limit. */
const stepsOfLimit = 8;

interface Fit<Seen> extends Pick<Saving, 'newestOnly'> {
  /** UTF-16 units. 0: no limit. */
  readonly limit: number;
  /** Renders the prompt with shorter results. */
  readonly render: (saving: Saving) => Seen;
  /** What of it has to fit. */
  readonly part: (seen: Seen) => readonly Message[];
}

/**
 * The prompt with results so much shortened that it fits; the very same one if it fits already. Whether it does in the
 * end, `refuseLong` says. What is saved grows in steps: the requests of a conversation that grows then begin alike for
 * some rounds, and prompt caches go on to work.
 */
export function fitPrompt<Seen>(seen: Seen, { limit, render, part, newestOnly }: Fit<Seen>): Seen {
  if (limit === 0) return seen;
  const step = Math.ceil(limit / stepsOfLimit);
  let fitted = seen;
  let characters = 0;
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const excess = lengthOf(part(fitted)) - limit;
    if (excess <= 0) break;
    characters += Math.ceil(excess / step) * step;
    fitted = render({ characters, newestOnly });
  }
  return fitted;
}

/** Throws DragomanError `context-too-long` for messages that are longer than a model that reads only text may be told. */
export function refuseLong(messages: readonly Message[], { asked, rule, dialect }: Plan): void {
  const limit = dialect === undefined ? 0 : rule.maxPromptLength;
  const length = limit === 0 ? 0 : lengthOf(messages);
  if (length <= limit) return;
  throw new DragomanError(
    'context-too-long',
    `The prompt for ${asked} has ${length} characters, and ${limit} are allowed (maxPromptLength of its model rule). Results of tools were shortened already: begin a new conversation.`,
    { param: 'messages' },
  );
}

function lengthOf(messages: readonly Message[]): number {
  return messages.reduce((sum, { content }) => sum + textOf(content).length + aroundMessage, 0);
}
