import { reasonAgainstRescue } from './calls/rescue.ts';
import type { ChatRequest } from './chat/request.ts';
import type { Warning } from './chat/warning.ts';
import { lookUpPoint } from './conversation/claim-point.ts';
import type { Claim } from './conversation/claiming.ts';
import { placeOf } from './conversation/place-conversation.ts';
import { type Plan, planRequest } from './plan/plan.ts';
import type { TemplateName } from './plan/prompt-template.ts';
import type { RelayRequest } from './plan/relay.ts';
import type { EngineSetup } from './plan/setup.ts';
import type { LoopDecision } from './prepare/guard-loop.ts';
import { readTurn, type Turn } from './prepare/read-turn.ts';
import { renderRequest } from './prepare/render-request.ts';
import type { UpstreamRequest } from './stream/transport.ts';
import { writeRendered } from './upstream/write-rendered.ts';
import type { ConversationPlace } from './wires/wire.ts';

/**
 * What would be sent where and why, for people to read; sends nothing and takes nothing. Rejects as `planRequest` and
 * `prepareRequest` throw.
 */
export async function explain(request: ChatRequest, setup: EngineSetup, asked?: RelayRequest): Promise<Explanation> {
  const plan = planRequest(request, setup);
  const rendered = renderRequest(request, { plan, setup, relay: asked });
  const { conversation: rules } = rendered.wire;
  const claim =
    rules === undefined ? undefined : await lookUpPoint(request, { plan, setup, rules, prompt: rendered.seen.prompt });
  const { relay, loop, upstreamRequest, warnings, notes } = writeRendered(rendered, claim);
  const against = reasonAgainstRescue(plan, { request, relayed: relay.relayed });
  return {
    plan,
    turn: readTurn(request),
    loop,
    passthrough: relay.relayed ? 'yes' : `no: ${relay.reason}`,
    rescue: against === undefined ? 'yes' : `no: ${against}`,
    ...(claim === undefined ? {} : { conversation: { kind: claim.kind, ...placedAt(claim) } }),
    ...(notes.template === undefined ? {} : { template: notes.template }),
    ...(notes.constraint === undefined ? {} : { constraint: notes.constraint }),
    upstreamRequest,
    warnings: [...request.warnings, ...warnings],
  };
}

function placedAt({ point }: Claim): Omit<ExplainedConversation, 'kind'> {
  return point === undefined ? {} : { ...placeOf(point), depth: point.depth };
}

/** What `explain` tells of a request. */
export interface Explanation {
  readonly plan: Plan;
  /** What the history asks for. */
  readonly turn: Turn;
  /** Whether it goes on with a loop of calls, and what the guards say to that. */
  readonly loop: LoopDecision;
  /** Whether what the upstream writes would reach the client as it is, and why not. */
  readonly passthrough: string;
  /** Whether calls that leak into the text of a native reply would be delivered as calls, and why not. */
  readonly rescue: string;
  /** Of an upstream that keeps conversations: which one it would continue. */
  readonly conversation?: ExplainedConversation;
  /** The template that the prompt is written by; absent: by none. */
  readonly template?: TemplateName;
  /** What the server would let the model write, and how it would be told; absent where anything may be. */
  readonly constraint?: string;
  readonly upstreamRequest: UpstreamRequest;
  readonly warnings: readonly Warning[];
}

/** Where a request goes on. Without `id` and `parent` it begins a new conversation; `kind` says why. */
export interface ExplainedConversation extends ConversationPlace {
  readonly kind: Claim['kind'];
  /** How many replies the conversation has up to there. */
  readonly depth?: number;
}
