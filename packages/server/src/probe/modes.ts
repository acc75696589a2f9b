import {
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

/** How a model is asked: natively, or in a dialect by its id. What a rule says of it. */
export type Mode = string;

export const nativeMode: Mode = 'native';

/** The part of a model rule that says so. */
export type ModeRule = { readonly toolCalling: 'native' | { readonly dialect: string } };

export function ruleOf(mode: Mode): ModeRule {
  return { toolCalling: mode === nativeMode ? 'native' : { dialect: mode } };
}

/** Forms that nearly every model has seen, one of JSON and one of tags. */
const usual: readonly string[] = [taughtDialect, 'cline-xml'];

/**
 * The modes that may fit a model: native, unless its API carries only text; the dialects that it is known to write, that it
 * would be taught, and that are usual. Throws DragomanError `model-unknown`.
 */
export function modesFor(model: string, setup: EngineSetup): readonly Mode[] {
  const { place, model: name, rule } = findModel(model, setup);
  const { toolCalling, upstreamName = name } = rule;
  const wire = setup.wires?.get(place.wire) ?? upstreamWires.get(place.wire);
  const { dialect: taught } = planRequest(chatRequestOf({ model }), withToolCalling('text', { model, setup }));
  const own = typeof toolCalling === 'object' && toolCalling.dialect !== 'auto' ? [toolCalling.dialect] : [];
  const named = dialectOfModel(upstreamName, { takesTools: false });
  const chosen = [...own, named, taught, ...usual].filter((each) => each !== undefined);
  return [...new Set([...(wire?.textOnly === true ? [] : [nativeMode]), ...chosen])];
}

/** Every mode that there is. */
export function knownModes(setup: EngineSetup): readonly Mode[] {
  return [nativeMode, ...dialects.keys(), ...(setup.dialects?.keys() ?? [])];
}

/** The setup in which a model is asked so; everything else of its rule stays. */
export function withMode(mode: Mode, place: ModelPlace): EngineSetup {
  return withToolCalling(ruleOf(mode).toolCalling, place);
}

interface ModelPlace {
  readonly model: string;
  readonly setup: EngineSetup;
}

function withToolCalling(toolCalling: GivenRule['toolCalling'], { model, setup }: ModelPlace): EngineSetup {
  const { place, model: name } = findModel(model, setup);
  const given = place.models.get(name) ?? place.anyModel;
  if (given === undefined) return setup;
  const models = new Map([...place.models, [name, { ...given, toolCalling }]]);
  return { ...setup, upstreams: new Map([...setup.upstreams, [place.name, { ...place, models }]]) };
}
