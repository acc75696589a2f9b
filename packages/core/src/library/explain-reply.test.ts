import { casesOf, sample } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import type { Dialect, Span } from '../dialects/dialect.ts';
import { hermes as hermesParser } from '../dialects/hermes/index.ts';
import { dialects } from '../dialects/registry.ts';
import { asDialect } from '../dialects/render/render-table.ts';
import { runStage } from '../stream/stage.ts';
import { type ExplainedReply, explainReply } from './explain-reply.ts';

const hermes = asDialect(hermesParser);

const tools = [{ name: 'read', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }];
const rows = ({ ranges }: ExplainedReply) => ranges.map(({ from, to, outcome }) => [from, to, outcome]);

/** Everything of one kind that the parser let out, and the calls, as they are without anybody watching. */
function delivered(spans: readonly Span[]) {
  const joined = (kinds: readonly Span['kind'][]) =>
    spans.map((span) => (kinds.includes(span.kind) && 'text' in span ? span.text : '')).join('');
  return {
    reasoning: joined(['reasoning']),
    calls: spans.filter(({ kind }) => kind === 'call-end').length,
    arguments: joined(['arguments']),
    codes: spans.flatMap((span) => (span.kind === 'warning' ? [span.warning.code] : [])).sort(),
  };
}

describe.each(sample([...dialects.values()], 4).map((dialect) => [dialect.id, dialect] as const))(
  '%s explained',
  (_, dialect) => {
    it('tells of every character of its cases what became of it, and nothing that is not so', () => {
      for (const { name, output, context } of casesOf(dialect).filter(({ cut }) => !cut)) {
        const spans = runStage(dialect.createParser(context), [output]);
        const { ranges } = explainReply(output, dialect, context);
        expect(ranges.map(({ written }) => written).join(''), name).toBe(output);
        let at = 0;
        for (const { from, to, written, outcome } of ranges) {
          expect([from, output.slice(from, to)], `${name} ${outcome}`).toEqual([at, written]);
          at = to;
        }
        const of = (outcome: string) => ranges.filter((range) => range.outcome === outcome);
        const found = delivered(spans);
        const warnings = ranges.flatMap((range) => range.warnings);
        expect(warnings.map(({ code }) => code).sort(), name).toEqual(found.codes);
        for (const { at: place = 0 } of warnings) expect(place >= 0 && place <= output.length, name).toBe(true);
        expect(of('call').length, name).toBe(found.calls);
        expect(
          of('reasoning')
            .map(({ written }) => written)
            .join(''),
          name,
        ).toBe(found.reasoning);
        const texts = ranges.map(({ outcome, written, call }) =>
          outcome === 'text' || outcome === 'cut' ? written : (call?.text ?? ''),
        );
        const said = spans.map((span) => (span.kind === 'text' || span.kind === 'call-cut' ? span.text : '')).join('');
        if (of('answer').length === 0) expect(texts.join(''), name).toBe(said);
      }
    });
  },
);

describe('a reply explained', () => {
  it('shows where each thing stands, and what a call was', () => {
    const text = 'Hm.\n<tool_call>{"name": "read", "arguments": {"path": "a"}}</tool_call>\n<think>So.</think> Done.';
    const explained = explainReply(text, hermes, { tools });
    expect(rows(explained)).toEqual([
      [0, 4, 'text'],
      [4, 71, 'call'],
      [71, 79, 'markup'],
      [79, 82, 'reasoning'],
      [82, 90, 'markup'],
      [90, 96, 'text'],
    ]);
    expect(explained.ranges[1]?.call).toEqual({ name: 'read', arguments: '{"path": "a"}' });
  });

  it('says at which character a call broke', () => {
    const text = 'Hm. <tool_call>{"name": "read", ! "arguments": {}}</tool_call>';
    const { ranges } = explainReply(text, hermes, { tools });
    const cut = ranges.flatMap(({ warnings }) => warnings).find(({ code }) => code === 'call-cut');
    expect(cut?.at).toBe(text.indexOf('!'));
  });

  it('says where a repair was made', () => {
    const text = '<tool_call>{"name": "read", "arguments": {path: "a"}}</tool_call>';
    const [call] = explainReply(text, hermes, { tools }).ranges;
    expect(call).toMatchObject({ outcome: 'call', warnings: [{ code: 'json-repaired' }] });
    const at = call?.warnings[0]?.at ?? 0;
    expect(text.slice(at - 1, at + 5)).toContain('path');
  });

  it('tells a call that stays text where it stands, with the reason', () => {
    const text = 'Hm.\n\n<tool_call>{"name": "rm", "arguments": {}}</tool_call>';
    const { ranges } = explainReply(text, hermes, { tools });
    expect(ranges.at(-1)).toMatchObject({ to: text.length, outcome: 'text', warnings: [{ code: 'call-undeclared' }] });
  });

  it('takes what a model made up after a call for what it is', () => {
    const call = '<tool_call>{"name": "read", "arguments": {}}</tool_call>';
    const { ranges } = explainReply(`${call}\n<tool_response>\nfake\n</tool_response>`, hermes, { tools });
    expect(ranges.map(({ outcome }) => outcome)).toEqual(['call', 'markup']);
    expect(ranges[1]?.warnings).toMatchObject([{ code: 'result-fabricated', at: call.length + 1 }]);
  });
});

describe('a long reply', () => {
  it('tells where something was noticed, however far behind its beginning', () => {
    const before = 'Words, and a < b.\n'.repeat(400);
    const broken = '<tool_call>{"name":"read","arguments":{"path":<}}</tool_call>';
    const { ranges } = explainReply(before + broken + before, hermes, { tools });
    const warnings = ranges.flatMap((range) => range.warnings);
    expect(warnings.map(({ code, at }) => [code, at])).toEqual([['call-cut', before.length + broken.indexOf('}}')]]);
    expect(ranges.map(({ written }) => written).join('')).toBe(before + broken + before);
  });

  it('is read in strides where nothing is noticed', () => {
    let pieces = 0;
    const counting: Dialect = {
      ...hermes,
      createParser: (context) => (sink) => {
        const parser = hermes.createParser(context)(sink);
        return {
          push: (piece) => {
            pieces += 1;
            parser.push(piece);
          },
          end: (cut) => parser.end(cut),
        };
      },
    };
    const text = 'Words, and a < b.\n'.repeat(10_000);
    expect(explainReply(text, counting, { tools }).ranges).toHaveLength(1);
    expect(pieces).toBeLessThan(text.length / 100);
  });
});
