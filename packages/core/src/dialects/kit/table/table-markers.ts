import type { ToolDefinition } from '../../../chat/tool.ts';
import { bareJsonMarkers, bareLiteralMarkers } from '../render/bare-markers.ts';
import { turnMarkers } from '../render/turn-markers.ts';
import type { Around, DialectTable } from './dialect-table.ts';
import { fixedPart } from './tag-literal.ts';

/** What stands around the tools in the prompt of any table. */
export const toolsAround: Around = { opener: '<tools>', closer: '</tools>' };

/** What could open a call, forge a result or end a turn, for all tools alike. */
export function fixedMarkers({ call, section, reasoning, result, turnEnds = [], silent = [] }: DialectTable): string[] {
  const block = call.kernel === 'tagged' ? call.block : undefined;
  const arounds = [section, block, reasoning, toolsAround].filter((each) => each !== undefined);
  const written = [
    fixedPart(call.opener),
    call.closer,
    ...arounds.flatMap(({ opener, closer }) => [opener, closer]),
    ...(result === undefined ? [] : [fixedFront(result.opener), result.closer]),
    ...turnEnds,
    ...silent,
    ...turnMarkers,
  ];
  return [...new Set(written.map((literal) => literal.trim()).filter(isMarker))];
}

/** Where calls have no opener, the names of the tools make them. */
export function markersOf(table: DialectTable, tools: readonly ToolDefinition[]): readonly string[] {
  const { call } = table;
  const fixed = fixedMarkers(table);
  if (call.opener.trim() !== '') return fixed;
  if (call.kernel === 'json') return [...fixed, ...bareJsonMarkers(tools, call.keys?.name)];
  return call.kernel === 'python' ? [...fixed, ...bareLiteralMarkers(tools)] : fixed;
}

/** What of an opener stands in front of the first `{name}` or `{id}`. */
export function fixedFront(opener: string): string {
  const slots = ['{name}', '{id}'].map((slot) => opener.indexOf(slot)).filter((at) => at >= 0);
  return slots.length === 0 ? opener : opener.slice(0, Math.min(...slots));
}

/** What people write themselves is none: words, single signs, brackets of JSON, fences. */
export function isMarker(literal: string): boolean {
  if (literal.length < 3 || literal.startsWith('```')) return false;
  for (let index = 0; index < literal.length; index += 1) {
    const code = literal.charCodeAt(index);
    const word = (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
    if (!word && code !== 32 && code !== 95 && code !== 45) return true;
  }
  return false;
}
