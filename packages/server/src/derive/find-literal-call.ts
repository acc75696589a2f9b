import { aroundAll, insideBrackets } from './find-json-call.ts';
import type { FoundCall } from './found-call.ts';
import type { SampleCall } from './samples.ts';
import type { SplitCalls } from './split-calls.ts';

const gemmaPrefix = 'call:';

/** Finds a call in Python, or in Gemma's literals. Undefined for any other. */
export function findLiteralCall(split: SplitCalls, call: SampleCall): FoundCall | undefined {
  const nameAt = split.call.indexOf(call.name);
  const front = split.call.slice(0, nameAt);
  const after = split.call.slice(nameAt + call.name.length);
  const [key = '', value = ''] = [Object.keys(call.values)[0], Object.values(call.values)[0]].map(String);
  const keyAt = after.indexOf(key);
  const valueAt = after.indexOf(value, keyAt + key.length);
  if (nameAt < 0 || keyAt < 0 || valueAt < 0) return undefined;
  const assign = after.slice(keyAt + key.length, valueAt);
  const bracket = after.slice(0, keyAt).trim();
  const said = split.between === undefined ? {} : { between: split.between };
  if (bracket === '(' && (assign === '="' || assign === "='")) {
    return groupPython(split, { opener: front, closer: after.slice(after.lastIndexOf(')') + 1), ...said });
  }
  if (bracket !== '{' || !assign.startsWith(':') || !front.endsWith(gemmaPrefix)) return undefined;
  const quote = assign.slice(1).trim();
  if (quote === '' || quote === '"' || !after.startsWith(quote, valueAt + value.length)) return undefined;
  const closer = after.slice(after.lastIndexOf('}') + 1);
  const opener = front.slice(0, -gemmaPrefix.length);
  return { call: { form: 'gemma', opener, closer, ...said, quote }, ...aroundAll(split.section) };
}

interface PythonAround {
  readonly opener: string;
  readonly closer: string;
  readonly between?: string;
}

function groupPython({ section, between }: SplitCalls, around: PythonAround): FoundCall {
  const bare = around.opener.trim() === '' && around.closer.trim() === '';
  if (bare && section.opener.trimEnd().endsWith('[') && section.closer.trimStart().startsWith(']')) {
    return { call: { form: 'python', ...around, ...insideBrackets(section), grouping: 'list' } };
  }
  if (between === undefined && around.opener.trimEnd().endsWith('[') && around.closer.trimStart().startsWith(']')) {
    return { call: { form: 'python', ...around, ...insideBrackets(around), grouping: 'list' } };
  }
  if (bare && section.opener.trim() !== '') {
    return { call: { form: 'python', ...around, ...section, grouping: 'sequence' } };
  }
  return { call: { form: 'python', ...around }, ...aroundAll(section) };
}
