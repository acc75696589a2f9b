import { afterUser } from './call-region.ts';
import {
  callConversation,
  type Render,
  type SampleName,
  sampleCalls,
  sentinels,
  type Variant,
  variants,
} from './samples.ts';

/** What a template makes of the samples in the variant that it writes best. */
export interface Written {
  readonly variant: Variant;
  /** The rendering of a sample; undefined where the template refuses it. */
  rendering(sample: SampleName, text?: 'silent' | 'said'): string | undefined;
  /** The template writes text before calls. */
  readonly saysText: boolean;
  /** The template makes ids of name and place itself, whatever ids the calls have. */
  readonly numbers: boolean;
}

/** A reply with two short calls is no longer: what looks for calls in it may take more than linear time. */
const longestReply = 10_000;

function bounded(rendering: string | undefined): string | undefined {
  return rendering !== undefined && afterUser(rendering).length <= longestReply ? rendering : undefined;
}

/** The variant in which most of a call arrives in the prompt; undefined where no call ever does. */
export function chooseVariant(render: Render): Written | undefined {
  let best: { readonly variant: Variant; readonly score: number } | undefined;
  for (const variant of variants) {
    const score = scoreOf(render, variant);
    if (score > (best?.score ?? 0)) best = { variant, score };
  }
  if (best === undefined) return undefined;
  const variant = withoutEmptyTurn(render, best);
  const rendering = (sample: SampleName, text?: 'silent' | 'said') =>
    bounded(render(callConversation(sample, variant, text)));
  const said = rendering('one', 'said') ?? '';
  const [name = ''] = sampleCalls(variant).one.map((call) => call.name);
  const textAt = said.lastIndexOf(sentinels.text);
  const numbers = variants.some((each) => numbersCalls(render, each));
  return { variant, rendering, saysText: textAt >= 0 && said.lastIndexOf(name) > textAt, numbers };
}

/** Some templates write a turn of its own for a text that is empty, after the calls. */
function withoutEmptyTurn(
  render: Render,
  { variant, score }: { readonly variant: Variant; readonly score: number },
): Variant {
  const silent: Variant = { ...variant, content: null };
  const lengthOf = (each: Variant) => bounded(render(callConversation('one', each)))?.length ?? 0;
  return scoreOf(render, silent) === score && lengthOf(silent) < lengthOf(variant) ? silent : variant;
}

/** Whether the calls have ids without a meaning, and the template writes such that hold name and place instead. */
function numbersCalls(render: Render, variant: Variant): boolean {
  if (variant.ids !== 'plain') return false;
  const one = afterUser(bounded(render(callConversation('one', variant))) ?? '');
  const [own] = sampleCalls(variant).one;
  const [numbered] = sampleCalls({ ...variant, ids: 'functions' }).one;
  return !one.includes(own.id) && one.includes(numbered.id);
}

/**
 * Nothing without a name and a value: such a rendering says nothing of calls. Nothing either where the template has ids of its
 * own, which are those of another variant.
 */
function scoreOf(render: Render, variant: Variant): number {
  if (numbersCalls(render, variant)) return 0;
  const rendering = bounded(render(callConversation('one', variant)));
  const one = rendering === undefined ? undefined : afterUser(rendering);
  const [call] = sampleCalls(variant).one;
  if (one === undefined || call === undefined) return 0;
  const values = Object.entries(call.values).flat().map(String);
  if (!one.includes(call.name) || !values.every((word) => one.includes(word))) return 0;
  const more = [callConversation('two', variant), callConversation('typed', variant)].map(render);
  return 1 + more.filter((each) => each !== undefined).length;
}
