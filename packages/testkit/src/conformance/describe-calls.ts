import type { Dialect, PastCall } from '@dragoman/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutText } from '../cutters/cut-text.ts';
import { awkwardRound } from './arbitrary-calls.ts';
import { prose } from './arbitrary-text.ts';
import { anyRound } from './arbitrary-tools.ts';
import type { ConformanceOptions } from './conformance-options.ts';
import { holds } from './holds.ts';
import { normalJson } from './normal-json.ts';
import { callsOf, followText, parseReply, visibleText, warningsOf } from './parse-reply.ts';
import { sampleTools } from './sample-tools.ts';

const around = fc.oneof(fc.constant(''), prose);

/** What is rendered is read back, whole and unchanged, and no call grows without bound. */
export function describeCalls(dialect: Dialect, options: ConformanceOptions): void {
  holds('reads back what it renders, with the prose around it', 200, readsBack(dialect, options));

  const markers = dialect.markers(sampleTools);
  holds(
    'delivers no marker in the text around calls',
    100,
    fc.property(prose, awkwardRound(markers), prose, (before, calls, after) => {
      const rendered = dialect.renderCalls(calls, sampleTools);
      const text = visibleText(parseReply(dialect, `${before}\n${rendered}\n${after}`));
      for (const marker of markers) expect(text.includes(marker), marker).toBe(false);
    }),
  );

  it('cuts an endless call at its limit and shows what was written', () => {
    const filler = 'x'.repeat(4000);
    const body = JSON.stringify({ title: 't', body: filler });
    const call = { callId: 'call_0', ordinal: 0, name: 'write_note', arguments: body };
    const rendered = dialect.renderCalls([call], sampleTools);
    const endless = rendered.slice(0, rendered.indexOf(filler) + filler.length);
    const context = { limits: { callLength: 500 } };
    for (const { given, delivered } of followText(dialect, cutText(endless, { seed: 1, max: 7 }), context)) {
      if (given > 1500) expect(delivered).toBeGreaterThan(given - 200);
    }
    const found = parseReply(dialect, endless, { context });
    expect(callsOf(found)).toEqual([]);
    expect(warningsOf(found)).toContain('limit-reached');
    expect(visibleText(found).endsWith(filler)).toBe(true);
  });
}

/** What is rendered is read back as it was, with the prose around it. */
export function readsBack(dialect: Dialect, options: ConformanceOptions): fc.IProperty<unknown> {
  const gap = options.callsStartLine === true ? '\n' : '';
  return fc.property(around, anyRound(dialect), around, fc.nat(), (before, { tools, calls }, after, seed) => {
    const render = (round: readonly PastCall[]) => dialect.renderCalls(round, tools);
    const rendered = render(calls);
    const front = before && before + gap;
    const reply = front + rendered + (after && `\n${after}`);
    const found = parseReply(dialect, reply, { cuts: { seed, max: 7 }, context: { tools } });
    expect(warningsOf(found), reply).toEqual([]);
    expect(callsOf(found).map(asWritten), reply).toEqual(calls.map(asWritten));
    // An argument may quote an id, which is not to say that the dialect wrote it.
    expectIdsOf(callsOf(found), calls, render(calls.map((call) => ({ ...call, arguments: '{}' }))));
    const text = front && front + edgeSpace(rendered, 'front');
    const back = after === '' ? '' : `${edgeSpace(rendered, 'back')}\n${after}`;
    expect(visibleText(found)).toBe(text + back);
  });
}

/** An id that the dialect could write is found again. One that it cannot write becomes another, the same for no two calls. */
function expectIdsOf(
  found: readonly { readonly nativeId?: string | undefined }[],
  calls: readonly PastCall[],
  withoutArguments: string,
): void {
  const ids = found.flatMap(({ nativeId }) => (nativeId === undefined ? [] : [nativeId]));
  expect(new Set(ids).size).toBe(ids.length);
  for (const [index, { nativeId }] of found.entries()) {
    const given = calls[index]?.nativeId ?? '';
    if (nativeId !== undefined && withoutArguments.includes(given)) expect(nativeId).toBe(given);
  }
}

function asWritten(call: { readonly name: string; readonly arguments: string }): string {
  return `${call.name} ${normalJson(call.arguments)}`;
}

/** White space at the edge of a rendered round: where prose adjoins, it belongs to the prose. */
function edgeSpace(rendered: string, edge: 'front' | 'back'): string {
  if (edge === 'front') return rendered.slice(0, rendered.length - rendered.trimStart().length);
  return rendered.slice(rendered.trimEnd().length);
}
