import {
  type CollectedMessage,
  type Dialect,
  type ExplainedRange,
  type ExplainedReply,
  explainReply,
  findCalls,
  type ParseContext,
  parseAllToolCalls,
  recogniseDialect,
  type ToolDefinition,
  taughtDialect,
  type Warning,
} from '@dragoman/core';
import { harmless } from '../log/harmless.ts';
import { hintsFor, type RangeHints } from './hints-for.ts';
import { readDialects } from './read-dialects.ts';
import { readInput } from './read-input.ts';
import { readToolsFile } from './read-tools.ts';
import type { Terminal } from './terminal.ts';

/** The options of `dragoman parse` that say how a whole reply is read and shown. */
export interface ParseFlags {
  readonly config?: string;
  readonly dialect?: string;
  readonly tools?: string;
  readonly anyTool?: boolean;
  readonly json?: boolean;
  readonly explain?: boolean;
}

/** A reply that was read, and how. */
export interface ReadReply {
  /** The id of the dialect, or `any`. */
  readonly dialect: string;
  /** Who chose the dialect: the caller, the reply by its calls or by one that broke off, or nobody, since none is found. */
  readonly chosen: 'named' | 'recognised' | 'begun' | 'assumed';
  /** What can be called. */
  readonly tools: readonly ToolDefinition[];
  /** Tools are declared, and the dialect tells a call by their names alone. */
  readonly byName: boolean;
  readonly reply: CollectedMessage;
  readonly explained: ExplainedReply;
  /** By range: why it is no call. */
  readonly hints: readonly RangeHints[];
}

/** The most of a range that an explanation quotes, in UTF-16 units. */
const longestQuote = 120;

const chosenBy: Readonly<Record<ReadReply['chosen'], string>> = {
  named: '',
  recognised: ', recognised by its calls',
  begun: ', recognised by a call that broke off',
  assumed: ', since no dialect finds a call',
};

/**
 * A reply for people, in the words of the pages of cases: a line for each range. Explained, with its offsets, markup as
 * well, and below each what there is to say of it.
 */
export function printReply(read: ReadReply, { explain }: ParseFlags): string {
  const { ranges } = read.explained;
  const lines = [`dialect ${read.dialect}${chosenBy[read.chosen]}`, ''];
  if (explain === true) {
    const text = ranges.map(({ written }) => written).join('');
    const width = String(ranges.at(-1)?.to ?? 0).length;
    ranges.forEach((range, at) => {
      lines.push(...explainRange(range, { hints: read.hints[at], width, text, tools: read.tools }));
    });
    if (read.byName && ranges.every(({ outcome }) => outcome !== 'call')) {
      lines.push('', `In "${read.dialect}" a call begins with the name of a declared tool: ${namesOf(read.tools)}.`);
    }
  } else {
    for (const range of ranges) {
      if (range.outcome !== 'markup') lines.push(found(range, range.written));
      for (const warning of range.warnings) lines.push(`warning ${told(warning)}`);
    }
  }
  return `${lines.map(harmless).join('\n')}\n`;
}

function found({ outcome, call }: ExplainedRange, written: string): string {
  if (call === undefined) return `${outcome} ${JSON.stringify(written)}`;
  const id = call.nativeId === undefined ? '' : ` id=${call.nativeId}`;
  const form = call.of === undefined ? '' : ` (${call.of})`;
  const text = call.text === undefined ? '' : ` with the text ${JSON.stringify(call.text)}`;
  return `call ${call.name}${id}${form} ${call.arguments}${text}`;
}

function told({ code, message, at }: Warning): string {
  return `${code}${at === undefined ? '' : ` at ${at}`}: ${message}`;
}

function explainRange(
  range: ExplainedRange,
  options: {
    readonly hints: RangeHints | undefined;
    readonly width: number;
    /** The whole reply. */
    readonly text: string;
    readonly tools: readonly ToolDefinition[];
  },
): readonly string[] {
  const { hints, width, text, tools } = options;
  const place = `${String(range.from).padStart(width)}-${String(range.to).padEnd(width)}  `;
  const below = ' '.repeat(place.length);
  const reasons = [
    ...range.warnings.map((warning) => `${told(warning)}${after(warning, { text, tools })}`),
    ...(hints?.markers ?? []).map(
      ({ marker, at }) => `${JSON.stringify(marker)} at ${at} is in prose, or what follows it is not a call.`,
    ),
    ...(hints?.lookAlikes ?? []).map(
      ({ written, at, marker }) =>
        `${JSON.stringify(written)} at ${at} is not a marker here; ${JSON.stringify(marker)} is.`,
    ),
    ...(hints?.unclosed === true ? ['The reasoning was never closed, so the rest of the reply is reasoning.'] : []),
    ...(hints?.elsewhere ?? []).map(
      ({ dialects, name, from }) => `This is ${dialects.join(' or ')}: read so, it calls ${name} at ${from}.`,
    ),
  ];
  return [`${place}${found(range, shortened(range.written))}`, ...reasons.map((reason) => below + reason)];
}

/** So many tools are named. */
const mostNames = 8;

function namesOf(tools: readonly ToolDefinition[]): string {
  const more = tools.length > mostNames ? ` and ${tools.length - mostNames} more` : '';
  return `${tools
    .slice(0, mostNames)
    .map(({ name }) => JSON.stringify(name))
    .join(', ')}${more}`;
}

/** What is where a call broke, or what could be called instead. */
function after(
  { code, at }: Warning,
  { text, tools }: { readonly text: string; readonly tools: readonly ToolDefinition[] },
): string {
  if (code === 'call-undeclared' && tools.length > 0) return ` Declared: ${namesOf(tools)}.`;
  if (code !== 'call-cut' || at === undefined) return '';
  return at >= text.length ? ' The reply ends there.' : ` There is ${JSON.stringify(text.slice(at, at + 20))}.`;
}

/** The beginning and the end of a long text. */
function shortened(text: string): string {
  if (text.length <= longestQuote) return text;
  return `${text.slice(0, longestQuote / 2)} … ${text.slice(-longestQuote / 2)}`;
}

/**
 * `dragoman parse` without `--jsonl`: reads one reply of a model from standard input and tells what is found in it.
 * Throws CommandError for a dialect or tools that do not exist. Returns the exit code.
 */
export async function parseText(terminal: Terminal, flags: ParseFlags): Promise<number> {
  const tools = flags.tools === undefined ? [] : await readToolsFile(terminal, flags.tools);
  const known = readDialects(terminal, flags);
  const context: ParseContext = { tools, policy: flags.anyTool === true ? { undeclared: 'forward' } : {} };
  const named = flags.dialect === undefined ? undefined : known.find(flags.dialect);
  const text = await readInput(terminal, 'The reply');
  const recognised =
    named === undefined ? recogniseDialect(text, { ...context, own: [...known.own.values()] }) : undefined;
  const dialect = named ?? recognised ?? known.find(taughtDialect);
  const byName = !readsUndeclared(dialect);
  if (named !== undefined && flags.anyTool === true && byName) {
    terminal.stderr.write(
      `The dialect "${named.id}" tells a call by the name of a declared tool: name the tools with --tools.\n`,
    );
  }
  if (tools.length === 0 && flags.anyTool !== true) {
    terminal.stderr.write(
      'No tools are declared, so nothing can be called: name them with --tools, or read calls of any tool with --any-tool.\n',
    );
  }
  const explained = withoutAsked(explainReply(text, dialect, context), flags);
  const read: ReadReply = {
    dialect: flags.dialect ?? dialect.id,
    chosen:
      named !== undefined
        ? 'named'
        : recognised === undefined
          ? 'assumed'
          : findsCalls(text, recognised, context)
            ? 'recognised'
            : 'begun',
    tools,
    byName: byName && tools.length > 0,
    reply: parseAllToolCalls(text, { dialect, ...context }),
    explained,
    hints: flags.explain === true ? hintsFor(text, explained, { dialect, context }) : [],
  };
  terminal.stdout.write(flags.json === true ? `${JSON.stringify(asJson(read, flags))}\n` : printReply(read, flags));
  return 0;
}

/** Who wants calls of any tool knows that they are not declared. */
function withoutAsked(explained: ExplainedReply, { anyTool }: ParseFlags): ExplainedReply {
  if (anyTool !== true) return explained;
  const isNews = ({ code }: Warning): boolean => code !== 'call-undeclared';
  const ranges = explained.ranges.map((range) => ({ ...range, warnings: range.warnings.filter(isNews) }));
  return { ...explained, ranges };
}

/** Whether it was recognised by whole calls, of any tool. */
function findsCalls(text: string, dialect: Dialect, context: ParseContext): boolean {
  const forwarding: ParseContext = { ...context, policy: { ...context.policy, undeclared: 'forward' } };
  return findCalls(text, dialect, forwarding).length > 0;
}

/** Whether a call of a tool that nobody declared can be found in this dialect, written as the dialect itself writes it. */
function readsUndeclared(dialect: Dialect): boolean {
  const call = { callId: 'call', name: 'lookup', arguments: '{"word":"a"}', ordinal: 0 };
  const written = dialect.renderCalls([call], [{ name: call.name, inputSchema: true }]);
  return findCalls(written, dialect, { tools: [], policy: { undeclared: 'forward' } }).length > 0;
}

function asJson({ dialect, chosen, reply, explained, hints }: ReadReply, { explain }: ParseFlags): object {
  const { ranges } = explained;
  const calls = ranges.flatMap(({ call, from, to }) => (call === undefined ? [] : [{ ...call, from, to }]));
  return {
    dialect,
    recognised: chosen === 'recognised' || chosen === 'begun',
    text: reply.text,
    reasoning: reply.reasoning,
    calls,
    warnings: ranges.flatMap(({ warnings }) => warnings),
    complete: ranges.every(({ warnings }) => warnings.every(({ code }) => code !== 'call-cut')),
    ...(explain === true ? { ranges: ranges.map((range, at) => ({ ...range, ...hints[at] })) } : {}),
  };
}
