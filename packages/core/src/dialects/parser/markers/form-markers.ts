import { madeOnce } from '../../../chat/made-once.ts';
import { backticks } from '../documentation/fenced-code.ts';
import {
  type CallMarkers,
  closedBy,
  type GrammarForm,
  type Marker,
  type Open,
  type OpenerMarker,
  type ReasoningPair,
} from '../grammar.ts';
import { allWhole, spellings } from './repaired-literals.ts';

/** What every dialect knows as reasoning. */
const commonReasoning: readonly ReasoningPair[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
];

/** Says what literals mean that have no meaning yet. */
type Add = (literals: readonly string[], marker: Marker) => void;

/**
 * What each literal of one dialect's form means. Where a literal has several meanings, the one that comes first here
 * counts. The same table for the same form.
 */
export const formMarkers = madeOnce((form: GrammarForm): ReadonlyMap<string, Marker> => {
  const { openers: sectionOpeners = [], closers: sectionClosers = [] } = form.sections ?? {};
  const { results = [], resultsAfterCall = [], turnEnds = [], silent = [], labels = [], reasoning = [] } = form;
  const openResults = [...results, ...turnOpeners];
  const ends = [...sectionOpeners, ...sectionClosers, ...openResults, ...turnEnds, ...silent];
  const { repairOf = allWhole } = form;
  const kinds = form.calls.map((calls) => calls({ ends, closers: sectionClosers, repairOf }));
  const markers = new Map<string, Marker>();
  const add: Add = (literals, marker) => {
    for (const literal of literals) if (!markers.has(literal)) markers.set(literal, marker);
  };

  const calls = groupOpeners(kinds, form);
  for (const [literal, marker] of form.sections?.markers(calls, repairOf) ?? calls) add([literal], marker);
  // A call swallows its closer itself; elsewhere a token that also ends turns ends one.
  add(
    turnEnds.filter((literal) => results.includes(literal)),
    { kind: 'turn-end', opensTurn: true },
  );
  add(turnEnds, { kind: 'turn-end' });
  add(silent, { kind: 'silent' });
  add(labels, { kind: 'label' });
  addClosers(add, kinds, sectionClosers);
  add(openResults, { kind: 'result' });
  add(resultsAfterCall, { kind: 'result', afterCall: true });
  for (const [opener, closer, next] of form.headed ?? []) {
    add([opener], { kind: 'reasoning', ends: closedBy([closer], next), place: 'reply-start' });
  }
  for (const [opener, closer, next] of [...reasoning, ...commonReasoning]) {
    add([opener], { kind: 'reasoning', ends: closedBy([closer], next) });
    add([closer], { kind: 'reasoning-closer' });
  }
  return markers;
});

function addClosers(add: Add, kinds: readonly CallMarkers[], sectionClosers: readonly string[]): void {
  // A fence's closer closes any fence: without a call before it, it is Markdown.
  const callClosers = kinds.flatMap(({ closers }) => closers).filter((closer) => closer !== backticks);
  const shared = sectionClosers.filter((closer) => callClosers.includes(closer));
  add(shared, { kind: 'closer', of: 'section-or-call' });
  add(sectionClosers, { kind: 'closer', of: 'section' });
  add(callClosers, { kind: 'closer', of: 'call' });
  const valueClosers = kinds.flatMap((kind) => kind.valueClosers ?? []);
  add(valueClosers, { kind: 'closer', of: 'value' });
}

/** One opener for each literal: where several ways to write calls share it, the first that finds a call counts. */
function groupOpeners(
  kinds: readonly CallMarkers[],
  { sections, repairOf = allWhole }: GrammarForm,
): ReadonlyMap<string, OpenerMarker> {
  const grouped = new Map<string, OpenerMarker>();
  for (const { openers, closers } of kinds) {
    for (const { literal, open: bare, place = 'anywhere' } of openers) {
      const open = sections?.inside(bare, { literal, closers }, repairOf) ?? bare;
      const known = grouped.get(literal);
      grouped.set(literal, known ? { ...known, open: openEither(known.open, open) } : { kind: 'opener', open, place });
    }
  }
  return grouped;
}

function openEither(first: Open, second: Open): Open {
  return (scanner, index, length, shown) => {
    const opening = first(scanner, index, length, shown);
    return opening === 'no' ? second(scanner, index, length, shown) : opening;
  };
}

// Table: what opens a turn of the other side in the chat templates of models.

/**
 * After a call, a model that writes one of these has begun to make up what it is told, whatever its dialect: most of them
 * can be taught to any model, and a model keeps its own template. The token that ended its own turn goes with it.
 *
 * Sources: the chat templates published with the models, as for `turnMarkers`, by which foreign text is escaped.
 */
export const turnOpeners: readonly string[] = [
  // ChatML; Llama 3 and 4
  ...spellings(['<|im_end|>\n', '<|im_end|>', ''], ['<|im_start|>'], ['user', 'tool']),
  ...spellings(['<|eot_id|>', '<|eom_id|>', ''], ['<|start_header_id|>'], ['user', 'ipython', 'tool']),
  ...spellings(['<|eot|>', ''], ['<|header_start|>'], ['user', 'ipython', 'tool']),
  // Gemma
  ...spellings(['<end_of_turn>\n', ''], ['<start_of_turn>'], ['user', 'tool', 'developer']),
  ...spellings(['<turn|>\n', ''], ['<|turn>'], ['user', 'tool']),
  // gpt-oss; Granite; MiniMax; Seed
  ...spellings(['<|start|>'], ['user', 'tool']),
  ...spellings(['<|start_of_role|>'], ['user', 'tool_response']),
  ...spellings([']~b]', '<seed:bos>'], ['user', 'tool']),
  // Phi and GLM; DeepSeek; Cohere; Mistral
  '<|user|>',
  '<｜User｜>',
  ...spellings(['<|START_OF_TURN_TOKEN|>'], ['<|USER_TOKEN|>', '<|SYSTEM_TOKEN|>']),
  '[INST]',
];
