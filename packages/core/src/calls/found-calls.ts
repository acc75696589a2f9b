import type { Warning } from '../chat/warning.ts';
import type { Span } from '../dialects/dialect.ts';

/** A whole call that a parser has found in a text: what its events are made of. */
export interface ParsedCall {
  readonly name: string;
  readonly nativeId: string | undefined;
  readonly arguments: string;
  /** What was said since the call before it. */
  readonly warnings: readonly Warning[];
}

/** The whole calls in what a parser has found. */
export function callsIn(spans: readonly Span[]): readonly ParsedCall[] {
  const calls: ParsedCall[] = [];
  let begun: Extract<Span, { readonly kind: 'call' }> | undefined;
  let slices: string[] = [];
  let warnings: Warning[] = [];
  for (const span of spans) {
    if (span.kind === 'call') {
      begun = span;
      slices = [];
    } else if (span.kind === 'arguments') slices.push(span.text);
    else if (span.kind === 'warning') warnings.push(span.warning);
    else if (span.kind === 'call-end' && begun !== undefined) {
      const nativeId = span.nativeId ?? begun.nativeId;
      calls.push({ name: begun.name, nativeId, arguments: slices.join('') || '{}', warnings });
      warnings = [];
    }
  }
  return calls;
}
