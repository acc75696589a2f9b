import type { ChatEvent } from '../chat/event.ts';
import { EventWriter } from '../chat/event-writer.ts';
import type { DragomanError } from '../errors.ts';
import type { Sink, Stage, StageFactory } from '../stream/stage.ts';

/** `header`: the line is left out. `answer`: only the mark is. `turn`: everything from it on is. */
type Mark = 'header' | 'answer' | 'turn';

const marks: readonly (readonly [string, Mark])[] = [
  ['STATE:', 'header'],
  ['FINAL:', 'answer'],
  ['User:', 'turn'],
  ['Human:', 'turn'],
  ['Memory:', 'turn'],
];

/** Line breaks that are held back until it is known whether an invented turn follows them. */
const mostBreaks = 16;

/**
 * Leaves out the marks that older agent prompts taught: lines that start with `STATE:`, the word `FINAL:` before an
 * answer, and everything from a line on that starts with `User:`, `Human:` or `Memory:` after text of the model, since
 * the model invents the next turn there; its calls do not fire either. A mark counts at the start of a line only, exactly
 * spelled; in code, too, so this is for models that were taught these marks. What was left out is told.
 */
export function createLegacyTextDrop(): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => new LegacyTextDrop(sink);
}

/**
 * `line-start`: line breaks and what may become a mark are held back. `in-line`: text passes. `header`: the rest of the
 * line is left out. `answer`: one space after the mark is left out. `over`: an invented turn has begun.
 */
type State = 'line-start' | 'in-line' | 'header' | 'answer' | 'over';

type TextDelta = Extract<ChatEvent, { readonly type: 'text-delta' }>;

class LegacyTextDrop implements Stage<ChatEvent> {
  readonly #writer: EventWriter;
  #state: State = 'line-start';
  #breaks = '';
  #word = '';
  /** The open text is a refusal, which passes as it is. */
  #refuses = false;
  #spoken = false;
  #wholeCalls = 0;

  constructor(sink: Sink<ChatEvent>) {
    this.#writer = new EventWriter(sink);
  }

  push(event: ChatEvent): void {
    switch (event.type) {
      case 'text-delta':
        if (this.#refuses) this.#beside(event);
        else this.#text(event);
        return;
      case 'message-start':
      case 'conversation':
      case 'usage':
      case 'warning':
        this.#writer.write(event);
        return;
      case 'message-end':
        this.#letGo();
        if (this.#state !== 'over' || event.finishReason !== 'tool-calls' || this.#wholeCalls > 0) {
          this.#writer.write(event);
        } else this.#writer.write({ ...event, finishReason: 'stop' });
        return;
      case 'error':
        this.#letGo();
        this.#writer.fail(event.error);
        return;
      case 'text-end':
        if (event.extra !== undefined || this.#refuses) this.#beside(event);
        return;
      case 'text-start':
        this.#refuses = event.refusal === true;
        if (this.#refuses) this.#beside(event);
        return;
      default:
        this.#beside(event);
    }
  }

  end(cut?: DragomanError): void {
    this.#letGo();
    if (cut !== undefined) this.#writer.fail(cut);
  }

  #beside(event: ChatEvent): void {
    if (this.#state === 'over') return;
    this.#letGo();
    if (event.type === 'tool-call-start') this.#spoken = true;
    else if (event.type === 'tool-call-end') this.#wholeCalls += 1;
    this.#writer.write(event);
  }

  /** Runs over the text once; what passes leaves in one piece. */
  #text({ text, extra }: TextDelta): void {
    const passed: string[] = [];
    for (let at = 0; at < text.length && this.#state !== 'over'; at += 1) passed.push(this.#letter(text.charAt(at)));
    if (extra === undefined) this.#writer.text(passed.join(''));
    else if (this.#state !== 'over') this.#writer.marked({ text: passed.join(''), extra });
  }

  /** What leaves because of one more character. */
  #letter(letter: string): string {
    switch (this.#state) {
      case 'in-line':
        if (letter === '\n') return this.#startLine(letter);
        this.#spoken = true;
        return letter;
      case 'header':
        if (letter === '\n') this.#state = 'line-start';
        return '';
      case 'answer':
        this.#state = 'in-line';
        return letter === ' ' ? '' : this.#letter(letter);
      case 'line-start':
        return this.#atLineStart(letter);
      case 'over':
        return '';
      default:
        return this.#state satisfies never;
    }
  }

  #startLine(breaks: string): string {
    this.#state = 'line-start';
    this.#breaks = breaks;
    return '';
  }

  #atLineStart(letter: string): string {
    if (letter === '\n' && this.#word === '') {
      const out = this.#breaks.length >= mostBreaks ? this.#breaks : '';
      this.#breaks = out === '' ? `${this.#breaks}\n` : '\n';
      return out;
    }
    const word = this.#word + letter;
    const mark = marks.find(([text, kind]) => text.startsWith(word) && (kind !== 'turn' || this.#spoken));
    if (mark === undefined) {
      const out = this.#held();
      this.#state = 'in-line';
      return out + this.#letter(letter);
    }
    this.#word = word;
    return mark[0] === word ? this.#marked(mark[1]) : '';
  }

  #marked(kind: Mark): string {
    this.#word = '';
    this.#report(kind);
    const breaks = this.#breaks;
    this.#breaks = '';
    this.#state = kind === 'turn' ? 'over' : kind;
    return kind === 'turn' ? '' : breaks;
  }

  #held(): string {
    const held = this.#breaks + this.#word;
    this.#breaks = '';
    this.#word = '';
    return held;
  }

  /** Something else than text follows: what was held back was no mark. */
  #letGo(): void {
    if (this.#state === 'over') return;
    this.#writer.text(this.#held());
    this.#state = 'line-start';
  }

  #report(kind: Mark): void {
    const message =
      kind === 'turn'
        ? 'The model went on to invent the next turn; everything from there on was left out.'
        : `A ${kind === 'header' ? 'STATE line' : 'FINAL mark'} was left out.`;
    this.#writer.warnOnce({ code: 'text-dropped', message });
  }
}
