import type { Span, WarningCode } from '@dragoman/core';

/** What a parser found, in the form that cases compare: calls whole, texts merged, warnings by their code. */
export type Finding =
  | { readonly kind: 'text' | 'reasoning' | 'cut'; readonly text: string }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: string; readonly nativeId?: string }
  | { readonly kind: 'warning'; readonly code: WarningCode };

interface OpenCall {
  readonly name: string;
  readonly nativeId?: string;
  joined: string;
}

/**
 * The findings of a parser's spans. Throws when the spans break their grammar: something other than arguments or an
 * warning inside a call, arguments outside one, an empty text, a call that never ends, arguments that are not one JSON
 * object, or arguments that were already a whole object before their last slice.
 */
export function findingsOf(spans: Iterable<Span>): Finding[] {
  const found: Finding[] = [];
  let call: OpenCall | undefined;
  for (const span of spans) {
    if (span.kind === 'warning') {
      found.push({ kind: 'warning', code: span.warning.code });
    } else if (call === undefined) {
      if (span.kind === 'call') call = { ...span, joined: '' };
      else found.push(outsideCall(span));
    } else if (span.kind === 'arguments') {
      if (endsLikeObject(call.joined) && isJsonObject(call.joined)) {
        throw new Error(`arguments were whole before their last slice: ${call.joined}`);
      }
      call.joined += span.text;
    } else {
      found.push(endOfCall(span, call));
      call = undefined;
    }
  }
  if (call !== undefined) throw new Error(`call ${call.name} neither ended nor was cut`);
  return mergeFindings(found);
}

function outsideCall(span: Span): Finding {
  switch (span.kind) {
    case 'text':
    case 'reasoning':
      if (span.text === '') throw new Error(`empty ${span.kind} span`);
      return { kind: span.kind, text: span.text };
    case 'call-cut':
      if (span.text === '') throw new Error('empty call-cut span');
      return { kind: 'cut', text: span.text };
    default:
      throw new Error(`${span.kind} span outside a call`);
  }
}

function endOfCall(span: Span, call: OpenCall): Finding {
  if (span.kind === 'call-cut') return outsideCall(span);
  if (span.kind !== 'call-end') throw new Error(`${span.kind} span inside call ${call.name}`);
  if (!isJsonObject(call.joined)) throw new Error(`arguments of ${call.name} are not a JSON object: ${call.joined}`);
  const finding = { kind: 'call', name: call.name, arguments: call.joined } as const;
  const { nativeId = call.nativeId } = span;
  return nativeId === undefined ? finding : { ...finding, nativeId };
}

/** Spares the expensive question wherever the answer is plain. */
function endsLikeObject(json: string): boolean {
  return json.trimEnd().endsWith('}');
}

function isJsonObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/**
 * Joins neighbouring texts, neighbouring reasoning, and a text with the broken call directly before it, since a client
 * gets both as text. A warning between two joined findings moves before them: where exactly a warning is inside
 * running text is nobody's promise.
 */
export function mergeFindings(findings: readonly Finding[]): Finding[] {
  const merged: Finding[] = [];
  let last = -1; // index in `merged` of the last finding that is not a warning
  for (const finding of findings) {
    const joined = join(merged[last], finding);
    if (joined !== undefined) merged.splice(last, 1);
    const length = merged.push(joined ?? finding);
    if (finding.kind !== 'warning') last = length - 1;
  }
  return merged;
}

function join(before: Finding | undefined, finding: Finding): Finding | undefined {
  if (before === undefined || (finding.kind !== 'text' && finding.kind !== 'reasoning')) return undefined;
  if (before.kind === finding.kind) return { kind: finding.kind, text: before.text + finding.text };
  if (before.kind === 'cut' && finding.kind === 'text') return { kind: 'cut', text: before.text + finding.text };
  return undefined;
}
