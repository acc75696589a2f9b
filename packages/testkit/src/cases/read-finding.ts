import { type WarningCode, warningCodes } from '@dragoman/core/chat/warning';
import { nearNames } from '@dragoman/core/plan/near-names';
import type { Finding } from './finding.ts';

/** One line of a `spans` fence as a finding. Throws with the line when it does not follow the notation. */
export function readFinding(line: string): Finding {
  const [word, rest] = splitAtSpace(line);
  switch (word) {
    case 'text':
    case 'reasoning':
    case 'cut':
      return { kind: word, text: readString(rest, line) };
    case 'warning':
      return { kind: 'warning', code: readCode(rest, line) };
    case 'call':
      return readCall(rest, line);
    default:
      throw new Error(`a span line starts with text, reasoning, call, cut or warning: ${line}`);
  }
}

/** A finding as the line that `readFinding` reads. */
export function writeFinding(finding: Finding): string {
  switch (finding.kind) {
    case 'text':
    case 'reasoning':
    case 'cut':
      return `${finding.kind} ${JSON.stringify(finding.text)}`;
    case 'warning':
      return `warning ${finding.code}`;
    case 'call': {
      const oneLine = !finding.arguments.includes('\n') && !finding.arguments.includes('\r');
      const text = oneLine && finding.arguments.startsWith('{') ? finding.arguments : JSON.stringify(finding.arguments);
      return `call ${finding.name} ${text}${finding.nativeId === undefined ? '' : ` id=${finding.nativeId}`}`;
    }
  }
}

function readCall(rest: string, line: string): Finding {
  const [name, tail] = splitAtSpace(rest);
  let json = tail;
  let nativeId: string | undefined;
  // Arguments may hold " id=" themselves: what stands before the right one is JSON.
  for (let at = tail.length; !isJson(json); ) {
    at = at === 0 ? -1 : tail.lastIndexOf(' id=', at - 1);
    if (at === -1) throw new Error(`the arguments of a call are JSON text: ${line}`);
    json = tail.slice(0, at);
    nativeId = tail.slice(at + ' id='.length);
  }
  const text = json.startsWith('"') ? readString(json, line) : json;
  const call = { kind: 'call', name, arguments: text } as const;
  return nativeId === undefined ? call : { ...call, nativeId };
}

function splitAtSpace(text: string): [string, string] {
  const at = text.indexOf(' ');
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function readString(json: string, line: string): string {
  const value: unknown = isJson(json) ? JSON.parse(json) : undefined;
  if (typeof value !== 'string') throw new Error(`expected a JSON string: ${line}`);
  return value;
}

function readCode(text: string, line: string): WarningCode {
  const code = warningCodes.find((known) => known === text);
  if (code !== undefined) return code;
  const near = nearNames(text, warningCodes);
  // Another word for the same: `result-invented` for `result-fabricated`.
  const meant = near.length > 0 ? near : warningCodes.filter((known) => sharesWord(known, text));
  const guess = meant.length === 0 ? '' : ` (did you mean ${meant.join(', ')}?)`;
  throw new Error(`unknown warning code in "${line}"${guess}: docs/errors.md lists them all`);
}

function sharesWord(one: string, other: string): boolean {
  const words = other.split('-');
  return one.split('-').some((word) => words.includes(word));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
