import { type Departure, Departures } from '../departures.ts';
import type { Exchange } from '../exchange.ts';
import { isFields, readJson } from '../read-json.ts';
import type { Session } from '../session.ts';
import type { Answer, Expectation, WireId, WireProbe } from '../wires/probe.ts';

/** What a check found: departures of every level, or why it could not look. */
export type Decision =
  | { readonly departures: readonly Departure[] }
  | { readonly skipped: string }
  /** The server lacks what the check is about, as it may. */
  | { readonly absent: true };

/** One row of the matrix. */
export interface Check {
  readonly name: string;
  /** What a server in good order does. */
  readonly expects: string;
  /** Default: every API. */
  readonly wires?: readonly WireId[];
  run(session: Session): Promise<Decision>;
}

/** The APIs in which tools can be declared. */
export const toolWires: readonly WireId[] = ['openai-chat', 'openai-responses', 'anthropic-messages', 'ollama-chat'];

/** A reply that was read; `answer` is absent where there was nothing to read. */
export interface Judged {
  readonly departures: readonly Departure[];
  readonly answer?: Answer;
}

export interface Wanted extends Expectation {
  readonly stream: boolean;
}

/** Judges what should be a good reply: how it came, then its form. */
export function judge(exchange: Exchange, probe: WireProbe, wanted: Wanted): Judged {
  const out = new Departures();
  if (exchange.kind !== 'reply') {
    out.next('text' in exchange ? tailOf(exchange.text) : '');
    out.violate(troubleOf(exchange));
    return { departures: out.all() };
  }
  const { status, contentType, text } = exchange;
  out.next(text);
  const type = wanted.stream ? probe.streamType : 'application/json';
  const body = readJson(text.trim());
  if (status !== 200) out.violate(`the status is ${status} instead of 200`);
  else if (isFields(body) && isFields(body.error)) out.violate('an error came with status 200');
  else if (contentType !== type) {
    const isClose = contentType.includes('json') && type.includes('json');
    out.report(isClose ? 'note' : 'violation', `the content type is ${contentType || 'missing'} instead of ${type}`);
  }
  if (out.all().some(({ level }) => level === 'violation')) return { departures: out.all() };
  if (wanted.stream) {
    const departures = [...out.all(), ...probe.checkStream(text, wanted)];
    return { departures, answer: probe.readStream(text) };
  }
  if (body === undefined) {
    out.violate('the body is not JSON');
    return { departures: out.all() };
  }
  return { departures: [...out.all(), ...probe.checkWhole(body)], answer: probe.readWhole(body) };
}

/** Why there is no reply, in words. */
export function troubleOf(exchange: Exclude<Exchange, { readonly kind: 'reply' }>): string {
  switch (exchange.kind) {
    case 'silent':
      return `nothing came for ${exchange.seconds} s`;
    case 'cut':
      return `the reply broke off: ${exchange.reason}`;
    case 'unreachable':
      return `the server cannot be reached: ${exchange.reason}`;
  }
}

/** One departure that no frame shows. */
export function found(level: Departure['level'], what: string): Departure {
  return { level, what, place: -1, frame: '' };
}

/** Why a request that a server may refuse was refused in good order; undefined when it was not. */
export function refusalOf(exchange: Exchange, probe: WireProbe): string | undefined {
  if (exchange.kind !== 'reply' || ![400, 404, 405, 422, 501].includes(exchange.status)) return undefined;
  const body = readJson(exchange.text);
  if (probe.checkError(body).some(({ level }) => level === 'violation') || !isFields(body)) return undefined;
  const said = isFields(body.error) ? body.error.message : body.error;
  return `the server refused: ${String(said).slice(0, 120)}`;
}

function tailOf(text: string): string {
  return text.slice(-400);
}
