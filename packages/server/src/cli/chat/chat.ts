import { readInput } from '../read-input.ts';
import { CommandError, type Terminal } from '../terminal.ts';
import { type ChatChoice, ChatHost } from './chat-host.ts';
import { findServer, type ServerFlags } from './find-server.ts';
import { PrintedChat } from './print-answer.ts';
import { talk } from './talk.ts';

export interface ChatFlags extends ServerFlags, ChatChoice {
  readonly model?: string;
  /** A question: its answer is printed, and that is all. */
  readonly print?: string;
  readonly json?: true;
  readonly approveAll?: true;
}

/** `dragoman chat`. Rejects with CommandError, ConfigError or ChatError; the exit codes are those of `print-answer.ts`. */
export async function chat(terminal: Terminal, folder: string, flags: ChatFlags): Promise<number> {
  const { print, json = false, approveAll: approvesAll = false, model, contextWindow } = flags;
  const isAlone = print !== undefined || json || !terminal.isInteractive;
  const question = isAlone ? await questionOf(terminal, print) : '';
  const place = await findServer(terminal, flags);
  try {
    const host = (ask: ChatHostAsk) =>
      ChatHost.open({
        terminal,
        folder,
        place,
        ask,
        ...(model === undefined ? {} : { model }),
        ...(contextWindow === undefined ? {} : { contextWindow }),
      });
    if (!isAlone) return await talk({ terminal, flags, open: host });
    const printed = new PrintedChat({ terminal, json, approvesAll });
    const opened = await host(printed.ask);
    await opened.choose(flags);
    return await printed.run(opened, question);
  } finally {
    await place.close();
  }
}

type ChatHostAsk = Parameters<typeof ChatHost.open>[0]['ask'];

async function questionOf(terminal: Terminal, print: string | undefined): Promise<string> {
  const hasKeyboard = 'isTTY' in terminal.stdin && terminal.stdin.isTTY === true;
  const question = print ?? (hasKeyboard ? '' : await readInput(terminal, 'The question'));
  if (question.trim() !== '') return question;
  throw new CommandError('There is no question: give it with --print "…" or on standard input.');
}
