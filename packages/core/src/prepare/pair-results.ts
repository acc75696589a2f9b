import type { Message, ToolCallPart, ToolMessage } from '../chat/message.ts';
import { quoteName, type Warning } from '../chat/warning.ts';

/** A named call and its position among all named calls of the conversation. */
export interface OrdinalCall {
  readonly call: ToolCallPart;
  readonly ordinal: number;
}

/** A tool message and its place in the history. */
export interface PlacedResult {
  readonly at: number;
  readonly message: ToolMessage;
}

/** Which result belongs to which call; nothing is judged yet. */
export interface Pairing {
  /** By the index of the assistant message, in order. */
  readonly rounds: ReadonlyMap<number, readonly OrdinalCall[]>;
  /** By the call's ordinal. */
  readonly results: ReadonlyMap<number, PlacedResult>;
  readonly orphans: readonly PlacedResult[];
  /** Results without an id that could belong to several calls. */
  readonly ambiguous: readonly { readonly at: number; readonly text: string }[];
  readonly warnings: readonly Warning[];
}

/** One round's use of an id: normally one call, but a faulty client may give several calls of a reply the same id. */
interface Place {
  readonly round: number;
  readonly ordinals: number[];
  /** How many of them have a result. */
  filled: number;
}

/** Pairs by id first, then gives what has no id to the calls that are still open, if there is only one way to. */
export function pairResults(messages: readonly Message[]): Pairing {
  const warnings: Warning[] = [];
  const rounds = findRounds(messages, warnings);
  const results = new Map<number, PlacedResult>();
  const orphans: PlacedResult[] = [];
  const withoutId = new Map<number, PlacedResult[]>();
  const places = placesById(rounds);
  let round = -1;
  for (const [at, message] of messages.entries()) {
    if (rounds.has(at)) round = at;
    if (message.role !== 'tool') continue;
    const place = nearest(places.get(message.callId) ?? [], at);
    if (message.callId === '') addTo(withoutId, round, { at, message });
    else if (place === undefined) orphans.push({ at, message });
    else {
      if (place.filled >= place.ordinals.length) warnings.push(repeated(message));
      const ordinal = place.ordinals[Math.min(place.filled, place.ordinals.length - 1)] ?? 0;
      place.filled += 1;
      results.set(ordinal, { at, message });
    }
  }
  const ambiguous = pairWithoutIds(withoutId, { rounds, results, orphans });
  orphans.sort((left, right) => left.at - right.at);
  return { rounds, results, orphans, ambiguous, warnings };
}

function findRounds(messages: readonly Message[], warnings: Warning[]): ReadonlyMap<number, readonly OrdinalCall[]> {
  const rounds = new Map<number, readonly OrdinalCall[]>();
  let ordinal = 0;
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'assistant') continue;
    const round: OrdinalCall[] = [];
    for (const call of message.content) {
      if (call.type !== 'tool-call') continue;
      if (call.name.trim() === '') {
        warnings.push({
          code: 'tool-dropped',
          message: `The past call ${quoteName(call.callId)} has no tool name and was left out.`,
        });
        continue;
      }
      round.push({ call, ordinal });
      ordinal += 1;
    }
    if (round.length > 0) rounds.set(at, round);
  }
  return rounds;
}

/** Where each id was used, in order. */
function placesById(rounds: ReadonlyMap<number, readonly OrdinalCall[]>): ReadonlyMap<string, readonly Place[]> {
  const places = new Map<string, Place[]>();
  for (const [round, calls] of rounds) {
    for (const { call, ordinal } of calls) {
      const last = places.get(call.callId)?.at(-1);
      if (last?.round === round) last.ordinals.push(ordinal);
      else addTo(places, call.callId, { round, ordinals: [ordinal], filled: 0 });
    }
  }
  return places;
}

function addTo<Key, Value>(groups: Map<Key, Value[]>, key: Key, value: Value): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [value]);
  else group.push(value);
}

/** The last place before `at`, else the first one after it. Binary search: a history may use one id in every round. */
function nearest(places: readonly Place[], at: number): Place | undefined {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle]?.round ?? at) < at) low = middle + 1;
    else high = middle;
  }
  return places[low - 1] ?? places[0];
}

interface Found {
  readonly rounds: ReadonlyMap<number, readonly OrdinalCall[]>;
  readonly results: Map<number, PlacedResult>;
  readonly orphans: PlacedResult[];
}

function pairWithoutIds(groups: ReadonlyMap<number, readonly PlacedResult[]>, found: Found): Pairing['ambiguous'] {
  const ambiguous: { at: number; text: string }[] = [];
  for (const [round, group] of groups) {
    const calls = found.rounds.get(round) ?? [];
    const callsOf = new Map<string, OrdinalCall[]>();
    for (const one of calls) addTo(callsOf, one.call.name, one);
    for (const [name, results] of byName(group)) {
      // A result that names its tool competes only with that tool's calls; one without a name with all that are open.
      const rivals = name === undefined ? calls : (callsOf.get(name) ?? []);
      const open = rivals.filter(({ ordinal }) => !found.results.has(ordinal));
      if (open.length === 0) {
        for (const result of results) found.orphans.push(result);
      } else if (open.length === results.length) {
        for (const [index, { ordinal }] of open.entries()) {
          const result = results[index];
          if (result !== undefined) found.results.set(ordinal, result);
        }
      } else {
        for (const { at } of results) {
          ambiguous.push({
            at,
            text: `messages[${at}]: a tool result without tool_call_id could belong to several calls.`,
          });
        }
      }
    }
  }
  return ambiguous;
}

/** Named groups first: they narrow down what is left for results without a name. */
function byName(results: readonly PlacedResult[]): readonly (readonly [string | undefined, readonly PlacedResult[]])[] {
  const groups = new Map<string | undefined, PlacedResult[]>();
  for (const result of results) addTo(groups, result.message.name, result);
  return [...groups].sort(([left], [right]) => Number(left === undefined) - Number(right === undefined));
}

function repeated(message: ToolMessage): Warning {
  return {
    code: 'result-repeated',
    message: `The call ${quoteName(message.callId)} has several results; the last one counts.`,
  };
}
