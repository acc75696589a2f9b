import type { Issue } from '../chat/issue.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { GatewayError } from '../errors.ts';
import { placeSystem } from '../prompting/place-system.ts';
import type { PromptNotes } from '../prompting/prompt-notes.ts';
import { prepareTextMessages } from '../prompting/render-history.ts';
import type { UpstreamWire } from '../wires/wire.ts';
import { nativeIdOf } from './call-ids.ts';
import { placeFormat } from './place-format.ts';
import { type Plan, planRequest } from './plan.ts';
import { dialectOf, upstreamWireOf } from './plug-ins.ts';
import { restoreWireIds } from './restore-wire-ids.ts';
import type { EngineSetup, Upstream } from './setup.ts';
import type { UpstreamRequest } from './transport.ts';

/** A request that is ready to be sent, with what reading its answer takes. */
export interface PreparedRequest {
  readonly plan: Plan;
  readonly upstream: Upstream;
  readonly wire: UpstreamWire;
  /** Absent when the model's calls are native. */
  readonly dialect?: Dialect;
  /** The request as the model sees it. */
  readonly request: ChatRequest;
  readonly upstreamRequest: UpstreamRequest;
  /** What had to be dropped, mended or neutralised on the way. */
  readonly issues: readonly Issue[];
  /** What was placed and matched on the way, in numbers. */
  readonly notes: PromptNotes;
}

/**
 * Writes a request for the upstream that the plan names. With a dialect, tools, past calls and results become text and
 * no tool is left in the request; otherwise it stays as it is. Throws GatewayError `invalid-tool-results` where the model
 * rule is strict about results.
 */
export function prepareRequest(
  request: ChatRequest,
  options: { readonly plan: Plan; readonly setup: EngineSetup },
): PreparedRequest {
  const { plan, setup } = options;
  const upstream = setup.upstreams.get(plan.upstream);
  if (upstream === undefined) throw new GatewayError('config-invalid', `There is no upstream "${plan.upstream}".`);
  const wire = upstreamWireOf(plan.wire, setup);
  const dialect = plan.dialect === undefined ? undefined : dialectOf(plan.dialect, setup);
  const sampled: ChatRequest = { ...request, sampling: { ...plan.rule.sampling, ...request.sampling } };
  const asked: ChatRequest = plan.toolCalling === 'none' ? { ...sampled, tools: [], toolChoice: 'auto' } : sampled;
  const formed = placeFormat(asked, { plan, wire });
  const seen =
    dialect === undefined ? nativeRequest(formed.request, plan) : textRequest(formed.request, { plan, dialect });
  const written = wire.writeRequest(seen.request, plan.model, upstream.quirks);
  return {
    plan,
    upstream,
    wire,
    ...(dialect === undefined ? {} : { dialect }),
    request: seen.request,
    upstreamRequest: {
      upstream: upstream.name,
      path: written.path,
      body: written.body,
      ...(written.headers === undefined ? {} : { headers: written.headers }),
    },
    issues: [...formed.issues, ...seen.issues, ...written.issues],
    notes: seen.notes,
  };
}

/** What would be sent where and why, for people to read; sends nothing. Throws as `planRequest` and `prepareRequest` do. */
export function explain(
  request: ChatRequest,
  setup: EngineSetup,
): { readonly plan: Plan; readonly upstreamRequest: UpstreamRequest; readonly issues: readonly Issue[] } {
  const plan = planRequest(request, setup);
  const { upstreamRequest, issues } = prepareRequest(request, { plan, setup });
  return { plan, upstreamRequest, issues: [...request.issues, ...issues] };
}

interface SeenRequest {
  readonly request: ChatRequest;
  readonly issues: readonly Issue[];
  readonly notes: PromptNotes;
}

function textRequest(request: ChatRequest, options: { readonly plan: Plan; readonly dialect: Dialect }): SeenRequest {
  const { plan, dialect } = options;
  const { messages, issues, notes } = prepareTextMessages({
    request,
    dialect,
    rule: plan.rule,
    nativeIdOf: (call) => nativeIdOf(call.callId, call.name),
    anyCase: (plan.rule.policy.names ?? 'exact') !== 'exact',
  });
  return { request: { ...request, messages, tools: [], toolChoice: 'auto', parallelToolCalls: true }, issues, notes };
}

function nativeRequest(request: ChatRequest, plan: Plan): SeenRequest {
  const { messages, issues, system } = placeSystem(request.messages, { toolText: '', placement: plan.rule.systemText });
  const notes = system === undefined ? {} : { system };
  return { request: { ...request, messages: restoreWireIds(messages) }, issues, notes };
}
