import type { GatewayError } from '../../errors.ts';
import type { Sink, Stage, StageFactory } from '../../stage.ts';
import type { ParseContext, ParsePolicy, Span } from '../dialect.ts';
import { CallWriter } from './call-writer.ts';
import type { CallReader, Grammar, Opening } from './grammar.ts';
import { ReasoningText } from './reasoning-text.ts';
import { Scanner } from './scanner.ts';
import { ToolTable } from './tool-table.ts';
import { VisibleText } from './visible-text.ts';

/** What the frame is reading. */
type State =
  /** What the user sees. */
  | 'text'
  /** The model's thinking. */
  | 'reasoning'
  /** A call, behind its opener. */
  | 'call'
  /** A result that the model has made up: nothing of it is delivered. */
  | 'fabricated';

/** A broken block is read again from its first closer at most this often in a reply, so that work stays linear. */
const mostResumes = 8;

/** The frame around every grammar: visible text, reasoning and calls, one after the other. */
export function createFrame(grammar: Grammar, context: ParseContext): StageFactory<string, Span> {
  return (sink) => new Frame(grammar, context, sink);
}

const defaultPolicy: Omit<ParsePolicy, 'names'> = {
  fences: 'text',
  undeclared: 'text',
  maxCalls: Number.POSITIVE_INFINITY,
};

const defaultCallLength = 8 * 1024 * 1024;

class Frame implements Stage<string> {
  readonly #scanner = new Scanner();
  readonly #call: CallWriter;
  readonly #visible: VisibleText;
  readonly #reasoning: ReasoningText;
  #state: State;
  #reader: CallReader | undefined;
  #resumes = 0;

  constructor(grammar: Grammar, context: ParseContext, sink: Sink<Span>) {
    const policy = { ...defaultPolicy, names: grammar.names, ...context.policy };
    const limits = { callLength: defaultCallLength, ...context.limits };
    const tools = new ToolTable(context.tools, policy.names);
    this.#call = new CallWriter({ sink, tools, policy, limits });
    this.#visible = new VisibleText({ grammar, policy, sink, callCount: () => this.#call.count });
    this.#reasoning = new ReasoningText(grammar, sink);
    this.#state = 'text';
    if (context.opened === 'reasoning') this.#openReasoning('</think>');
  }

  push(input: string): void {
    this.#scanner.feed(input);
    this.#advance();
  }

  end(cut?: GatewayError): void {
    this.#scanner.end(cut !== undefined);
    this.#advance();
    while (this.#state === 'call' && this.#resumeBehindBrokenCall()) this.#advance();
  }

  #advance(): void {
    while (this.#step());
  }

  /** Reads as far as one state goes; false when more input is needed. */
  #step(): boolean {
    switch (this.#state) {
      case 'text':
        return this.#readText();
      case 'reasoning':
        return this.#readReasoning();
      case 'call':
        return this.#readCall();
      case 'fabricated':
        this.#scanner.at = this.#scanner.text.length;
        return false;
    }
  }

  #readText(): boolean {
    const found = this.#visible.read(this.#scanner);
    switch (found.kind) {
      case 'more':
        return false;
      case 'on':
        return true;
      case 'reasoning':
        this.#openReasoning(found.close);
        return true;
      case 'fabricated':
        this.#state = 'fabricated';
        return true;
      case 'call':
        this.#openCall(found.opening);
        return true;
    }
  }

  #openReasoning(close: string): void {
    this.#state = 'reasoning';
    this.#reasoning.open(close);
  }

  #readReasoning(): boolean {
    if (this.#reasoning.read(this.#scanner) === 'more') return false;
    this.#state = 'text';
    this.#visible.touchMarker();
    return true;
  }

  #openCall(opening: Opening): void {
    const scanner = this.#scanner;
    this.#state = 'call';
    this.#call.begin(scanner.position());
    this.#consume(scanner.at, opening.end);
    scanner.at = opening.end;
    this.#reader = opening.read(this.#call);
  }

  #readCall(): boolean {
    const scanner = this.#scanner;
    const from = scanner.at;
    const progress = this.#reader?.read(scanner) ?? 'broken';
    this.#consume(from, scanner.at);
    switch (progress) {
      case 'more':
        return false;
      case 'again':
        this.#call.finish();
        this.#call.begin(scanner.position());
        return true;
      case 'done':
        this.#call.finish();
        this.#visible.touchMarker();
        break;
      case 'broken':
        this.#call.cut('something stands in it that cannot stand there');
        this.#visible.expectStrayCloser();
        break;
    }
    this.#reader = undefined;
    this.#state = 'text';
    return true;
  }

  /** Keeps the model's own characters of a call; an undeclared one delivers them as text. */
  #consume(from: number, to: number): void {
    const { text } = this.#scanner;
    if (to > from) this.#call.raw(from === 0 && to === text.length ? text : text.slice(from, to));
  }

  /** The input is over inside a call. True when there is a rest that has to be read again. */
  #resumeBehindBrokenCall(): boolean {
    const reader = this.#reader;
    this.#reader = undefined;
    this.#state = 'text';
    this.#resumes += 1;
    const resume = (raw: string) => (this.#resumes > mostResumes ? -1 : (reader?.resume?.(raw) ?? -1));
    const unread = this.#scanner.text.slice(this.#scanner.at);
    this.#call.raw(unread);
    this.#scanner.at = this.#scanner.text.length;
    const rest = this.#call.cutBefore(resume, 'it broke off');
    if (rest === '') return false;
    this.#visible.expectStrayCloser();
    this.#scanner.feed(rest);
    return true;
  }
}
