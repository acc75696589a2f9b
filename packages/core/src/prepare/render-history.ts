import { Remembered } from '../chat/known-texts.ts';
import { madeOnce } from '../chat/made-once.ts';
import {
  type AssistantMessage,
  type ImagePart,
  type Message,
  type Part,
  type SystemMessage,
  type TextPart,
  textOf,
  type UserMessage,
} from '../chat/message.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { ToolCall, ToolChoice, ToolDefinition } from '../chat/tool.ts';
import { keyOfTools } from '../chat/tools-key.ts';
import type { Warning } from '../chat/warning.ts';
import type { Dialect, PastCall, PastResult } from '../dialects/dialect.ts';
import type { PromptRule } from '../plan/rules.ts';
import { EscapedSpeech, type SpeechMarkers } from './escaped-speech.ts';
import { exampleExchange } from './example-exchange.ts';
import { after, withText } from './fold-notes.ts';
import { matchResults } from './match-results.ts';
import type { MatchedCall, MatchedHistory } from './matched-history.ts';
import { mergeTurns, type TextTurn } from './merge-turns.ts';
import { afterSystem } from './place-format.ts';
import { placementOf, placeSystem } from './place-system.ts';
import { noteResults, type PromptNotes } from './prompt-notes.ts';
import { remindOfCalls } from './remind-of-tools.ts';
import { formatToolResults, resultMarkers } from './render-results.ts';
import { unseenImage, unseenImages } from './result-text.ts';
import { type Saving, shortenResults } from './shorten-results.ts';

/** What of a request is told as text. */
export type ToldRequest = Pick<ChatRequest, 'messages' | 'tools' | 'toolChoice' | 'parallelToolCalls'>;

/** A request, and how it is to be written as text. */
export interface TextRequest {
  readonly request: ToldRequest;
  readonly dialect: Dialect;
  readonly rule: PromptRule;
  /** The id that the model itself gave a past call, where the client's id tells. */
  readonly nativeIdOf: (call: ToolCall) => string | undefined;
  /** The reply will be read with names in any letter case, so markers count in any case too. Default false. */
  readonly anyCase?: boolean;
  /** Further sentences about calls, where tools are taught. */
  readonly callRules?: readonly string[];
  /** The prompt is too long: results are shortened by so much, or as far as they can be. */
  readonly saving?: Saving | undefined;
}

/** A conversation as text, before its parts are put where the upstream reads them. */
export interface WrittenHistory {
  /** System messages, and everything that was said, in order. */
  readonly turns: readonly TextTurn[];
  /** What teaches the tools; empty: none are taught. */
  readonly toolText: string;
  /** A made-up exchange that shows the form of a call. */
  readonly example: readonly Message[];
  /** What the last message of the user ends with. */
  readonly reminder: string;
  /** What was said is foreign text, in which nothing may look like something of ours: tools are, or were, in use. */
  readonly foreign: boolean;
  readonly warnings: readonly Warning[];
  readonly notes: PromptNotes;
}

/** A conversation as text. */
export interface TextMessages {
  /** Only system, user and assistant messages; only text, and images where the upstream reads them. */
  readonly messages: readonly Message[];
  readonly warnings: readonly Warning[];
  readonly notes: PromptNotes;
}

/**
 * Writes a conversation for an upstream that knows only text: the tools are taught in the system text, past calls stand
 * in the dialect's own syntax, and the results of a round are the next user turn, in the order of the calls. Past
 * reasoning is not replayed. With `toolChoice: 'none'` nothing is taught, but past calls and results stay.
 *
 * In a conversation with tools, the dialect's markers and the tokens of chat templates are escaped in all that users, tools
 * and the assistant said, and in the arguments of past calls: the client has the model's own words without escapes, and what
 * they quote is foreign text. Without tools, now or in the past, only word joiners of a text's own are escaped: what reads the
 * reply takes one of each run out.
 *
 * Throws DragomanError `invalid-tool-results` as `matchResults` does, `context-too-long` where more than four million characters
 * were said, or two in arguments of calls, and `bad-request` where more than a hundred thousand places have to be escaped.
 * The request is never changed.
 */
export function prepareTextMessages(options: TextRequest): TextMessages {
  return placeHistory(writeHistory(options), options.rule);
}

/** The first half of `prepareTextMessages`: everything as text, nothing in its place yet. Throws as that does. */
export function writeHistory(options: TextRequest): WrittenHistory {
  const { request, dialect, rule } = options;
  const taught = request.tools.length > 0 && request.toolChoice !== 'none';
  const found = matchResults(request.messages, rule.results);
  const matched = options.saving === undefined ? found : shortenResults(found, options.saving);
  const history = new TextHistory(options, { matched, taught });
  const turns = matched.messages.flatMap((message, at) => history.turnsOf(message, at));
  const example = taught && rule.exampleCall ? exampleExchange(dialect, request.tools) : [];
  const results = noteResults(matched.messages, matched);
  return {
    turns,
    toolText: taught ? lessonOf(options) : '',
    example,
    reminder: taught && rule.reminder ? remindOfCalls(dialect, request.tools) : '',
    foreign: history.speech.isForeign,
    warnings: [...matched.warnings, ...history.warnings()],
    notes: results === undefined ? {} : { results },
  };
}

function lessonOf({ request, dialect, callRules = [] }: TextRequest): string {
  const { tools, toolChoice: choice, parallelToolCalls: parallel } = request;
  const lesson = teachTools(dialect, { tools, choice, parallel });
  return [lesson, ...callRules].join('\n\n');
}

/** The second half: system text, tools and the example in their places. */
export function placeHistory(written: WrittenHistory, rule: PromptRule): TextMessages {
  const { turns, toolText, example, reminder, warnings, notes } = written;
  const spoken = afterLast(mergeTurns(turns), reminder);
  const placed = placeSystem(afterSystem(spoken, example), { toolText, ...placementOf(rule) });
  return {
    messages: placed.messages,
    warnings: [...warnings, ...placed.warnings],
    notes: { system: placed.system, ...notes },
  };
}

/** The messages with a text after the last one, if that is the user's. */
function afterLast(messages: readonly Message[], text: string): readonly Message[] {
  const last = messages.at(-1);
  if (text === '' || last?.role !== 'user') return messages;
  return [...messages.slice(0, -1), { ...last, content: withText(last.content, text) }];
}

/** What is escaped in foreign text. */
export function speechMarkersOf(options: Pick<TextRequest, 'request' | 'dialect' | 'rule' | 'anyCase'>): SpeechMarkers {
  const { dialect, request, rule, anyCase = false } = options;
  const frames = rule.results.format === 'native' ? [] : resultMarkers;
  return { dialect, tools: request.tools, anyCase, frames };
}

/** Turns one message after the other into text, and counts what had to be changed. */
class TextHistory {
  readonly #options: TextRequest;
  readonly #matched: MatchedHistory;
  readonly speech: EscapedSpeech;
  #images = 0;

  constructor(options: TextRequest, known: { readonly matched: MatchedHistory; readonly taught: boolean }) {
    this.#options = options;
    this.#matched = known.matched;
    const foreign = known.taught || known.matched.rounds.size > 0 || known.matched.orphans.size > 0;
    this.speech = new EscapedSpeech(foreign ? speechMarkersOf(options) : undefined);
  }

  /** A system message, too, keeps only what the upstream reads; its text is the client's own, and markers in it stay. */
  turnsOf(message: Message, at: number): readonly TextTurn[] {
    switch (message.role) {
      case 'system':
        return [{ message: this.#readable(message, (part) => said(part, this.speech.escapeJoiners(part.text))) }];
      case 'user':
        return [{ message: this.#readable(this.#together(message), (part) => this.#foreign(part)) }];
      case 'assistant':
        return this.#assistantTurns(message, at);
      case 'tool': {
        const orphan = this.#matched.orphans.get(at);
        if (orphan === undefined) return [];
        return [{ message: this.#userTurn(this.speech.escape(orphan), []), made: true, tellsResults: true }];
      }
      default:
        return message satisfies never;
    }
  }

  warnings(): readonly Warning[] {
    const warnings: Warning[] = [];
    const { count: escapes } = this.speech;
    if (escapes > 0) {
      const message = `${escapes} marker(s) of the dialect or of chat templates in what was said before were escaped.`;
      warnings.push({ code: 'text-escaped', message });
    }
    if (this.#images > 0) {
      warnings.push({ code: 'part-dropped', message: `${this.#images} image(s) were replaced by a note.` });
    }
    return warnings;
  }

  #assistantTurns(message: AssistantMessage, at: number): readonly TextTurn[] {
    const round = this.#matched.rounds.get(at);
    const said = message.content.filter((part) => part.type === 'text');
    const refused = said.some((part) => part.refusal === true);
    const foreign = said.map((part) => this.#foreign(part));
    const parts = refused ? foreign.map(asPlainText) : foreign;
    if (round === undefined) {
      const unchanged =
        !refused &&
        parts.every((part, index) => part === message.content[index]) &&
        parts.length === message.content.length;
      // A message that held only reasoning says nothing to the model.
      if (parts.length === 0 && message.content.length > 0) return [];
      return [{ message: unchanged ? message : { ...message, content: parts } }];
    }
    const { dialect, request, nativeIdOf } = this.#options;
    const given = round.map(({ call, ordinal }): PastCall => {
      const { callId, name, arguments: json } = call;
      const nativeId = nativeIdOf(call);
      const past = { callId, name, arguments: json, ordinal };
      return nativeId === undefined ? past : { nativeId, ...past };
    });
    const { calls, text: told } = this.speech.calls(given, (each) => dialect.renderCalls(each, request.tools));
    const before = textOf(parts);
    const gap = before === '' || before.endsWith('\n') ? '' : '\n';
    const text = before + gap + told;
    return [
      { message: { ...message, content: [{ type: 'text', text }] }, made: true },
      { message: this.#resultTurn(round, calls), made: true, tellsResults: true },
    ];
  }

  #resultTurn(round: readonly MatchedCall[], calls: readonly PastCall[]): Message {
    const { dialect, rule } = this.#options;
    const results = calls.map((call, at): PastResult => {
      const { status = 'missing', text = '' } = round[at] ?? {};
      return { call, status, text: this.speech.escape(text) };
    });
    const { format, ascii } = rule.results;
    const text =
      format === 'native'
        ? this.speech.results(results, (each) => dialect.renderResults(each))
        : formatToolResults(results, { format, ascii });
    const notes = round.flatMap(({ result }) => result?.message.note ?? []);
    return this.#userTurn(
      notes.reduce(after, text),
      round.flatMap((matched) => matched.images),
    );
  }

  #userTurn(text: string, images: readonly ImagePart[]): Message {
    if (this.#options.rule.images) return { role: 'user', content: [{ type: 'text', text }, ...images] };
    this.#images += images.length;
    const told = images.length === 0 ? text : after(text, unseenImages);
    return { role: 'user', content: [{ type: 'text', text: told }] };
  }

  /** A message as the upstream reads it. The very same one when nothing had to change: it stays byte for byte what it was. */
  #readable<Kind extends SystemMessage | UserMessage>(message: Kind, text: (part: TextPart) => TextPart): Kind {
    let changed = false;
    const content = message.content.map((part): Part => {
      const readable = part.type === 'text' ? text(part) : this.#image(part);
      changed ||= readable !== part;
      return readable;
    });
    return changed ? { ...message, content } : message;
  }

  /** Servers may join the parts of a message, so texts that are a marker only together become one part. */
  #together(message: UserMessage): UserMessage {
    const texts = message.content.filter((part) => part.type === 'text');
    const [first, ...others] = texts;
    const words = texts.map(({ text }) => text);
    if (first === undefined || others.length === 0 || !this.speech.joinToMarker(words)) return message;
    const images = message.content.filter((part) => part.type === 'image');
    return { ...message, content: [{ ...first, text: textOf(texts) }, ...images] };
  }

  #image(part: ImagePart): Part {
    if (this.#options.rule.images) return part;
    this.#images += 1;
    return { type: 'text', text: this.speech.escape(unseenImage(part)) };
  }

  #foreign(part: TextPart): TextPart {
    return said(part, this.speech.escape(part.text));
  }
}

/** The very same part where it says the same. */
function said(part: TextPart, text: string): TextPart {
  return text === part.text ? part : { ...part, text };
}

/** Templates of chat models know no refusals. */
function asPlainText({ refusal: _, ...part }: TextPart): TextPart {
  return part;
}

/** The tools to be taught, and how they may be called. */
interface Lesson {
  readonly tools: readonly ToolDefinition[];
  readonly choice: ToolChoice;
  readonly parallel: boolean;
}

/** An agent sends the same tools with every request; this many different sets are remembered for each dialect. */
const maxRemembered = 16;

const remembered = madeOnce((_: Dialect) => new Remembered<string>(maxRemembered));

/** The dialect's documentation of the tools, rendered once for equal tools: equal in content, not in identity. */
export function teachTools(dialect: Dialect, { tools, choice, parallel }: Lesson): string {
  return remembered(dialect).of(JSON.stringify([choice, parallel]) + keyOfTools(tools), () =>
    dialect.renderTools(tools, { choice, parallel }),
  );
}
