import {
  type AgentEvent,
  activityText,
  type ChatCall,
  type ChatMessage,
  type Proposal,
  statusOf,
} from '@dragoman/agent';
import type { UserScript } from '@dragoman/agent/user-tools';
import { MarkdownStream } from './markdown.ts';
import { wantOf } from './print-answer.ts';
import { Prose, report } from './prose.ts';
import { cutTo, type Look, rowsOf, type Screen, shown } from './screen.ts';

const signs: Readonly<Record<'ok' | 'error' | 'rejected' | 'cancelled', readonly [sign: string, look: Look]>> = {
  ok: ['✓', 'green'],
  error: ['✗', 'red'],
  rejected: ['–', 'yellow'],
  cancelled: ['–', 'yellow'],
};

/** What is longer is shown in full only on demand. Rows. */
const longestQuote = 60;

/** A conversation on the screen, as it happens. */
export class ConversationView {
  readonly #screen: Screen;
  readonly #markdown: MarkdownStream;
  readonly #thinking: Prose;
  readonly #calls = new Map<string, ChatCall>();
  /** What is last: a gap goes between what is not of a kind. */
  #last: 'nothing' | 'text' | 'think' | 'activity' | 'proposal' = 'nothing';
  #model = '';

  constructor(screen: Screen) {
    this.#screen = screen;
    this.#markdown = new MarkdownStream(screen);
    this.#thinking = new Prose(screen);
  }

  /** An answer begins. */
  start(model: string): void {
    this.#model = model;
    this.#last = 'nothing';
  }

  readonly emit = (event: AgentEvent): void => {
    switch (event.type) {
      case 'compacting':
        this.#screen.status('the chat is long: writing a summary');
        return;
      case 'reply':
        this.#screen.status(`waiting for ${this.#model}`);
        return;
      case 'think':
        if (this.#last !== 'think' && event.text.trim() === '') return;
        this.#turnTo('think');
        this.#think(this.#thinking.isFresh ? event.text.trimStart() : event.text);
        return;
      case 'text':
        if (this.#last !== 'text' && event.text.trim() === '') return;
        this.#turnTo('text');
        this.#markdown.push(event.text);
        return;
      case 'call-start':
        this.#close();
        this.#screen.status(`preparing ${event.name}`);
        return;
      case 'running':
        this.#close();
        this.#screen.status(activityText(event.call, 'running'));
        return;
      case 'message':
        this.#message(event.message);
        return;
      default:
        event satisfies never;
    }
  };

  /** The task is over; `told` is what there is to say of its end. */
  end(told: string | undefined): void {
    this.#close();
    this.#screen.quiet();
    if (told !== undefined) this.note(told);
    this.#screen.gap();
  }

  /** A sentence of ours. */
  note(text: string, look: Look = 'yellow'): void {
    this.#turnTo('activity');
    report(this.#screen, text, look);
  }

  /** What is kept of a chat, as it was shown. */
  replay(messages: readonly ChatMessage[], sign: string): void {
    for (const message of messages) {
      if (message.role === 'user') {
        this.#close();
        if (this.#last !== 'nothing') this.#screen.gap();
        this.#last = 'nothing';
        const [first = '', ...others] = message.content.split('\n');
        this.#screen.line(`${sign}${shown(first)}`);
        for (const line of others) this.#screen.line(`  ${shown(line)}`);
        this.#screen.gap();
      } else if (message.role === 'assistant' && message.content.trim() !== '') {
        this.#turnTo('text');
        this.#markdown.push(message.content);
        this.#message(message);
      } else this.#message(message);
    }
    this.#close();
    this.#screen.gap();
  }

  /** Shows what the model wants to do. Returns false where not all of it is shown. */
  propose(proposal: Proposal, { isWhole }: { readonly isWhole: boolean }): boolean {
    this.#turnTo('proposal');
    this.#last = 'activity';
    const paint: Screen['paint'] = (look, text) => this.#screen.paint(look, text);
    const head = (more: string) => {
      const rows = [...rowsOf(wantOf(proposal), this.#screen.width - 4)].map((row) => paint('bold', row));
      this.#screen.line(`  ${rows.join('\n    ')}${more}`);
    };
    if (proposal.kind === 'call') {
      head('');
      return this.#quote(JSON.stringify(proposal.arguments, null, 2).split('\n'), { isWhole });
    }
    const lines = proposal.diff === '' ? [] : proposal.diff.replace(/\n$/, '').split('\n');
    const countOf = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
    const [added, gone] = [countOf('+'), countOf('-')];
    const counts = [
      ...(added > 0 ? [paint('green', `+${added}`)] : []),
      ...(gone > 0 ? [paint('red', `−${gone}`)] : []),
    ];
    head(counts.length === 0 ? '' : `  ${counts.join(' ')}`);
    // Of a whole file there is no place to tell, nor how it ends.
    const isTold = (line: string) => proposal.kind === 'change' || !(line.startsWith('@@') || line.startsWith('\\'));
    return this.#quote(lines.filter(isTold), { isWhole, look: lookOf });
  }

  /** Shows a script that wants to be a tool. Returns false where not all of it is shown. */
  showScript({ path, text }: UserScript, { isWhole }: { readonly isWhole: boolean }): boolean {
    this.#turnTo('proposal');
    this.#last = 'activity';
    this.#screen.line(`  ${this.#screen.paint('bold', shown(path))}`);
    const isAll = this.#quote(text.split('\r\n').join('\n').trimEnd().split('\n'), { isWhole });
    this.#screen.gap();
    const rights =
      'A tool of yours, asked for when it is new or has changed. It runs isolated: it sees the files of this folder';
    report(this.#screen, `${rights}, asks before it changes one, and has no network.`, 'dim');
    return isAll;
  }

  /**
   * Lines of somebody else. Where one goes on in the next row it is indented, so that nothing in it passes for ours. Returns false where
   * not all of them are shown.
   */
  #quote(lines: readonly string[], { isWhole, look }: QuoteOptions): boolean {
    const screen = this.#screen;
    let count = 0;
    for (const [at, line] of lines.entries()) {
      let margin = '    ';
      for (const row of rowsOf(shown(line), screen.width - 6)) {
        if (count === longestQuote && !isWhole) {
          screen.line(
            `    ${screen.paint('dim', `… ${lines.length - at} more line${at === lines.length - 1 ? '' : 's'}`)}`,
          );
          return false;
        }
        count += 1;
        screen.line(`${margin}${look === undefined ? row : screen.paint(look(line), row)}`);
        margin = '      ';
      }
    }
    return true;
  }

  #message(message: ChatMessage): void {
    if (message.role === 'assistant') {
      this.#close();
      for (const call of message.tool_calls ?? []) this.#calls.set(call.id, call);
    } else if (message.role === 'tool') {
      const call = this.#calls.get(message.tool_call_id);
      if (call === undefined) return;
      const status = statusOf(message);
      const [sign, look] = signs[status];
      this.#turnTo('activity');
      const text = cutTo(shown(activityText(call, status)), this.#screen.width - 5);
      this.#screen.line(`  ${this.#screen.paint(look, sign)} ${this.#screen.paint('dim', text)}`);
      if (status === 'error') {
        const [why = ''] = message.content.split('\n');
        this.#screen.line(`    ${this.#screen.paint('dim', cutTo(shown(why), this.#screen.width - 5))}`);
      }
    }
  }

  #think(text: string): void {
    const [first = '', ...others] = text.split('\n');
    this.#thinkLine(first);
    for (const line of others) {
      this.#thinking.end();
      this.#thinkLine(line);
    }
  }

  #thinkLine(text: string): void {
    if (text === '') return;
    if (this.#thinking.isFresh) this.#thinking.begin({ text: '  ' });
    this.#thinking.write({ text, look: ['dim', 'italic'] });
  }

  #turnTo(kind: 'text' | 'think' | 'activity' | 'proposal'): void {
    if (this.#last === kind) return;
    this.#close();
    this.#screen.gap();
    this.#last = kind;
  }

  /** Ends the line that is being written. */
  #close(): void {
    this.#markdown.end();
    this.#thinking.end();
  }
}

interface QuoteOptions {
  readonly isWhole: boolean;
  readonly look?: (line: string) => Look;
}

function lookOf(line: string): Look {
  if (line.startsWith('+')) return 'green';
  if (line.startsWith('-')) return 'red';
  return line.startsWith('@@') ? 'cyan' : 'dim';
}
