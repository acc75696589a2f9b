import { type Dialect, runStage } from '@dragoman/core';
import { replyIn, type Turns } from './call-region.ts';
import type { Written } from './choose-variant.ts';
import { type SampleName, sampleCalls, sampleTools, sentinels } from './samples.ts';

/** A rendering of the template, and whether a dialect finds in it what was put in. */
export interface SampleReading {
  readonly sample: string;
  readonly right: boolean;
}

const samples: readonly SampleName[] = ['one', 'two', 'empty', 'typed'];

/** Lets a dialect read every reply that the template has written, as far as it is asked. Refused ones are not counted. */
export function* readSamples(dialect: Dialect, written: Written, turns: Turns): Generator<SampleReading> {
  // Text after calls, where some templates put it, is no reply that a model would write.
  const forms = written.saysText ? (['silent', 'said'] as const) : (['silent'] as const);
  for (const sample of samples) {
    for (const text of forms) {
      const rendering = written.rendering(sample, text);
      const reply = rendering === undefined ? undefined : replyIn(rendering, turns);
      if (reply === undefined || !writesAll(reply, sample, written)) continue;
      const right = readsRight(dialect, reply, { sample, written, says: reply.includes(sentinels.text) });
      yield { sample: `${sample}${text === 'said' ? ' with text' : ''}`, right };
    }
  }
}

/** Some templates write one call of several. */
function writesAll(reply: string, sample: SampleName, { variant }: Written): boolean {
  return sampleCalls(variant)[sample].every(({ name }) => reply.includes(name));
}

function readsRight(
  dialect: Dialect,
  reply: string,
  { sample, written, says }: { readonly sample: SampleName; readonly written: Written; readonly says: boolean },
): boolean {
  const found: { name: string; json: string }[] = [];
  let text = '';
  for (const span of runStage(dialect.createParser({ tools: sampleTools }), [reply])) {
    if (span.kind === 'call') found.push({ name: span.name, json: '' });
    if (span.kind === 'call-cut') return false;
    const last = found.at(-1);
    if (span.kind === 'arguments' && last !== undefined) last.json += span.text;
    // Text before calls may be where thinking does.
    if (span.kind === 'text' || (says && span.kind === 'reasoning')) text += span.text;
  }
  const calls = sampleCalls(written.variant)[sample];
  const same = found.length === calls.length && calls.every(({ name, values }, at) => isCall(found[at], name, values));
  return same && text.trim() === (says ? sentinels.text : '');
}

function isCall(found: { name: string; json: string } | undefined, name: string, values: object): boolean {
  return found?.name === name && canonical(JSON.parse(found.json)) === canonical(values);
}

/** A value with its keys in order: templates may sort them. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );
}
