import { once } from 'node:events';
import { type AgentEvent, type AskConsent, activityText, type Proposal, type TaskEnd } from '@dragoman/agent';
import { harmless, harmlessLines } from '../../log/harmless.ts';
import { CommandError, type Terminal } from '../terminal.ts';
import type { ChatHost, ChatPerson } from './chat-host.ts';
import type { AskForScript } from './open-tools.ts';

/** What a script reads of how it went. */
export const exitCodes = {
  answer: 0,
  /** It could not be asked, or something else is wrong; what is, stands on standard error. */
  failed: 1,
  /** It ended without a whole answer. */
  unfinished: 2,
  /** It answered, but wanted changes that nobody has allowed. */
  refused: 3,
  cancelled: 130,
} as const;

export interface PrintOptions {
  readonly terminal: Terminal;
  /** One line of JSON for each event, in place of text. */
  readonly json: boolean;
  /** All that the model wants to change is allowed. */
  readonly approvesAll: boolean;
}

/**
 * A chat without a person: the answer goes to standard output, what was done to standard error. Changes are refused unless
 * all are allowed from the beginning.
 */
export class PrintedChat implements ChatPerson {
  readonly #options: PrintOptions;
  #refused = 0;

  constructor(options: PrintOptions) {
    this.#options = options;
  }

  readonly ask: AskConsent = async (proposal) => {
    const { approvesAll, json } = this.#options;
    const decision = approvesAll ? 'approve' : 'reject';
    if (!approvesAll) this.#refused += 1;
    if (json) this.#line({ type: 'proposal', ...shownOf(proposal), decision });
    else if (!approvesAll) this.#note(`${wantOf(proposal)}: refused; --approve-all allows it`);
    return decision;
  };

  readonly askForScript: AskForScript = ({ path }) => {
    throw new CommandError(
      `${path} has not been allowed to run as it is now. Allow it in a terminal, with dragoman chat --tools, or all with --approve-all.`,
    );
  };

  /** Asks, and returns the exit code. */
  async run(host: ChatHost, question: string): Promise<number> {
    const { terminal, json } = this.#options;
    const control = new AbortController();
    terminal.onStop(() => control.abort());
    const { place, model, session } = host;
    if (json) this.#line({ type: 'start', chat: session.chat.id, model, server: place.urlOf(model) });
    const emit = (event: AgentEvent) => {
      if (json) this.#line(event);
      else this.#report(event);
    };
    const end = await host.send(question, { signal: control.signal, emit });
    const { messages } = host.session.chat;
    const last = messages.at(-1);
    const text = last?.role === 'assistant' ? last.content : '';
    const told = host.endOf(end);
    if (json) {
      const usage = host.session.lastUsage;
      this.#line({
        type: 'end',
        reason: end.reason,
        text,
        ...(told === undefined ? {} : { message: told }),
        ...(usage === undefined ? {} : { usage }),
      });
    } else {
      if (text !== '') terminal.stdout.write(`${harmlessLines(text)}\n`);
      if (told !== undefined) this.#note(told);
    }
    if (terminal.stdout.writableNeedDrain) await once(terminal.stdout, 'drain');
    return this.#codeOf(end);
  }

  #codeOf({ reason }: TaskEnd): number {
    switch (reason) {
      case 'answer':
        return this.#refused > 0 ? exitCodes.refused : exitCodes.answer;
      case 'empty':
      case 'length':
      case 'steps':
      case 'repeats':
        return exitCodes.unfinished;
      case 'cancelled':
        return exitCodes.cancelled;
      case 'error':
        return exitCodes.failed;
      default:
        return reason satisfies never;
    }
  }

  #report(event: AgentEvent): void {
    if (event.type === 'running') this.#note(activityText(event.call, 'running'));
    // What comes before calls is no answer yet.
    else if (event.type === 'message' && event.message.role === 'assistant') {
      const { content, tool_calls: calls = [] } = event.message;
      if (calls.length > 0 && content.trim() !== '') this.#note(content.trim());
    }
  }

  #note(text: string): void {
    this.#options.terminal.stderr.write(`${harmlessLines(text)}\n`);
  }

  #line(value: unknown): void {
    this.#options.terminal.stdout.write(`${JSON.stringify(value)}\n`);
  }
}

/** What would be done, in words. */
export function wantOf(proposal: Proposal): string {
  if (proposal.kind === 'call') return harmless(`call ${proposal.tool} of ${proposal.source}`);
  const { kind, path, to } = proposal;
  return harmless(to === undefined ? `${kind} ${path}` : `${kind} ${path} to ${to}`);
}

/** Of a change its diff: the whole texts are in the folder, or in the call. */
function shownOf(proposal: Proposal): object {
  if (proposal.kind === 'call') return { proposal };
  const { before: _, after: __, ...rest } = proposal;
  return { proposal: rest };
}
