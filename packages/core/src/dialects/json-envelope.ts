import type { ToolChoice, ToolDefinition } from '../chat/tool.ts';
import { turnMarkers } from '../chat/turn-markers.ts';
import type { DragomanError } from '../errors.ts';
import { backslash, closeBrace, doubleQuote, isSpace, skipSpace } from '../json/json-characters.ts';
import { StringDecoder } from '../json/string-decoder.ts';
import type { Sink, Stage } from '../stream/stage.ts';
import type { Dialect, ParseContext, Span, ToolPrompt } from './dialect.ts';
import { afterAnswerKey, answerKey } from './parser/calls/answer-text.ts';
import { ruleList, toolLines } from './render/lesson.ts';
import { createRequiredJsonParser } from './required-json.ts';

export { answerKey } from './parser/calls/answer-text.ts';

/**
 * What a reply may be that is one JSON object: only a call; a call, or an answer in words; a call, or an answer that is JSON itself.
 */
export type EnvelopeAnswers = 'none' | 'text' | 'json';

const made = new WeakMap<Dialect, Map<EnvelopeAnswers, Dialect>>();

/**
 * The dialect of servers that let a model write nothing but JSON that fits a schema: its reply is one object, a call
 * (`{"name": …, "arguments": {…}}`) or an answer (`{"answer": …}`), of which arguments and answer leave while they are written. Results
 * and markers are those of the model's own dialect, by which a reply is read that is no such object: then the server did not heed the
 * schema, or the model has thought first.
 */
export function jsonEnvelope(own: Dialect, answers: EnvelopeAnswers): Dialect {
  const known = made.get(own) ?? new Map<EnvelopeAnswers, Dialect>();
  made.set(own, known);
  const dialect = known.get(answers) ?? envelopeOf(own, answers);
  known.set(answers, dialect);
  return dialect;
}

function envelopeOf(own: Dialect, answers: EnvelopeAnswers): Dialect {
  return {
    id: 'json-envelope',
    summary: '`{"name":…,"arguments":{…}}` or `{"answer":…}`, and nothing else',
    markers: (tools) => own.markers(tools),
    renderTools: (tools, prompt) => renderLesson(tools, { ...prompt, answers, strays: own.markers(tools) }),
    renderCalls: (calls) =>
      calls.map(({ name, arguments: given }) => `{"name": ${JSON.stringify(name)}, "arguments": ${given}}`).join('\n'),
    renderResults: (results) => own.renderResults(results),
    createParser: (context) => (sink) => createReader(own, { answers, context, sink }),
  };
}

interface Reading {
  readonly answers: EnvelopeAnswers;
  readonly context: ParseContext;
  readonly sink: Sink<Span>;
}

/** Reads the envelope; what is none is read in the model's own dialect, and after thinking that this finds it may still come. */
function createReader(own: Dialect, { answers, context, sink }: Reading): Stage<string> {
  const call = (): Stage<string> =>
    createRequiredJsonParser(context, { choice: 'auto', strays: own.markers(context.tools), onlyNamed: true })(
      (span) => {
        if (span.kind !== 'call') sink(span);
        // It is what the model was taught.
        else
          sink({ kind: 'call', name: span.name, ...(span.nativeId === undefined ? {} : { nativeId: span.nativeId }) });
      },
    );
  const asText = (): Stage<string> => ({ push: (text) => sink({ kind: 'text', text }), end: () => {} });
  const inOwn = (): Stage<string> => {
    const inner = new EnvelopeReader({ answers, sink, call, other: asText });
    const parser = own.createParser(context)((span) => {
      if (span.kind === 'text') inner.push(span.text);
      else sink(span);
    });
    return {
      push: (text) => parser.push(text),
      end: (cut) => {
        parser.end(cut);
        inner.end(cut);
      },
    };
  };
  return new EnvelopeReader({ answers, sink, call, other: inOwn });
}

interface EnvelopeParts extends Pick<Reading, 'answers' | 'sink'> {
  /** Reads an object that is no answer. */
  readonly call: () => Stage<string>;
  /** Reads what is no object. */
  readonly other: () => Stage<string>;
}

/** So much may come before the answer's value; it is white space, but for the key. */
const longestFront = 256;

/**
 * `front`: it is not known yet what the reply is. `words`: within an answer's string. `value`: within an answer that is JSON.
 * `behind`: the answer is whole, and nothing but the end of the object may follow. `rest`: somebody else reads.
 */
type EnvelopeState = 'front' | 'words' | 'value' | 'after' | 'rest';

class EnvelopeReader implements Stage<string> {
  readonly #parts: EnvelopeParts;
  #state: EnvelopeState = 'front';
  #front = '';
  readonly #words = new StringDecoder(doubleQuote);
  #depth = 0;
  #quoted = false;
  #escaped = false;
  #closed = false;
  #rest: Stage<string> | undefined;

  constructor(parts: EnvelopeParts) {
    this.#parts = parts;
  }

  push(text: string): void {
    let rest = text;
    while (rest !== '') rest = this.#step(rest);
  }

  end(cut?: DragomanError): void {
    if (this.#state === 'front' && this.#front !== '') this.#handOver(this.#parts.other(), this.#front);
    this.#say(this.#words.half);
    this.#rest?.end(cut);
  }

  /** Reads as far as one state goes, and returns what is left. */
  #step(text: string): string {
    switch (this.#state) {
      case 'front':
        return this.#readFront(text);
      case 'words':
        return this.#readWords(text);
      case 'value':
        return this.#readValue(text);
      case 'after':
        return this.#readAfter(text);
      case 'rest':
        this.#rest?.push(text);
        return '';
    }
  }

  #readFront(text: string): string {
    const { answers, call, other } = this.#parts;
    this.#front += text;
    const value = afterAnswerKey(this.#front.slice(0, longestFront));
    if (value === 'more' && this.#front.length < longestFront) return '';
    if (typeof value === 'number' && answers !== 'none') {
      const isString = answers === 'text' && this.#front.charCodeAt(value) === doubleQuote;
      this.#state = isString ? 'words' : 'value';
      return this.#front.slice(value + (isString ? 1 : 0));
    }
    const isObject = value !== 'more' && this.#front.charAt(skipSpace(this.#front, 0)) === '{';
    this.#handOver(isObject ? call() : other(), this.#front);
    return '';
  }

  #handOver(to: Stage<string>, text: string): void {
    this.#rest = to;
    this.#state = 'rest';
    to.push(text);
  }

  #readWords(text: string): string {
    const at = this.#words.readOn(text);
    this.#say(this.#words.piece);
    if (this.#words.closed) this.#state = 'after';
    return text.slice(at);
  }

  /** Any JSON value, as it is written, up to the end of the object that it is in. */
  #readValue(text: string): string {
    let at = 0;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (this.#quoted) {
        if (this.#escaped) this.#escaped = false;
        else if (code === backslash) this.#escaped = true;
        else if (code === doubleQuote) this.#quoted = false;
      } else if (code === doubleQuote) this.#quoted = true;
      else if (isOpener(code)) this.#depth += 1;
      else if (isCloser(code)) {
        if (this.#depth === 0) break;
        this.#depth -= 1;
      }
    }
    this.#say(text.slice(0, at));
    if (at < text.length) this.#state = 'after';
    return text.slice(at);
  }

  /** White space and one brace say nothing; what else is here is none of it, and is delivered as it is. */
  #readAfter(text: string): string {
    let at = 0;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === closeBrace && !this.#closed) this.#closed = true;
      else if (!isSpace(code)) break;
    }
    if (at < text.length) this.#handOver({ push: (rest) => this.#say(rest), end: () => {} }, text.slice(at));
    return '';
  }

  #say(text: string): void {
    if (text !== '') this.#parts.sink({ kind: 'text', text });
  }
}

function isOpener(code: number): boolean {
  return code === 0x7b || code === 0x5b;
}

function isCloser(code: number): boolean {
  return code === closeBrace || code === 0x5d;
}

interface EnvelopeLesson extends ToolPrompt {
  readonly answers: EnvelopeAnswers;
  /** The markers of the model's own dialect. */
  readonly strays: readonly string[];
}

/**
 * The system text that teaches the tools, and asks for nothing but the object. Strays are escaped in it, but for those that are JSON: as
 * the tools are, and the reply.
 */
function renderLesson(tools: readonly ToolDefinition[], { choice, answers, strays }: EnvelopeLesson): string {
  const parts = [
    '# Tools',
    `${introOf(choice, answers)} Each line describes one tool as JSON, with the JSON Schema of its parameters.`,
    toolLines(tools, [...turnMarkers, ...strays.filter((stray) => !stray.includes('"'))]).join('\n'),
    answers === 'none'
      ? 'Call it with one JSON object that holds its name and its arguments:'
      : 'Your reply is one JSON object. To call a tool, it holds its name and its arguments:',
    '{"name": "TOOL_NAME", "arguments": {"PARAMETER": "VALUE"}}',
    ...answerForms[answers],
    ruleList([
      'Your reply is this object and nothing else: no words around it and no code fence.',
      'Call only a tool described here, by its exact name, and give every required parameter.',
      'Its result comes in the next message: never write or guess it yourself.',
    ]),
  ];
  return parts.join('\n\n');
}

function introOf(choice: ToolChoice, answers: EnvelopeAnswers): string {
  if (answers !== 'none') return 'You can call the tools below.';
  const which = typeof choice === 'object' ? `the tool ${choice.name}` : 'one of the tools below';
  return `Your next reply must call ${which}.`;
}

// Without an example, whose words a small model would write as its answer.
const answerForms: Readonly<Record<EnvelopeAnswers, readonly string[]>> = {
  none: [],
  text: [`Where no tool helps, its only key is "${answerKey}", with your answer in words.`],
  json: [`Where no tool helps, its only key is "${answerKey}", with your answer, which is JSON itself.`],
};
