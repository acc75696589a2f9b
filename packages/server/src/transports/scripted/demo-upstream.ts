import { type Dialect, defaultModelRule, dialects, type ModelRule, type Upstream } from '@dragoman/core';
import { demoReply } from './demo-model/demo-model.ts';
import { createScriptedTransport, type ModelTurn } from './scripted-transport.ts';

export interface DemoUpstreamOptions {
  /** Dialects beside the built-in ones, by id. */
  readonly own?: ReadonlyMap<string, Dialect>;
  /** Milliseconds between two pieces of a reply, each of a few characters. Default 4. */
  readonly pace?: number;
  /** Hears every turn of the model: its prompt and its reply. */
  readonly tap?: (turn: ModelTurn) => void;
}

/** The dialect that most open models write comes first: it is what the alias `demo` names. */
const firstDialect = 'hermes';

/** Tokens; the demo reads prompts of any length, but clients want a number. */
const contextWindow = 32_768;

/** The built-in upstream `demo`: a deterministic, text-only model in process, under one name for each dialect. */
export function createDemoUpstream(options: DemoUpstreamOptions = {}): Upstream {
  const known = new Map([...dialects, ...(options.own ?? [])]);
  const ids = [...known.keys()].sort((a, b) => Number(b === firstDialect) - Number(a === firstDialect));
  const ruleOf = (dialect: string): ModelRule => ({ ...defaultModelRule, toolCalling: { dialect }, contextWindow });
  const transport = createScriptedTransport({
    pace: options.pace ?? 4,
    model: (model, messages) => {
      const dialect = known.get(model);
      return dialect === undefined ? undefined : demoReply(messages, dialect);
    },
    ...(options.tap === undefined ? {} : { tap: options.tap }),
  });
  return {
    name: 'demo',
    wire: 'openai-chat',
    transport,
    quirks: {},
    deadlines: { connect: 0, firstToken: 0, idle: 0, total: 0 },
    models: new Map(ids.map((id) => [id, ruleOf(id)])),
  };
}
