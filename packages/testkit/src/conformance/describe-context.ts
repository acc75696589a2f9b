import type { Dialect } from '@dragoman/core';
import fc from 'fast-check';
import { expect } from 'vitest';
import { plainRound } from './arbitrary-calls.ts';
import { prose } from './arbitrary-text.ts';
import { holds } from './holds.ts';
import { callsOf, parseReply, visibleText, warningsOf, withoutMarkers } from './parse-reply.ts';
import { sampleTools } from './sample-tools.ts';

/** Only a declared call in the open fires: not in reasoning, not in code, not without its tool, not beyond the limit. */
export function describeContext(dialect: Dialect): void {
  const scene = fc
    .tuple(prose, plainRound, prose)
    .map(([before, calls, after]) => ({ before, calls, after, rendered: dialect.renderCalls(calls, sampleTools) }));

  holds(
    'never fires in reasoning',
    100,
    fc.property(scene, ({ rendered, after }) => {
      expect(parseReply(dialect, `<think>${rendered}</think>${after}`)).toEqual([
        { kind: 'warning', code: 'call-in-reasoning' },
        { kind: 'reasoning', text: rendered },
        { kind: 'text', text: after },
      ]);
    }),
  );

  holds(
    'never fires in a code fence, unless told to',
    100,
    fc.property(scene, ({ before, rendered, calls, after }) => {
      const reply = `${before}\n\`\`\`\n${rendered}\n\`\`\`\n${after}`;
      expect(parseReply(dialect, reply)).toEqual([
        { kind: 'warning', code: 'call-in-fence' },
        { kind: 'text', text: reply },
      ]);
      const firing = parseReply(dialect, reply, { context: { policy: { fences: 'fire' } } });
      expect(callsOf(firing)).toHaveLength(calls.length);
    }),
  );

  const markers = dialect.markers(sampleTools);
  holds(
    'leaves calls to undeclared tools as text',
    100,
    fc.property(scene, ({ before, rendered, after }) => {
      const reply = `${before}\n${rendered}\n${after}`;
      const found = parseReply(dialect, reply, { context: { tools: [] } });
      expect(callsOf(found)).toEqual([]);
      const text = visibleText(found);
      expect(text.startsWith(before)).toBe(true);
      expect(text.endsWith(after)).toBe(true);
      // The markers of a section are not part of a block: they may be dropped around one.
      expect(withoutMarkers(text, markers)).toBe(withoutMarkers(reply, markers));
    }),
  );

  holds(
    'fires no more calls than the policy allows',
    100,
    fc.property(scene, ({ before, rendered, calls, after }) => {
      const context = { policy: { maxCalls: 1 } };
      const found = parseReply(dialect, `${before}\n${rendered}\n${after}`, { context });
      expect(callsOf(found)).toHaveLength(1);
      expect(warningsOf(found)).toEqual(calls.length > 1 ? ['call-surplus'] : []);
    }),
  );
}
