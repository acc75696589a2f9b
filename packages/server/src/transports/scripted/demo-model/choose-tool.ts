import type { ToolDefinition } from '@dragoman/core';
import { conceptsOf, isInquiry, isMatching, isReading } from './concepts.ts';
import type { MentionKind } from './find-mentions.ts';
import { type Parameter, parametersOf, type Role } from './parameter-role.ts';
import type { Clause } from './split-clauses.ts';
import { isFiller, stemsOf } from './words.ts';

/** A tool with everything that choosing and filling look at, read once. */
export interface KnownTool {
  readonly definition: ToolDefinition;
  readonly parameters: readonly Parameter[];
  readonly nameStems: ReadonlySet<string>;
  readonly concepts: ReadonlySet<number>;
  readonly parameterStems: ReadonlySet<string>;
  readonly descriptionStems: ReadonlySet<string>;
}

/** Only the beginning of a description says what a tool is for; real agents write pages of rules behind it. */
const descriptionLength = 400;

export function knowTool(definition: ToolDefinition): KnownTool {
  const parameters = parametersOf(definition.inputSchema, definition.inputSchema);
  const nameStems = new Set(stemsOf(definition.name));
  return {
    definition,
    parameters,
    nameStems,
    concepts: new Set([...nameStems].flatMap(conceptsOf)),
    parameterStems: new Set(parameters.flatMap((parameter) => stemsOf(parameter.name))),
    descriptionStems: new Set(stemsOf((definition.description ?? '').slice(0, descriptionLength))),
  };
}

const points = { name: 6, deed: 5, parameter: 1.5, description: 2, object: 3, inquiry: 3, wrongObject: 10 } as const;

/** A tool must reach this: a word of its name, or its deed, or a rare word of its description with an object that fits. */
const enough = 5;

/** The tool that fits a part of a request best, or undefined when none fits well. Of equals the first wins. */
export function chooseTool(clause: Clause, tools: readonly KnownTool[]): KnownTool | undefined {
  const best = bestTool(clause, tools);
  return best !== undefined && best.score >= enough ? best.tool : undefined;
}

/** The best tool, however badly it fits. Undefined only without tools. */
export function bestTool(
  clause: Clause,
  tools: readonly KnownTool[],
): { readonly tool: KnownTool; readonly score: number } | undefined {
  const stems = stemsOf(clause.text);
  const words = new Set(stems.filter((word) => !isFiller(word)));
  const sharing = new Map([...words].map((word) => [word, countSharing(word, tools)]));
  let best: { readonly tool: KnownTool; readonly score: number } | undefined;
  for (const tool of tools) {
    const score = scoreOf(tool, { clause, words, sharing, asks: stems.some(isInquiry) });
    if (best === undefined || score > best.score) best = { tool, score };
  }
  return best;
}

interface Wish {
  readonly clause: Clause;
  /** Stems, in order, without fillers. */
  readonly words: ReadonlySet<string>;
  /** Whether it asks what something says. */
  readonly asks: boolean;
  /** How many tools have the word in their description: a word that all share tells nothing. */
  readonly sharing: ReadonlyMap<string, number>;
}

function scoreOf(tool: KnownTool, wish: Wish): number {
  const { words, sharing } = wish;
  const name = tool.definition.name.toLowerCase();
  let score = 0;
  // The first deed is what is asked for; later ones are mostly objects: "read the search page".
  let weight = 2;
  const counted = new Set<number>();
  for (const word of words) {
    const deeds = conceptsOf(word);
    const common = deeds.filter((deed) => tool.concepts.has(deed) && !counted.has(deed));
    if (tool.nameStems.has(word)) score += points.name * weight;
    else if (word.length > 3 && name.includes(word)) score += points.deed * weight;
    else if (common.length > 0) score += points.deed * weight;
    for (const deed of deeds) counted.add(deed);
    if (deeds.length > 0) weight = 1;
    if (tool.parameterStems.has(word)) score += points.parameter;
    if (tool.descriptionStems.has(word)) score += points.description / Math.max(1, sharing.get(word) ?? 1);
  }
  return score + objectScore(tool, wish);
}

function countSharing(word: string, tools: readonly KnownTool[]): number {
  let count = 0;
  for (const tool of tools) if (tool.descriptionStems.has(word)) count += 1;
  return count;
}

const rolesByKind: Readonly<Partial<Record<MentionKind, Role>>> = { url: 'url', path: 'path', pattern: 'query' };

/** What the request names speaks for tools that want such a thing, and against tools that need one it does not name. */
function objectScore(tool: KnownTool, { clause, asks }: Wish): number {
  const named = new Set(clause.mentions.map((mention) => rolesByKind[mention.kind]));
  let score = 0;
  for (const role of ['url', 'path', 'query'] as const) {
    const wanting = tool.parameters.filter((parameter) => parameter.role === role);
    const needs = wanting.some((parameter) => parameter.required);
    if (named.has(role) && needs) score += points.object;
    else if (named.has(role) && wanting.length > 0) score += 1;
    else if (role !== 'query' && needs) score -= 1;
    // An address can't be read as a file.
    if (role === 'path' && needs && named.has('url') && !named.has('path')) score -= points.wrongObject;
    if (role === 'url' && needs && named.has('url')) score += points.object;
  }
  const numbers = tool.parameters.filter(({ required, shape }) => required && isNumeric(shape.type)).length;
  if (numbers > clause.mentions.filter((mention) => mention.kind === 'number').length) score -= points.object;
  if (clause.mentions.some((mention) => mention.kind === 'pattern') && isMatching(tool.concepts))
    score += points.object;
  if (asks && (named.has('path') || named.has('url')) && isReading(tool.concepts)) score += points.inquiry;
  return score;
}

function isNumeric(type: string | undefined): boolean {
  return type === 'number' || type === 'integer';
}
