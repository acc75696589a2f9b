import type { ToolDefinition } from '../../chat/tool.ts';
import { bareJsonMarkers, bareLiteralMarkers } from '../forms/bare-markers.ts';
import { literalStart } from '../parser/any-suffix.ts';
import { ticks } from '../parser/markers/fence.ts';
import { rememberedFor } from '../parser/remembered.ts';
import { turnMarkers } from '../render/turn-markers.ts';
import type { AlsoTable, CallTable, DialectTable, Literals } from '../table.ts';
import { fixedPart } from './attribute-opener.ts';
import { leftOut, listOf, readTexts } from './literals.ts';
import { partsOf, type TableParts } from './parts.ts';
import { fixedFront } from './table-grammar.ts';

/** What could open a call, forge a result or end a turn, for all tools alike. */
export const fixedMarkers = rememberedFor((table: DialectTable): readonly string[] => {
  const {
    call,
    also = [],
    section,
    reasoning = [],
    result,
    strays,
    otherTurns,
    turnEnds,
    silent,
    markers = [],
  } = table;
  const thinking = ('opener' in reasoning ? [reasoning] : reasoning).filter(({ atStart }) => !atStart);
  const { around: block } = result ?? {};
  const results =
    result === undefined
      ? []
      : [
          ...texts(result.read),
          ...[fixedFront(block?.opener ?? result.opener), result.closer, block?.closer ?? ''].filter(hasSign),
        ];
  const marked = [...[call, ...also].flatMap(callMarkers), ...texts(section?.opener), ...texts(section?.closer)];
  const around = [...thinking.flatMap(({ opener, closer }) => [...texts(opener), closer]), ...results];
  const ends = [strays, otherTurns, turnEnds, silent].flatMap(texts);
  const taught = [...toolTags(table)];
  const known = [...marked, ...around, ...ends, ...taught].map((literal) => literalStart(literal).trim());
  const all = [...new Set([...markers, ...turnMarkers, ...known.filter(isOwn)])];
  const given = new Set([...markers, ...turnMarkers]);
  // What holds another marker is broken where that is.
  const kept = all.filter((one) => given.has(one) || !all.some((other) => other !== one && one.includes(other)));
  // Whoever looks for one after the other finds the longer one first.
  return kept.sort((one, other) => other.length - one.length);
});

/** Markers for these tools: where calls have no opener, or an opener holds a name, the names of the tools make them. */
export function markersOf(table: DialectTable, parts: TableParts, tools: readonly ToolDefinition[]): readonly string[] {
  const calls = [table.call, ...(table.also ?? [])];
  const named = [...calls.map(({ opener }) => opener), table.result?.read, table.otherTurns]
    .flatMap((literals) => listOf(literals))
    .filter((literal) => namesTool(typeof literal === 'string' ? literal : literal.text));
  return [
    ...fixedMarkers(table),
    ...readTexts(named, () => tools),
    ...calls.flatMap((call) => bareMarkers(call, tools)),
    ...partsOf(table, parts, 'markers').flatMap((markers) => markers(tools)),
  ];
}

/** What JSON in prompts may not hold: with `plainMarkup` only what the model's template is made of. */
export const escapedInCalls = rememberedFor((table: DialectTable): readonly string[] => {
  if (!table.plainMarkup) return fixedMarkers(table);
  return [...(table.markers ?? []), ...texts(table.turnEnds), ...turnMarkers];
});

/** The tags around tools in a lesson. */
export function toolTags({ lesson }: DialectTable): readonly string[] {
  if (lesson?.tools === undefined) return lesson === undefined ? ['<tools>', '</tools>'] : [];
  const { opener, closer, each } = lesson.tools;
  return [opener, closer, ...aroundTexts(each)].map((text) => text.trim()).filter(isTag);
}

function callMarkers({ opener, closer, block }: CallTable | AlsoTable): readonly string[] {
  const openers = texts(opener).map(fixedPart);
  return [...openers, ...texts(closer), ...texts(block?.opener), ...texts(block?.closer)];
}

function bareMarkers(call: CallTable, tools: readonly ToolDefinition[]): readonly string[] {
  if (call.form === 'python') return leftOut(call.opener) === undefined ? [] : bareLiteralMarkers(tools);
  if (call.form !== 'json' || (leftOut(call.opener) === undefined && !call.guarded)) return [];
  return bareJsonMarkers(tools, call.keys?.name);
}

/** What counts only at one place begins as prose does. */
function texts(literals: Literals | undefined): readonly string[] {
  return listOf(literals).flatMap((literal) => {
    if (typeof literal === 'string') return [literal];
    return literal.place === undefined ? [literal.text] : [];
  });
}

function aroundTexts(around: { readonly opener: string; readonly closer: string } | undefined): readonly string[] {
  return around === undefined ? [] : [around.opener, around.closer];
}

/** Fences, words and rows of one sign are part of what users and tools write, and what names a tool is none without tools. */
function isOwn(literal: string): boolean {
  const isWord = [...literal].every((sign) => sign === '_' || sign.toLowerCase() !== sign.toUpperCase());
  const isRow = new Set(literal).size === 1;
  return literal.length > 2 && !isWord && !isRow && !literal.startsWith(ticks) && !namesTool(literal);
}

function namesTool(text: string): boolean {
  return text.includes('{name}') || text.includes('{quoted}');
}

/** `<tag>`, `[TAG]`, or `<tag attribute=`. */
function isTag(text: string): boolean {
  const literal = text.trim();
  return literal.length > 2 && ['<', '[', '##'].some((begin) => literal.startsWith(begin));
}

/** Words alone, such as `Result of`, are part of what users write. */
function hasSign(text: string): boolean {
  return [...text].some(
    (sign) => sign.trim() !== '' && !'_-0123456789'.includes(sign) && sign.toLowerCase() === sign.toUpperCase(),
  );
}
