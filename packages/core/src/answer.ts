import { createBareJson } from './calls/bare-json.ts';
import { reportMisfits, reportMissingCall } from './calls/missing-call.ts';
import { nudgesOf } from './calls/nudge.ts';
import { NudgedAnswer } from './calls/nudged-answer.ts';
import { createRequiredRescue, requiresOnlyCall } from './calls/required-rescue.ts';
import { createRescue, reasonAgainstRescue } from './calls/rescue.ts';
import { createTextStages, makeTextParser } from './calls/text-stages.ts';
import { createUnescapeStage } from './calls/unescape.ts';
import { createCallValidator } from './calls/validate.ts';
import type { ChatEvent } from './chat/event.ts';
import { unitsOf } from './chat/message.ts';
import type { ChatRequest } from './chat/request.ts';
import { areManyTools } from './chat/tools-key.ts';
import { createUsageCount } from './client/count-usage.ts';
import { createDeltaCutter } from './client/cut-deltas.ts';
import { createReasoningHide } from './client/hide-reasoning.ts';
import { createCallHold } from './client/hold-calls.ts';
import { createLegacyTextDrop } from './client/legacy-text.ts';
import { createCallLimit } from './client/limit-calls.ts';
import { createLengthLimit } from './client/limit-length.ts';
import { createPromptCheck } from './client/prompt-check.ts';
import { createStopNotice, createTextStop } from './client/stop-text.ts';
import { createTextAfterCallsDrop } from './client/text-after-calls.ts';
import { claimPoint } from './conversation/claim-point.ts';
import type { Claim } from './conversation/claiming.ts';
import { inTurns, pause } from './pause.ts';
import { mostCallsOf } from './plan/call-policy.ts';
import { type Plan, planRequest } from './plan/plan.ts';
import type { EngineSetup } from './plan/setup.ts';
import { CallIds } from './prepare/call-ids.ts';
import { type RenderedRequest, renderRequest, stepsAhead } from './prepare/render-request.ts';
import { type StageFactory, through } from './stream/stage.ts';
import { AdaptedAnswer, type Learning } from './upstream/adapted-answer.ts';
import type { Answer, AnswerSink } from './upstream/answer-sink.ts';
import { keepConversation } from './upstream/keep-conversation.ts';
import { LaterAnswer } from './upstream/later-answer.ts';
import { Reply, type ReplyHooks } from './upstream/reply.ts';
import { watched } from './upstream/watch-exchange.ts';
import { type PreparedRequest, writeRendered } from './upstream/write-rendered.ts';

/**
 * Answers a request. This is the whole path:
 *
 * 1. **plan**: which upstream, which model, and how it writes calls (`plan.ts`)
 * 2. **prepare**: the request as that model must see it (`render-request.ts`, `write-rendered.ts`)
 *    For an upstream that keeps conversations, **lineage** says where it goes on (`claim-point.ts`, which may have to wait
 *    for a database) and what of it is new (`place-conversation.ts`)
 * 3. **upstream**: the transport sends it; deadlines watch (`reply.ts`, `deadlines.ts`)
 * 4. **read**: bytes to frames, frames to chat events (`read-answer.ts`, then the wire)
 * 5. **calls**: native calls against their tools, then calls out of text (`validate.ts`, `parse-text.ts`; of a model that
 *    calls natively only those that leaked, `rescue.ts`, and the required one as plain JSON, `required-rescue.ts`)
 * 6. **client**: what this client wants, so many calls and not more, whole calls, counted usage, coarser or finer deltas
 *    (`limit-calls.ts`, `hold-calls.ts` and others)
 *    Where a call or an answer of a form is required and does not come, the model may be asked again (`nudged-answer.ts`); and
 *    where the upstream refuses what it is known to take otherwise, the request is planned and sent anew (`adapted-answer.ts`)
 * 7. **write**: out to `sink`, through the gate that lets exactly one terminal event pass (`outlet.ts`)
 *
 * Throws DragomanError for what the client did wrong (`model-unknown`, `too-many-tools`, `invalid-tool-results`, …) before
 * anything is sent. Whatever goes wrong later arrives as an `error` event, after what was read; before it at most
 * `message-start`, warnings and usage have come if there was nothing to see. `sink.flush()` follows every upstream read that let
 * events out, and the end. `plan`: of a request that has been planned by the same setup.
 */
export function answer(
  request: ChatRequest,
  setup: EngineSetup,
  to: AnswerSink,
  plan: Plan = planRequest(request, setup),
): Answer {
  const sink = setup.toolCalling ? reportMisfits(reportMissingCall(to, request), request) : to;
  const { facts } = setup;
  if (facts === undefined) return answerAsPlanned(request, { plan, setup, sink });
  return new AdaptedAnswer({
    request,
    setup,
    facts,
    plan,
    sink,
    planAgain: () => planRequest(request, setup),
    begin: (each, sending) => answerAsPlanned(request, { plan: each, setup, ...sending }),
  });
}

interface Planned {
  readonly plan: Plan;
  readonly setup: EngineSetup;
  readonly sink: AnswerSink;
  readonly learning?: Learning | undefined;
}

function answerAsPlanned(request: ChatRequest, options: Planned): Answer {
  const { plan, setup, sink } = options;
  const steps = stepsAhead(request, { plan, setup });
  if (steps === undefined) return answerRendered(request, options);
  return new LaterAnswer(sink, async (signal) => {
    await inTurns(steps, signal);
    return answerRendered(request, options);
  });
}

function answerRendered(request: ChatRequest, options: Planned): Answer {
  const { plan, setup, sink, learning } = options;
  const rendered = renderRequest(request, { plan, setup, relay: sink.relay });
  const nudges = nudgesOf(rendered, setup);
  if (nudges === undefined) return begin(rendered, { setup, sink, learning });
  const again = nudges.required === 'call' ? reminding(plan) : plan;
  return new NudgedAnswer({
    rendered,
    nudges,
    sink,
    render: (request) => renderRequest(request, { plan: again, setup }),
    begin: (each, attempt) => begin(each, { setup, learning, ...attempt }),
  });
}

/** The form of a call stands once more after the words that ask for it. */
function reminding(plan: Plan): Plan {
  return { ...plan, rule: { ...plan.rule, reminder: true } };
}

/** Others have their turn between rendering so much and writing it for the upstream: units of texts, messages. */
const large = { text: 500_000, messages: 2000 };

function isLarge({ asked, dialect, seen }: RenderedRequest): boolean {
  const { messages } = seen.request;
  if (messages.length >= large.messages || unitsOf(messages) >= large.text) return true;
  return dialect !== undefined && areManyTools(asked.tools);
}

/** Begins the answer to a request that is rendered. `claimed` may put another claim in place of the one that was made. */
function begin(
  rendered: RenderedRequest,
  options: {
    readonly setup: EngineSetup;
    readonly sink: AnswerSink;
    readonly learning?: Learning | undefined;
    readonly claimed?: ((claim: Claim) => Claim) | undefined;
  },
): Answer {
  const { setup, sink, learning, claimed = (claim) => claim } = options;
  const { asked: request, plan } = rendered;
  const { conversation: rules } = rendered.wire;
  if (rules === undefined) {
    if (!isLarge(rendered)) return send(request, { prepared: writeRendered(rendered), setup, sink, learning });
    return new LaterAnswer(sink, async (signal) => {
      await pause(0, signal);
      const prepared = writeRendered(rendered);
      await inTurns(parserSteps(request, prepared), signal);
      return send(request, { prepared, setup, sink, learning });
    });
  }
  return new LaterAnswer(sink, async (signal) => {
    const claim = claimed(await claimPoint(request, { plan, setup, rules, prompt: rendered.seen.prompt, signal }));
    try {
      if (!signal.aborted) {
        const prepared = writeRendered(rendered, claim);
        if (isLarge(rendered)) await inTurns(parserSteps(request, prepared), signal);
        return send(request, { prepared, setup, sink, learning });
      }
      claim.settle('withdrawn');
      return undefined;
    } catch (thrown) {
      claim.settle('withdrawn');
      throw thrown;
    }
  });
}

function send(
  request: ChatRequest,
  options: {
    readonly prepared: PreparedRequest;
    readonly setup: EngineSetup;
    readonly sink: AnswerSink;
    readonly learning?: Learning | undefined;
  },
): Answer {
  const { prepared, setup, sink, learning } = options;
  const transport = watched(prepared, sink.watch);
  sink.prepared?.({ toolCalling: prepared.plan.toolCalling, ...prepared.notes }, prepared.relay.relayed);
  learning?.sent(prepared.request);
  const stages = (hooks: ReplyHooks) => stagesOf(request, { prepared, setup, hooks, learning });
  const { conversation: step } = prepared;
  const ends = step === undefined ? undefined : keepConversation(prepared, { step, setup, sink, transport });
  const reply = new Reply({
    prepared,
    setup,
    sink: ends?.sink ?? sink,
    stages,
    transport: ends?.transport ?? transport,
  });
  reply.send();
  return reply;
}

/** The model may have been told escapes: now, or earlier in a conversation that its upstream keeps. */
function wasEscaped({ warnings, conversation }: PreparedRequest): boolean {
  return conversation !== undefined || warnings.some(({ code }) => code === 'text-escaped');
}

/** The request that the model's calls are read by. */
function readBy(request: ChatRequest, { nonce, plan }: PreparedRequest): ChatRequest {
  const named = nonce?.rename(request) ?? request;
  return plan.toolCalling === 'none' ? { ...named, tools: [] } : named;
}

/** Makes what reads the calls of many tools: the upstream may answer at once. */
function parserSteps(request: ChatRequest, prepared: PreparedRequest): Iterable<void> {
  const { dialect, messagesSeen, nonce, plan } = prepared;
  return dialect === undefined
    ? []
    : makeTextParser(readBy(request, prepared), { rule: plan.rule, dialect, messagesSeen, nonce });
}

/** What happens between an upstream's chat events and the client's. */
function stagesOf(
  request: ChatRequest,
  options: {
    readonly prepared: PreparedRequest;
    readonly setup: EngineSetup;
    readonly hooks: ReplyHooks;
    readonly learning: Learning | undefined;
  },
): StageFactory<ChatEvent, ChatEvent> {
  const { prepared, setup, hooks, learning } = options;
  const { rule } = prepared.plan;
  const asked = readBy(request, prepared);
  const { randomHex, callIds: store } = setup;
  const callIds = new CallIds({ request, randomHex, upstream: prepared.upstream.name, store });

  // Also for a model that has a dialect: its upstream may turn some of what it wrote into native calls.
  let stages = createCallValidator({ tools: asked.tools, callIds, names: prepared.names });
  if (learning !== undefined) stages = through(stages, noticeCalls(learning));
  if (prepared.ends.maxTokens !== undefined) stages = through(createLengthLimit(prepared.ends.maxTokens), stages);
  if (prepared.dialect !== undefined) {
    const { dialect, messagesSeen, nonce } = prepared;
    const { model } = prepared.plan;
    stages = through(
      stages,
      createTextStages(asked, { rule, model, dialect, callIds, messagesSeen, over: hooks.over, nonce, learning }),
    );
  }
  const { relayed } = prepared.relay;
  if (reasonAgainstRescue(prepared.plan, { request: asked, relayed }) === undefined) {
    const { limits } = rule;
    stages = through(stages, createRescue({ request: asked, limits, callIds, learning }));
    if (requiresOnlyCall(asked)) {
      stages = through(stages, createRequiredRescue({ request: asked, limits, callIds, hidden: hooks.hidden }));
    }
  }
  if (wasEscaped(prepared)) stages = through(stages, createUnescapeStage());
  if (prepared.ends.stop !== undefined) {
    // A platform's reply runs to its end, as the conversation goes on after it.
    stages = through(
      stages,
      createTextStop(prepared.ends.stop, prepared.conversation === undefined ? hooks.over : undefined),
    );
  }
  const mostCalls = prepared.notice === undefined ? mostCallsOf(request, rule.policy) : 0;
  const allowed = request.toolsWithheld === true ? new Set(request.tools.map(({ name }) => name)) : undefined;
  if (mostCalls !== undefined || allowed !== undefined) {
    stages = through(stages, createCallLimit({ most: mostCalls, allowed }));
  }
  if (prepared.notice !== undefined) {
    stages = through(stages, createStopNotice(prepared.notice, { only: request.outputFormat !== undefined }));
  }
  if (rule.legacyText === 'drop') stages = through(stages, createLegacyTextDrop());
  if (rule.policy.textAfterCalls === 'drop') stages = through(stages, createTextAfterCallsDrop());
  const { outputFormat: format } = request;
  const waits = !request.stream || rule.nudge.answers === 'once';
  if (format !== undefined) stages = through(stages, createBareJson({ format, hidden: hooks.hidden, waits }));
  if (rule.callDeltas === 'complete') stages = through(stages, createCallHold());
  const { countTokens } = setup;
  stages = through(stages, createPromptCheck({ request: prepared.request, countTokens, ...hooks }));
  if (!request.stream || request.includeUsage) {
    const of = { upstream: prepared.upstream, model: prepared.plan.model };
    stages = through(stages, createUsageCount({ request: prepared.request, countTokens, of, ...hooks }));
  }
  if (request.hidesReasoning === true || rule.reasoning === 'hide') {
    stages = through(stages, createReasoningHide({ hidden: hooks.hidden }));
  }
  if (!request.stream) return stages;
  return through(stages, createDeltaCutter({ text: rule.textGranularity, calls: rule.callGranularity }));
}

/** What the server has read as a call by itself. */
function noticeCalls(learning: Learning): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => ({
    push: (event) => {
      if (event.type === 'tool-call-end') learning.called();
      sink(event);
    },
    end: () => {},
  });
}
