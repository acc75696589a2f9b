import type { Dialect, ParseContext, Span } from '@dragoman/core';
import { runStage } from '@dragoman/core/stream/stage';
import { type Finding, findingsOf } from '../cases/finding.ts';
import { cutShort } from '../cases/run-cases.ts';
import { type Cuts, cutText } from '../cutters/cut-text.ts';
import { sampleTools } from './sample-tools.ts';

export interface ParseOptions {
  /** Default: whole. */
  readonly cuts?: Cuts;
  /** The reply stopped short. */
  readonly cut?: boolean;
  /** What differs from a context with only the sample tools. */
  readonly context?: Partial<ParseContext>;
}

/** What the dialect's parser finds in a reply. Throws when its spans break their grammar. */
export function parseReply(dialect: Dialect, reply: string, options: ParseOptions = {}): Finding[] {
  const { cuts = 'whole', cut = false, context = {} } = options;
  const parser = dialect.createParser({ tools: sampleTools, ...context });
  return findingsOf(runStage(parser, cutText(reply, cuts), cut ? cutShort() : undefined));
}

/** After each piece of a reply: how many characters went in, and how many came out as text, reasoning or a broken call. */
export function* followText(
  dialect: Dialect,
  pieces: Iterable<string>,
  context: Partial<ParseContext> = {},
): Generator<{ readonly piece: string; readonly given: number; readonly delivered: number }> {
  let given = 0;
  let delivered = 0;
  const parser = dialect.createParser({ tools: sampleTools, ...context })((span: Span) => {
    if (span.kind === 'text' || span.kind === 'reasoning' || span.kind === 'call-cut') delivered += span.text.length;
  });
  for (const piece of pieces) {
    parser.push(piece);
    given += piece.length;
    yield { piece, given, delivered };
  }
  parser.end();
}

/** All that a client sees as words: text, reasoning and broken calls, in order. */
export function visibleText(findings: readonly Finding[]): string {
  return findings.map((finding) => ('text' in finding ? finding.text : '')).join('');
}

export function callsOf(findings: readonly Finding[]): Extract<Finding, { kind: 'call' }>[] {
  return findings.filter((finding) => finding.kind === 'call');
}

export function warningsOf(findings: readonly Finding[]): string[] {
  return findings.flatMap((finding) => (finding.kind === 'warning' ? [finding.code] : []));
}

/** Text, reasoning, and what calls hold, in one. */
export function everythingDelivered(found: readonly Finding[]): string {
  return found
    .map((finding) => {
      if (finding.kind === 'warning') return '';
      return finding.kind === 'call' ? `${finding.nativeId ?? ''} ${finding.arguments}` : finding.text;
    })
    .join('');
}

/** A text without markers and white space: what has to be the same where either may be dropped. */
export function withoutMarkers(text: string, markers: readonly string[]): string {
  return markers.reduce((rest, marker) => rest.replaceAll(marker, ''), text).replaceAll(/\s/g, '');
}
