import { createBareJson } from '../calls/bare-json.ts';
import { createTextStages } from '../calls/text-stages.ts';
import { createUnescapeStage } from '../calls/unescape.ts';
import { createCallValidator } from '../calls/validate.ts';
import type { ChatEvent } from '../chat/event.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { Warning } from '../chat/warning.ts';
import { createReasoningHide } from '../client/hide-reasoning.ts';
import { createCallHold } from '../client/hold-calls.ts';
import { createCallLimit } from '../client/limit-calls.ts';
import { createTextAfterCallsDrop } from '../client/text-after-calls.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { jsonEnvelope } from '../dialects/json-envelope.ts';
import { asDialect } from '../dialects/render/render-table.ts';
import type { TableParser } from '../dialects/table/table-dialect.ts';
import { mostCallsOf } from '../plan/call-policy.ts';
import { defaultModelRule, type ModelRule } from '../plan/rules.ts';
import { CallIds, nativeIdsIn } from '../prepare/call-ids.ts';
import { constrainCalls } from '../prepare/constrain-calls.ts';
import { placeFormat } from '../prepare/place-format.ts';
import { placeHistory, writeHistory } from '../prepare/render-history.ts';
import { randomHex } from '../random-hex.ts';
import type { CallIdStore } from '../stores/call-id-store.ts';
import { type Sink, type Stage, type StageFactory, through } from '../stream/stage.ts';
import { withDefaults } from '../with-defaults.ts';
import { checkTextRule } from './check-text-rule.ts';
import type { TextRule } from './options.ts';

/** How a text model is spoken to that somebody else sends requests to. */
export interface TextModelOptions {
  readonly dialect: Dialect | TableParser;
  /** What is known of the model. */
  readonly rule?: TextRule;
  /** Keeps ids of the model that ours cannot carry. */
  readonly callIds?: CallIdStore;
}

/** One request to a text model, and how its reply is read. */
export interface TextModelTurn {
  /** As the model is to be told: only text and images, no tools; `outputFormat` only where a field may ask for it. */
  readonly request: ChatRequest;
  /** What had to be repaired, dropped or escaped on the way. */
  readonly warnings: readonly Warning[];
  /**
   * Reads the reply: the model's own events become those of a model with native calls. `over` is told when nothing of what
   * the model goes on to write will be delivered: its work can stop.
   */
  readonly read: (sink: Sink<ChatEvent>, over?: () => void) => Stage<ChatEvent>;
}

/**
 * The engine for whoever talks to a model by means of their own, such as another SDK: what to send, and how to read what
 * comes back, as the gateway would. Native calls in the reply are validated, since servers read some forms by themselves.
 * Throws DragomanError `invalid-tool-results` as `renderMessages` does, and `config-invalid` for a rule that would not do what
 * it says.
 */
export function askTextModel(
  request: ChatRequest,
  { dialect: named, callIds, rule: given }: TextModelOptions,
): TextModelTurn {
  const own = asDialect(named);
  const rule = wholeRule(given);
  const constraint = constrainCalls(request, { dialect: own, rule, wire: {} });
  const dialect = constraint.envelope === undefined ? own : jsonEnvelope(own, constraint.envelope);
  const formed = placeFormat(request, { plan: { rule, dialect: own.id }, wire: {} });
  const written = writeHistory({
    request: formed.request,
    dialect,
    rule,
    nativeIdOf: nativeIdsIn(callIds),
    anyCase: (rule.policy.names ?? 'exact') !== 'exact',
  });
  const { messages, warnings } = placeHistory(written, rule);
  const escaped = warnings.some(({ code }) => code === 'text-escaped');
  const asked = { ...formed.request, ...constraint.asked };
  const told: ChatRequest = { ...asked, messages, tools: [], toolChoice: 'auto', parallelToolCalls: true };
  return {
    request: told,
    warnings: [...formed.warnings, ...warnings],
    read: (sink, over = () => {}) => readingStages(request, { dialect, rule, callIds, told, escaped, over })(sink),
  };
}

function wholeRule(given: TextRule = {}): ModelRule {
  checkTextRule(given);
  return withDefaults(defaultModelRule, {
    ...given,
    finalAnswer: withDefaults(defaultModelRule.finalAnswer, given.finalAnswer),
    policy: withDefaults(defaultModelRule.policy, given.policy),
    results: withDefaults(defaultModelRule.results, given.results),
  });
}

function readingStages(
  request: ChatRequest,
  options: {
    readonly dialect: Dialect;
    readonly rule: ModelRule;
    readonly callIds: CallIdStore | undefined;
    readonly told: ChatRequest;
    readonly escaped: boolean;
    readonly over: () => void;
  },
): StageFactory<ChatEvent, ChatEvent> {
  const { dialect, rule, told, escaped, over, callIds: store } = options;
  const callIds = new CallIds({ request, randomHex, store });
  const { outputFormat: format } = request;
  const mostCalls = mostCallsOf(request, rule.policy);
  const stages = [
    createTextStages(request, {
      rule,
      model: request.model,
      dialect,
      callIds,
      messagesSeen: () => told.messages,
      over,
    }),
    ...(escaped ? [createUnescapeStage()] : []),
    ...(mostCalls === undefined ? [] : [createCallLimit({ most: mostCalls })]),
    ...(rule.policy.textAfterCalls === 'drop' ? [createTextAfterCallsDrop()] : []),
    ...(format === undefined ? [] : [createBareJson({ format, hidden: () => {}, waits: !request.stream })]),
    ...(rule.callDeltas === 'complete' ? [createCallHold()] : []),
    ...(rule.reasoning === 'hide' ? [createReasoningHide({ hidden: () => {} })] : []),
  ];
  return stages.reduce(through, createCallValidator({ tools: request.tools, callIds }));
}
