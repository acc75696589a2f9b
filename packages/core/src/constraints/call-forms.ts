import type { ToolChoice, ToolDefinition } from '../chat/tool.ts';
import type { Dialect, PastCall } from '../dialects/dialect.ts';
import type { Form } from './form.ts';
import { commonStart, type TaggedCall, taggedCall } from './tagged-call.ts';

/** What a reply with calls may be in the form of a dialect. */
export interface CallForms {
  /** One call, or several where the form of several does not count them. */
  readonly calls: Form;
  /** What every reply with calls begins with. */
  readonly opener: string;
}

/** Which calls a reply may hold. */
export interface AllowedCalls {
  readonly tools: readonly ToolDefinition[];
  readonly choice: ToolChoice;
  /** False: one call at most. */
  readonly parallel: boolean;
}

/** So many calls in one reply: a small model that may go on with another one does so until its window is full. */
const mostCalls = 16;

/** Stands where arguments do. No tool has such a parameter, and nothing in it is escaped by any dialect. */
const probe = '{"dragomanProbe":7}';
const written: readonly string[] = [probe, '{"dragomanProbe": 7}'];

/**
 * Makes the form of calls out of what the dialect itself writes for them: calls are rendered with arguments that can be found
 * again, and what stands around those is the form. So whatever dialect renders its arguments as one JSON object, or one by one
 * between marks, has it, without a word about it in its table. Undefined for all others, and where no tool may be called.
 */
export function callForms(dialect: Dialect, { tools, choice, parallel }: AllowedCalls): CallForms | undefined {
  const named = typeof choice === 'object' ? tools.filter(({ name }) => name === choice.name) : tools;
  const [first] = named;
  if (choice === 'none' || first === undefined) return undefined;
  // Only its own tool, as what is written for a call depends on no other: with all of them it takes long.
  const alone = named.map((tool) => oneCall(dialect, tool, [tool]));
  const calls = alone.flatMap((each) => (each === undefined ? [] : [each.form]));
  if (calls.length < alone.length) return undefined;
  const start = commonStart(alone.map((each) => each?.start ?? ''));
  // What is read as the opener of a call, however it goes on, is no text.
  const opener = shortest(dialect.markers(named).filter((marker) => start.startsWith(marker))) ?? start;
  if (opener === '') return undefined;
  const one: Form = { any: calls };
  if (!parallel || typeof choice === 'object') return { calls: one, opener };
  const several = severalCalls(dialect, named, tools);
  return { calls: several ?? one, opener };
}

/** A call of this tool, and what it begins with. */
function oneCall(dialect: Dialect, tool: ToolDefinition, tools: readonly ToolDefinition[]): TaggedCall | undefined {
  const [before, after] = around(dialect, [tool], tools) ?? [];
  if (before !== undefined && after !== undefined)
    return { form: { all: [before, { json: tool.inputSchema }, after] }, start: before };
  return taggedCall(dialect, tool);
}

/** What stands in front of the arguments of each call, and behind the last; undefined where they are not found. */
function around(
  dialect: Dialect,
  called: readonly ToolDefinition[],
  tools: readonly ToolDefinition[],
): readonly string[] | undefined {
  const calls = called.map(
    ({ name }, ordinal): PastCall => ({ callId: `call_${ordinal}`, name, arguments: probe, ordinal }),
  );
  const text = dialect.renderCalls(calls, tools);
  const found = written.find((each) => text.includes(each));
  const parts = found === undefined ? [] : text.split(found);
  return parts.length === called.length + 1 ? parts : undefined;
}

/** Calls in one reply: what stands between two may not depend on how many there were. */
function severalCalls(
  dialect: Dialect,
  named: readonly ToolDefinition[],
  tools: readonly ToolDefinition[],
): Form | undefined {
  const first: Form[] = [];
  const next: Form[] = [];
  let end: string | undefined;
  for (const tool of named) {
    const [before, second, third, after, ...others] = around(dialect, [tool, tool, tool], tools) ?? [];
    if (before === undefined || second === undefined || after === undefined || others.length > 0) return undefined;
    if (second !== third || (end !== undefined && end !== after)) return undefined;
    end = after;
    first.push({ all: [before, { json: tool.inputSchema }] });
    next.push({ all: [second, { json: tool.inputSchema }] });
  }
  return { all: [{ any: first }, { many: { any: next }, most: mostCalls - 1 }, end ?? ''] };
}

function shortest(texts: readonly string[]): string | undefined {
  return texts.toSorted((left, right) => left.length - right.length)[0];
}
