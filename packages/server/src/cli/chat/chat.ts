import { withoutNamesakes } from '@dragoman/agent';
import { readInput } from '../read-input.ts';
import { CommandError, type Terminal } from '../terminal.ts';
import { asCommandError, type ChatChoice, ChatHost, type ChatPerson } from './chat-host.ts';
import { findServer, type ServerFlags } from './find-server.ts';
import { openMcp, openScripts } from './open-tools.ts';
import { PrintedChat } from './print-answer.ts';
import { talk } from './talk.ts';

export interface ChatFlags extends ServerFlags, ChatChoice {
  readonly model?: string;
  /** A question: its answer is printed, and that is all. */
  readonly print?: string;
  readonly json?: true;
  readonly approveAll?: true;
  /** A file that names MCP servers. */
  readonly mcp?: string;
  /** A folder of scripts that are tools. */
  readonly tools?: string;
}

/** `dragoman chat`. Rejects with CommandError or ConfigError; the exit codes are those of `print-answer.ts`. */
export async function chat(terminal: Terminal, folder: string, flags: ChatFlags): Promise<number> {
  const { print, json = false, approveAll: approvesAll = false, model, contextWindow } = flags;
  const isAlone = print !== undefined || json || !terminal.isInteractive;
  const question = isAlone ? await questionOf(terminal, print) : '';
  const closing: (() => Promise<void>)[] = [];
  try {
    const place = await findServer(terminal, flags);
    closing.push(place.close);
    const servers = flags.mcp === undefined ? undefined : await openMcp(terminal, flags.mcp);
    if (servers !== undefined) closing.push(servers.close);
    const host = async ({ ask, askForScript }: ChatPerson) => {
      const scripts =
        flags.tools === undefined
          ? []
          : await openScripts(terminal, { folder: flags.tools, approvesAll, ask: askForScript });
      const { tools, problems } = withoutNamesakes([...scripts, ...(servers?.tools ?? [])]);
      if (problems.length > 0) throw new CommandError(problems.join('\n'));
      return ChatHost.open({
        terminal,
        folder,
        place,
        ask,
        tools,
        ...(model === undefined ? {} : { model }),
        ...(contextWindow === undefined ? {} : { contextWindow }),
      });
    };
    if (!isAlone) return await talk({ terminal, choice: flags, approvesAll, open: host });
    const printed = new PrintedChat({ terminal, json, approvesAll });
    const opened = await host(printed);
    await opened.choose(flags);
    return await printed.run(opened, question);
  } catch (thrown) {
    throw asCommandError(thrown);
  } finally {
    for (const close of closing) await close();
  }
}

async function questionOf(terminal: Terminal, print: string | undefined): Promise<string> {
  const hasKeyboard = 'isTTY' in terminal.stdin && terminal.stdin.isTTY === true;
  const question = print ?? (hasKeyboard ? '' : await readInput(terminal, 'The question'));
  if (question.trim() !== '') return question;
  throw new CommandError('There is no question: give it with --print "…" or on standard input.');
}
