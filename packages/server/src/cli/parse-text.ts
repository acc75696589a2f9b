import {
  type Dialect,
  type ExplainedReply,
  explainReply,
  findCalls,
  type ParseContext,
  parseAllToolCalls,
  recogniseDialect,
  taughtDialect,
  type Warning,
} from '@dragoman/core';
import { hintsFor } from './hints-for.ts';
import { type ParseFlags, printReply, type ReadReply } from './print-reply.ts';
import { readDialects } from './read-dialects.ts';
import { readInput } from './read-input.ts';
import { readToolsFile } from './read-tools.ts';
import type { Terminal } from './terminal.ts';

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
