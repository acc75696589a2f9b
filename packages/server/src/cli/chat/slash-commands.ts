import { writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { type Chat, chatMarkdown, crowdedByToolsText, type ListedChat, type PromptPart } from '@dragoman/agent';
import { codeOf } from '../../code-of.ts';
import { CommandError } from '../terminal.ts';
import type { ChatHost } from './chat-host.ts';
import { Prose, report } from './prose.ts';
import { cutTo, type Screen, shown } from './screen.ts';

/** What a command works with. */
export interface CommandContext {
  readonly host: ChatHost;
  readonly screen: Screen;
  readonly cwd: string;
  /** Runs something that the model does, which Ctrl-C ends. */
  work(task: (signal: AbortSignal) => Promise<void>): Promise<void>;
  send(text: string): Promise<void>;
  /** Sends the message at a place again, or other words in its place. */
  retry(at: number, text?: string): Promise<void>;
  /** From now on each change and call is asked for again. */
  askAgain(): void;
  /** Shows the end of the open chat. */
  showChat(): void;
  leave(): void;
}

interface SlashCommand {
  readonly name: string;
  /** What comes after it. */
  readonly wants?: string;
  readonly help: string;
  run(context: CommandContext, rest: string): Promise<void>;
}

/** Chats that are listed. */
const mostListed = 15;

export const slashCommands: readonly SlashCommand[] = [
  {
    name: 'model',
    wants: '[name]',
    help: 'asks another model from now on, or lists what there is',
    run: async ({ host, screen }, rest) => {
      if (rest !== '') {
        await host.changeModel(rest);
        screen.line(`  ${shown(host.model)} is asked from now on.`);
        return;
      }
      const { models, urlOf } = host.place;
      const hasSeveral = new Set(models.map(({ id }) => urlOf(id))).size > 1;
      const width = Math.max(0, ...models.map(({ id }) => shown(id).length));
      for (const { id, contextWindow } of models) {
        const sign = id === host.model ? screen.paint('green', '●') : ' ';
        const window =
          contextWindow === undefined ? '' : screen.paint('dim', `${count(contextWindow).padStart(11)} tokens`);
        const server = hasSeveral ? screen.paint('dim', `  ${urlOf(id)}`) : '';
        screen.line(`  ${sign} ${window === '' ? shown(id) : shown(id).padEnd(width)}${window}${server}`);
      }
    },
  },
  {
    name: 'context',
    help: 'what the model was sent last, and what of it was cut',
    run: async ({ host, screen }) => {
      for (const line of contextLines(host, screen)) screen.line(`  ${line}`);
    },
  },
  {
    name: 'compact',
    wants: '[off]',
    help: 'sends a summary in place of all but the newest messages; off: the messages themselves again',
    run: async ({ host, screen, work }, rest) => {
      if (rest === 'off') {
        await host.session.expand();
        screen.line('  All messages are sent again, as far as they fit.');
        return;
      }
      await work(async (signal) => {
        screen.status('writing a summary');
        const isMade = await host.session.compact({ ...host.request, signal });
        screen.quiet();
        report(screen, isMade ? compactionNote(host.session.chat) : 'There is nothing to compact yet.');
      });
    },
  },
  {
    name: 'undo',
    help: 'takes the last change of a file back',
    run: async ({ host, screen }) => {
      const { kind, path, to } = await host.session.undo();
      screen.line(`  Took back: ${kind} ${shown(path)}${to === undefined ? '' : ` to ${shown(to)}`}.`);
    },
  },
  {
    name: 'ask',
    help: 'asks before each change again, after you have approved all',
    run: async ({ screen, askAgain }) => {
      askAgain();
      screen.line('  You are asked before each change.');
    },
  },
  {
    name: 'retry',
    wants: '[other words]',
    help: 'sends your last message again, or other words in its place',
    run: async ({ host, retry }, rest) => {
      const at = host.session.chat.messages.findLastIndex(({ role }) => role === 'user');
      if (at === -1) throw new CommandError('You have said nothing yet.');
      await retry(at, rest === '' ? undefined : rest);
    },
  },
  {
    name: 'branch',
    wants: '[number] [other words]',
    help: 'goes another way from an earlier message of yours, in a new chat; or lists these messages',
    run: async ({ host, screen, send }, rest) => {
      const asked = [...host.session.chat.messages.entries()].filter(([, { role }]) => role === 'user');
      if (rest === '') {
        if (asked.length === 0) screen.line('  You have said nothing yet.');
        for (const [number, [, { content }]] of asked.entries()) {
          screen.line(`  ${String(number + 1).padStart(4)}  ${cutTo(firstLine(content), screen.width - 9)}`);
        }
        return;
      }
      const [number = '', ...words] = rest.split(' ');
      const [at, message] = asked[Number(number) - 1] ?? [];
      if (at === undefined || message === undefined) {
        throw new CommandError(`You have no message ${JSON.stringify(number)}; /branch lists them by number.`);
      }
      await host.branch(at);
      screen.line(screen.paint('dim', '  A new chat; the one that it came from is as it was, in /chats.'));
      await send(words.join(' ').trim() || message.content);
    },
  },
  {
    name: 'new',
    help: 'begins a new chat',
    run: async ({ host, screen }) => {
      host.newChat();
      screen.line('  A new chat.');
    },
  },
  {
    name: 'chats',
    wants: '[number]',
    help: 'lists the chats over this folder, or opens one of them',
    run: async ({ host, screen, showChat }, rest) => {
      if (rest !== '') {
        await host.openChat((await chatAt(host, rest)).id);
        showChat();
        return;
      }
      const listed = (await host.chats()).slice(0, mostListed);
      if (listed.length === 0) screen.line('  There are no chats yet.');
      for (const [at, { id, title, updated }] of listed.entries()) {
        const sign = id === host.session.chat.id ? screen.paint('green', '●') : ' ';
        const when = new Date(updated).toLocaleString('sv').slice(0, 16);
        const told = cutTo(shown(title), Math.max(10, screen.width - 32));
        screen.line(`  ${sign} ${String(at + 1).padStart(2)}  ${screen.paint('dim', when)}  ${told}`);
      }
    },
  },
  {
    name: 'delete',
    wants: '<number>',
    help: 'deletes a chat of that list for good; its changes of files stay',
    run: async ({ host, screen }, rest) => {
      const chosen = await chatAt(host, rest);
      await host.deleteChat(chosen.id);
      screen.line(`  Deleted: ${cutTo(shown(chosen.title), screen.width - 12)}`);
    },
  },
  {
    name: 'export',
    wants: '[file]',
    help: 'writes this chat into a file, as Markdown',
    run: async ({ host, screen, cwd }, rest) => {
      const { chat } = host.session;
      if (chat.messages.length === 0) throw new CommandError('There is nothing to export yet.');
      const file = resolve(cwd, rest === '' ? `${slug(chat.title)}.md` : rest);
      try {
        await writeFile(file, chatMarkdown(chat), { flag: 'wx' });
      } catch (thrown) {
        const code = codeOf(thrown) || String(thrown);
        throw new CommandError(
          code === 'EEXIST'
            ? `${basename(file)} is there already. Name another file.`
            : `${file} cannot be written: ${code}.`,
        );
      }
      screen.line(`  Written: ${shown(file)}`);
    },
  },
  {
    name: 'help',
    help: 'this list',
    run: async ({ screen }) => {
      const named = slashCommands.map(({ name, wants = '', help }) => [`/${name} ${wants}`.trim(), help] as const);
      const width = Math.max(...named.map(([name]) => name.length));
      for (const [name, help] of named) {
        const prose = new Prose(screen);
        prose.begin({ text: `  ${name.padEnd(width)}  ` });
        prose.write({ text: help, look: 'dim' });
        prose.end();
      }
      screen.gap();
      report(
        screen,
        'A line that ends with \\ goes on in the next one. Ctrl-C cancels an answer, Ctrl-D leaves.',
        'dim',
      );
    },
  },
  { name: 'exit', help: 'leaves; --continue comes back to this chat', run: async ({ leave }) => leave() },
];

/** The chat that has this number in the list. */
async function chatAt(host: ChatHost, number: string): Promise<ListedChat> {
  const found = (await host.chats())[Number(number) - 1];
  if (found !== undefined) return found;
  if (number === '') throw new CommandError('Say which one: /chats lists them by number.');
  throw new CommandError(`There is no chat ${JSON.stringify(number)}; /chats lists them by number.`);
}

/** What a line may become that begins with a slash. */
export function completeCommand(line: string): readonly string[] {
  if (!line.startsWith('/') || line.includes(' ')) return [];
  return slashCommands.map(({ name }) => `/${name}`).filter((each) => each.startsWith(line));
}

/** Where messages are sent as a summary: how many. */
export function compactionNote({ compaction }: Chat): string {
  return `The first ${compaction?.upTo ?? 0} messages are sent as a summary. /compact off sends them themselves again.`;
}

/** UTF-16 units of a token, about. */
const unitsPerToken = 3.5;

const partNames: Readonly<Record<PromptPart['name'], string>> = {
  charter: 'charter',
  rules: 'rules',
  voice: 'voice',
  memory: 'memory',
  activeNote: 'open file',
  selection: 'selection',
  guide: 'how to work',
  tools: 'tools',
  summary: 'summary',
  history: 'history',
  request: 'request',
};

function contextLines({ session, model, place }: ChatHost, screen: Screen): readonly string[] {
  const { lastPrompt, lastUsage } = session;
  if (lastPrompt === undefined) return [`Nothing was sent yet. ${model} at ${place.urlOf(model)} will be asked.`];
  const tokens = (units: number) => Math.ceil(units / unitsPerToken);
  const rows = lastPrompt.parts.map(({ name, used, of }) => {
    const number = name === 'tools' ? `${lastPrompt.tools.length} ` : '';
    return { name: `${number}${partNames[name]}`, used, of };
  });
  const width = Math.max(...rows.map(({ name }) => name.length));
  const crowded = crowdedByToolsText(lastPrompt);
  const total = rows.reduce((sum, { used }) => sum + used, 0);
  const row = (name: string, units: number) => `${name.padEnd(width)}  ${count(tokens(units)).padStart(7)}`;
  return [
    screen.paint('dim', `${''.padEnd(width)}   tokens, about`),
    ...rows.map(({ name, used, of }) => {
      const cut = used < of ? screen.paint('yellow', `  cut, of ${count(tokens(of))}`) : '';
      return `${row(name, used)}${cut}`;
    }),
    `${screen.paint('bold', row('together', total))}${screen.paint('dim', `  of ${count(tokens(lastPrompt.room))}`)}`,
    ...(crowded === undefined ? [] : [screen.paint('yellow', crowded)]),
    ...(lastUsage === undefined
      ? []
      : [
          screen.paint(
            'dim',
            `The server counted ${count(lastUsage.inputTokens)} in, ${count(lastUsage.outputTokens)} out.`,
          ),
        ]),
    ...(session.chat.compaction === undefined ? [] : [compactionNote(session.chat)]),
  ];
}

function firstLine(text: string): string {
  return shown(text.trim().split('\n', 1)[0] ?? '');
}

function count(number: number): string {
  return number.toLocaleString('en');
}

function slug(title: string): string {
  const words = title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-');
  return words.replaceAll(/^-+|-+$/g, '') || 'chat';
}
