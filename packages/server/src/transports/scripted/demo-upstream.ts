import { type Dialect, defaultModelRule, type ModelRule, dialects as registered, type Upstream } from '@dragoman/core';
import type { TokenCounter } from '../../tokens/count-text-tokens.ts';
import { demoReply } from './demo-model/demo-model.ts';
import { createScriptedTransport, type ModelTurn } from './scripted-transport.ts';

export interface DemoUpstreamOptions {
  /** The dialects that the demo speaks, one model each. Default: all of them. The first model is the one for the alias `demo`. */
  readonly dialects?: ReadonlyMap<string, Dialect>;
  /** Milliseconds between two pieces of a reply, each of a few characters. Default 4. */
  readonly pace?: number;
  /** Default: the o200k tokenizer, loaded when it is first needed. */
  readonly countTokens?: TokenCounter;
  /** Hears every turn of the model: its prompt and its reply. */
  readonly tap?: (turn: ModelTurn) => void;
}

/** The dialect that most open models write comes first. */
const firstDialect = 'hermes';

/** Tokens; the demo reads prompts of any length, but clients want a number. */
const contextWindow = 32_768;

/** The built-in upstream `demo`: a deterministic, text-only model in process, under one name for each dialect. */
export function createDemoUpstream(options: DemoUpstreamOptions = {}): Upstream {
  const dialects = options.dialects ?? registered;
  const ids = [...dialects.keys()].sort((a, b) => Number(b === firstDialect) - Number(a === firstDialect));
  const ruleOf = (dialect: string): ModelRule => ({ ...defaultModelRule, toolCalling: { dialect }, contextWindow });
  const transport = createScriptedTransport({
    pace: options.pace ?? 4,
    model: (model, messages) => {
      const dialect = dialects.get(model);
      return dialect === undefined ? undefined : demoReply(messages, dialect);
    },
    ...(options.countTokens === undefined ? {} : { countTokens: options.countTokens }),
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
