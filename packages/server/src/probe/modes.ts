import {
  acceptedConstraints,
  dialectOfModel,
  dialects,
  type EngineSetup,
  findModel,
  type GivenRule,
  planRequest,
  taughtDialect,
  upstreamWires,
} from '@dragoman/core';
import { chatRequestOf } from './chat-request-of.ts';

/**
 * How a model is asked: natively, or in a dialect by its id, after which `+` and a word of `constrainCalls` may stand, such as
 * `hermes+choice`. What a rule says of it.
 */
export type Mode = string;

export const nativeMode: Mode = 'native';

/** The words of `constrainCalls` that modes are asked with: whatever the server is told by default, and these. */
export const heldWords = ['choice', 'off'] as const;

/** The part of a model rule that says so. */
export interface ModeRule {
  readonly toolCalling: 'native' | { readonly dialect: string };
  readonly constrainCalls?: (typeof heldWords)[number];
}

export function ruleOf(mode: Mode): ModeRule {
  const word = heldWords.find((each) => mode.endsWith(`+${each}`));
  const dialect = word === undefined ? mode : mode.slice(0, -word.length - 1);
  return {
    toolCalling: dialect === nativeMode ? 'native' : { dialect },
    ...(word === undefined ? {} : { constrainCalls: word }),
  };
}

/** Forms that nearly every model has seen, one of JSON and one of tags. */
const usual: readonly string[] = [taughtDialect, 'cline-xml'];

/**
 * The modes that may fit a model: native, unless its API carries only text; the dialects that it is known to write, that it
 * would be taught, and that are usual. Where the server can be told which texts the model may write, the first of them also without
 * that, and as a choice between a call and an answer. Throws DragomanError `model-unknown`.
 */
export function modesFor(model: string, setup: EngineSetup): readonly Mode[] {
  const { place, model: name, rule } = findModel(model, setup);
  const { toolCalling, upstreamName = name } = rule;
  const wire = setup.wires?.get(place.wire) ?? upstreamWires.get(place.wire);
  const plan = planRequest(chatRequestOf({ model }), withRule({ toolCalling: 'text' }, { model, setup }));
  const { dialect: taught } = plan;
  const own = typeof toolCalling === 'object' && toolCalling.dialect !== 'auto' ? [toolCalling.dialect] : [];
  const named = dialectOfModel(upstreamName, { takesTools: false });
  const chosen = [...own, named, taught, ...usual].filter((each) => each !== undefined);
  const [first] = chosen;
  const isHeld = acceptedConstraints(plan, setup) !== undefined;
  const held = isHeld && first !== undefined ? heldWords.map((word) => `${first}+${word}`) : [];
  return [...new Set([...(wire?.textOnly === true ? [] : [nativeMode]), ...chosen, ...held])];
}

/** Every mode that there is. */
export function knownModes(setup: EngineSetup): readonly Mode[] {
  const ids = [...dialects.keys(), ...(setup.dialects?.keys() ?? [])];
  return [nativeMode, ...ids, ...ids.flatMap((id) => heldWords.map((word) => `${id}+${word}`))];
}

/** The setup in which a model is asked so; everything else of its rule stays. */
export function withMode(mode: Mode, place: ModelPlace): EngineSetup {
  return withRule(ruleOf(mode), place);
}

interface ModelPlace {
  readonly model: string;
  readonly setup: EngineSetup;
}

function withRule(
  rule: Partial<Pick<GivenRule, 'toolCalling' | 'constrainCalls'>>,
  { model, setup }: ModelPlace,
): EngineSetup {
  const { place, model: name } = findModel(model, setup);
  const given = place.models.get(name) ?? place.anyModel;
  if (given === undefined) return setup;
  const models = new Map([...place.models, [name, { ...given, ...rule }]]);
  return { ...setup, upstreams: new Map([...setup.upstreams, [place.name, { ...place, models }]]) };
}
