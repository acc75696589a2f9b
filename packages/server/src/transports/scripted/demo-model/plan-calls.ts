import { bestTool, chooseTool, type KnownTool } from './choose-tool.ts';
import type { Mention, MentionKind } from './find-mentions.ts';
import type { Role } from './parameter-role.ts';
import { type Clause, splitClauses } from './split-clauses.ts';

/** A call that the request asks for. Its arguments are filled when its turn comes, since they may need earlier results. */
export interface PlannedCall {
  readonly tool: KnownTool;
  readonly clause: Clause;
  /** What of the clause belongs to this call. */
  readonly mentions: readonly Mention[];
  /** Calls of a later step wait for the results of the earlier ones. */
  readonly step: number;
}

/** What the prompt demands: nothing, any call, or a call to one tool. */
export type Demand = 'none' | 'any' | { readonly name: string };

/** The most calls for one request. */
const mostCalls = 12;

/** Plans all calls for a request, in order. The same request and tools always give the same plan, in every round. */
export function planCalls(request: string, tools: readonly KnownTool[], demand: Demand): PlannedCall[] {
  const clauses = splitClauses(request);
  const only = typeof demand === 'object' ? tools.filter((tool) => tool.definition.name === demand.name) : tools;
  const planned: PlannedCall[] = [];
  let step = 0;
  for (const clause of clauses) {
    const tool = chooseTool(clause, only);
    if (tool === undefined) continue;
    if (clause.after && planned.length > 0) step += 1;
    for (const mentions of shareMentions(tool, clause)) addCall(planned, { tool, clause, mentions, step });
  }
  if (planned.length === 0 && demand !== 'none') {
    const whole = wholeRequest(request, clauses);
    const best = bestTool(whole, only);
    if (best !== undefined) planned.push({ tool: best.tool, clause: whole, mentions: whole.mentions, step: 0 });
  }
  return planned.slice(0, mostCalls);
}

function addCall(planned: PlannedCall[], call: PlannedCall): void {
  const same = planned.some(
    (other) => other.tool === call.tool && other.step === call.step && keyOf(other) === keyOf(call),
  );
  if (!same) planned.push(call);
}

function keyOf({ clause, mentions }: PlannedCall): string {
  return mentions.length === 0 ? clause.text : mentions.map((mention) => mention.text).join('\n');
}

function wholeRequest(request: string, clauses: readonly Clause[]): Clause {
  const [only] = clauses;
  return clauses.length === 1 && only !== undefined ? only : { text: request, mentions: [], after: false };
}

const kindByRole: Readonly<Partial<Record<Role, MentionKind>>> = {
  url: 'url',
  path: 'path',
  place: 'name',
  query: 'quoted',
};

/**
 * Shares a clause's mentions among calls: one call for each object when the tool takes one at a time ("read A and B"),
 * else one call that gets them all.
 */
function shareMentions(tool: KnownTool, clause: Clause): (readonly Mention[])[] {
  const required = tool.parameters.filter((parameter) => parameter.required);
  const candidates = required.length > 0 ? required : tool.parameters;
  const main = candidates.find((parameter) => kindByRole[parameter.role] !== undefined);
  const kind = main === undefined ? undefined : kindByRole[main.role];
  if (main === undefined || kind === undefined || main.shape.type === 'array') return [clause.mentions];
  const alike = required.filter((parameter) => kindByRole[parameter.role] === kind).length;
  const objects = distinct(clause.mentions.filter((mention) => mention.kind === kind));
  if (alike > 1 || objects.length < 2) return [clause.mentions];
  const writes = required.some((parameter) => parameter.role === 'content');
  const targets = writes ? objects.filter((mention) => isTarget(clause, mention)) : objects;
  const others = clause.mentions.filter((mention) => mention.kind !== kind);
  return (targets.length > 0 ? targets : objects).map((mention) => [mention, ...others]);
}

function distinct(mentions: readonly Mention[]): Mention[] {
  const seen = new Set<string>();
  return mentions.filter((mention) => !seen.has(mention.text) && seen.add(mention.text));
}

const targetLeads = ['to', 'into', 'in', 'as', 'file', 'called', 'named'];

/** Whether a word such as "to" or "into" stands before a mention: "write the text of A to B" writes B. */
function isTarget(clause: Clause, mention: Mention): boolean {
  const before = clause.text.slice(0, mention.from).trimEnd();
  return targetLeads.includes(before.slice(before.lastIndexOf(' ') + 1).toLowerCase());
}
