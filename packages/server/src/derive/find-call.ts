import { replyIn, type Turns } from './call-region.ts';
import type { Written } from './choose-variant.ts';
import { findJsonCall, onlyId } from './find-json-call.ts';
import { findLiteralCall } from './find-literal-call.ts';
import { findTaggedCall } from './find-tagged-call.ts';
import type { FoundCall } from './found-call.ts';
import { type SampleName, sampleCalls, sentinels, typedValues } from './samples.ts';
import { type SplitCalls, splitOne, splitTwo } from './split-calls.ts';

/** Finds how the template writes calls. Undefined where no form writes them so. */
export function findCall(written: Written, turns: Turns): FoundCall | undefined {
  const calls = sampleCalls(written.variant);
  const [first, second] = calls.two;
  const two = callText(written, turns, 'two');
  const one = callText(written, turns, 'one');
  const split =
    two === undefined || second === undefined || first === undefined ? undefined : splitTwo(two, [first, second]);
  const alone = one === undefined ? undefined : splitOne(one, calls.one[0]);
  const found = findIn(split, first) ?? findIn(alone, first);
  if (found === undefined) return undefined;
  const assumed =
    split === undefined ? ['the template writes one call only; several are assumed to follow each other'] : [];
  const open = (found.assumed ?? []).filter((each) => each !== onlyId || !written.numbers);
  return withTypes({ ...found, assumed: [...open, ...assumed] }, written, turns);
}

function findIn(split: SplitCalls | undefined, call: ReturnType<typeof sampleCalls>['one'][0]): FoundCall | undefined {
  if (split === undefined) return undefined;
  return findJsonCall(split, call) ?? findLiteralCall(split, call) ?? findTaggedCall(split, call);
}

/**
 * The calls of a sample. Before them may stand what belongs to the turn, or what closes the text: of the reply without
 * text and what comes after the text in the other, the shorter has less of it.
 */
export function callText(written: Written, turns: Turns, sample: SampleName): string | undefined {
  const silent = written.rendering(sample);
  const said = written.saysText ? written.rendering(sample, 'said') : undefined;
  const replies = [silent, said].flatMap((rendering) => {
    if (rendering === undefined) return [];
    const reply = replyIn(rendering, turns);
    const at = reply.lastIndexOf(sentinels.text);
    return [at < 0 ? reply : reply.slice(at + sentinels.text.length)];
  });
  return replies.sort((one, other) => one.trim().length - other.trim().length)[0];
}

/** Whether the markup of a number differs from that of a string: then an attribute says what a value is. */
function withTypes(found: FoundCall, written: Written, turns: Turns): FoundCall {
  const { call } = found;
  if (call.form !== 'tags') return found;
  const text = callText(written, turns, 'typed') ?? '';
  const [textEnd, numberEnd] = [
    endAfter(text, { key: 'zqkey_a', value: typedValues.zqkey_a }),
    endAfter(text, { key: 'zqnumber', value: String(typedValues.zqnumber) }),
  ];
  const [asText, asJson] = [attributeIn(textEnd), attributeIn(numberEnd)];
  if (asText === undefined || asJson === undefined || asText.value === asJson.value) return found;
  const { parameter } = call;
  const after = typeof parameter.end === 'string' ? parameter.end : (parameter.end[0] ?? '');
  const end = after.replace(` ${asText.attribute}="${asText.value}"`, '');
  const typed = { attribute: asText.attribute, text: asText.value, json: asJson.value };
  return { ...found, call: { ...call, parameter: { ...parameter, end, typed } } };
}

function endAfter(text: string, { key, value }: { readonly key: string; readonly value: string }): string {
  const start = text.indexOf(key) + key.length;
  const end = text.indexOf(value, start);
  return start < key.length || end < 0 ? '' : text.slice(start, end);
}

/** `string` and `true` of `" string="true">`. */
function attributeIn(end: string): { readonly attribute: string; readonly value: string } | undefined {
  const [closing = '', value] = end.split('="');
  const attribute = closing.slice(1).trim();
  const stop = value?.indexOf('"') ?? -1;
  if (value === undefined || stop < 0 || attribute === '' || !closing.startsWith('"')) return undefined;
  return { attribute, value: value.slice(0, stop) };
}
