import type { DragomanError } from '../../errors.ts';
import { endsInHalf } from '../../json/json-characters.ts';
import type { Sink, Stage, StageFactory } from '../../stream/stage.ts';
import { withDefaults } from '../../with-defaults.ts';
import type { ParseContext, Span } from '../dialect.ts';
import { defaultParsePolicy } from '../parse-policy.ts';
import { finalAnswer } from './calls/call-decision.ts';
import { CallWriter } from './calls/call-writer.ts';
import { ToolTable } from './calls/tool-table.ts';
import {
  answerTags,
  type CallReader,
  type Grammar,
  type Opening,
  type OpenValue,
  type Progress,
  type ReasoningEnds,
} from './grammar.ts';
import { ReasoningText } from './reasoning-text.ts';
import { Scanner } from './scanner.ts';
import { VisibleText } from './visible-text.ts';

/** What the parser is reading. */
type ReplyState =
  /** What the user sees. */
  | 'text'
  /** The model's thinking. */
  | 'reasoning'
  /** A call, after its opener. */
  | 'call'
  /** A result that the model has made up: nothing of it is delivered. */
  | 'fabricated';

/** So often at most is the rest of a broken block read again in one reply, so that work stays linear. */
const mostResumes = 8;

/**
 * The machine that reads replies of every dialect, by its grammar: visible text, reasoning and calls, one after the other, as
 * spans. The library's `createReplyParser` makes chat events of them.
 */
export function createSpanParser(grammar: Grammar, context: ParseContext): StageFactory<string, Span> {
  return (sink) => new ReplyParser({ grammar, context, sink });
}

const defaultCallLength = 8 * 1024 * 1024;

interface ReplyParserOptions {
  readonly grammar: Grammar;
  readonly context: ParseContext;
  readonly sink: Sink<Span>;
}

class ReplyParser implements Stage<string> {
  readonly #grammar: Grammar;
  readonly #scanner = new Scanner();
  readonly #call: CallWriter;
  readonly #visible: VisibleText;
  readonly #newReasoning: (ends: ReasoningEnds) => ReasoningText;
  #reasoning: ReasoningText | undefined;
  readonly #context: ParseContext;
  /** Where the call that is being read is in the reply, or where the last one ended. */
  #callAt = 0;
  #state: ReplyState = 'text';
  #reader: CallReader | undefined;
  /** What opened the call, and those after it that it has opened as well. */
  #opening: Opening | undefined;
  #resumes = 0;
  /** The value that the next input goes on with, where all before it was consumed. */
  #inside: OpenValue | undefined;
  /** How many more characters the call may have. */
  #room = 0;

  constructor({ grammar, context, sink }: ReplyParserOptions) {
    const policy = withDefaults({ ...defaultParsePolicy, names: grammar.names }, context.policy);
    const limits = withDefaults({ callLength: defaultCallLength }, context.limits);
    const tools = new ToolTable(context.tools, policy.names);
    const { watch, answered = () => {}, mayOpen = () => true } = context;
    this.#context = context;
    this.#call = new CallWriter({ sink, tools, policy, limits, answered, watch });
    const tagged = (policy.answers ?? (grammar.answerTags ? 'read' : 'text')) === 'read';
    const isTagged = tagged && tools.find(finalAnswer) === undefined;
    this.#visible = new VisibleText({
      grammar,
      tables: isTagged ? [grammar.markers, answerTags] : [grammar.markers],
      answered,
      policy,
      sink,
      mayOpen,
      watch,
      callCount: () => this.#call.count,
      callEnd: () => this.#callAt,
    });
    this.#grammar = grammar;
    const reports = policy.reasoning !== 'never';
    this.#newReasoning = (ends) => new ReasoningText({ grammar, sink, ends, reports, watch });
    if (context.opened === 'reasoning') this.#openReasoning(grammar.openedReasoning);
  }

  push(input: string): void {
    if (input === '') return;
    const inside = this.#inside;
    if (inside !== undefined && this.#passes(inside, input)) return;
    this.#scanner.feed(input);
    this.#advance();
    this.#inside = this.#findInside();
  }

  /** Inside a value what means nothing but itself goes on without being looked at as markup. */
  #passes(inside: OpenValue, input: string): boolean {
    const { length } = input;
    if (length > this.#room || endsInHalf(input) || !inside.pass(input)) return false;
    this.#room -= length;
    this.#scanner.pass(length);
    this.#call.raw(input);
    return true;
  }

  #findInside(): OpenValue | undefined {
    if (this.#state !== 'call' || !this.#call.leaves || !this.#scanner.isEmpty) return undefined;
    this.#room = this.#call.allowance;
    return this.#reader?.inside;
  }

  end(cut?: DragomanError): void {
    // The end must not be the first to show what comes before it: what was put off is looked at without it.
    this.#scanner.bounded = true;
    this.#advance();
    this.#scanner.bounded = false;
    this.#scanner.end(cut !== undefined);
    this.#advance();
    if (this.#state === 'reasoning' && cut === undefined) this.#context.unclosed?.();
    while (this.#state === 'call') {
      this.#consume(this.#scanner.at, this.#scanner.text.length);
      this.#scanner.at = this.#scanner.text.length;
      this.#cutCall('it broke off');
      this.#advance();
    }
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
    if (found === 'more') return false;
    if (found === 'fabricated') {
      this.#state = 'fabricated';
      this.#context.over?.();
    } else if (found !== 'on') {
      if ('read' in found) this.#openCall(found);
      else if (found.reasoning) this.#openReasoning(found.reasoning);
    }
    return true;
  }

  #openReasoning(ends: ReasoningEnds): void {
    this.#state = 'reasoning';
    this.#reasoning = this.#newReasoning(ends);
  }

  #readReasoning(): boolean {
    if (this.#reasoning?.read(this.#scanner) === 'more') return false;
    this.#state = 'text';
    if (this.#grammar.takes === 'everything') this.#visible.touchMarker();
    return true;
  }

  #openCall(opening: Opening): void {
    const scanner = this.#scanner;
    this.#state = 'call';
    this.#opening = opening;
    this.#callAt = scanner.position();
    this.#call.begin(this.#callAt, { padding: this.#visible.takePadding(), of: opening.of });
    for (const repair of opening.repairs ?? []) this.#call.repair(repair);
    this.#consume(scanner.at, opening.end);
    scanner.at = opening.end;
    this.#reader = opening.read(this.#call);
  }

  #readCall(): boolean {
    const scanner = this.#scanner;
    const from = scanner.at;
    // A call may have only so many characters: its reader sees no others, so that cuts don't matter here either.
    const { allowance } = this.#call;
    const tooLong = scanner.text.length - from > allowance;
    const progress = tooLong ? scanner.within(allowance, () => this.#readOn()) : this.#readOn();
    this.#consume(from, scanner.at);
    switch (progress) {
      case 'more':
        if (tooLong && this.#call.isText && scanner.at === from) this.#cutCall('');
        else if (tooLong) this.#call.exceed();
        if (this.#call.isText) this.#context.watch?.left?.(scanner.position());
        return tooLong;
      case 'again':
        this.#finishCall();
        this.#passCall();
        this.#call.begin(this.#callAt, { of: this.#opening?.of });
        return true;
      case 'done':
        if (this.#finishCall()) this.#visible.touchText(0);
        else this.#visible.touchMarker();
        this.#passCall();
        this.#state = 'text';
        return true;
      case 'broken':
        this.#cutCall('something is in it that cannot be there');
        return true;
    }
  }

  #readOn(): Progress {
    return this.#reader?.read(this.#scanner) ?? 'broken';
  }

  /** The call is whole. Returns whether it was delivered as the text it was written as. */
  #finishCall(): boolean {
    const asText = this.#call.finish();
    if (asText || this.#opening === undefined) return asText;
    this.#visible.passCall(this.#opening);
    return false;
  }

  /**
   * Delivers a broken call as text. Where it has swallowed its closer, only up to there: the rest is read again. Not where
   * the reply stopped short: what is in the unfinished call was perhaps only quoted in it.
   */
  #cutCall(reason: string): void {
    const resumes = this.#resumes < mostResumes && !this.#scanner.cut;
    const resume = resumes ? this.#reader?.resume : undefined;
    this.#reader = undefined;
    this.#state = 'text';
    const { rest, open, inFence } = this.#call.cut(this.#call.failure ?? reason, resume);
    this.#visible.touchText(open, inFence);
    if (rest !== '') {
      this.#resumes += 1;
      this.#scanner.giveBack(rest);
    }
    this.#passCall();
  }

  /** All that was found of the call that is after us has been let out. */
  #passCall(): void {
    const to = this.#scanner.position();
    this.#context.watch?.range(this.#callAt, to);
    this.#callAt = to;
  }

  /** Keeps the model's own characters of a call; an undeclared one delivers them as text. */
  #consume(from: number, to: number): void {
    const { text } = this.#scanner;
    if (to > from) this.#call.raw(from === 0 && to === text.length ? text : text.slice(from, to));
  }
}
