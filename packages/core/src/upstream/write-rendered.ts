import type { Message } from '../chat/message.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { Warning } from '../chat/warning.ts';
import type { Claim } from '../conversation/claiming.ts';
import { type ConversationStep, placeConversation, placeOf } from '../conversation/place-conversation.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { withExactNumbers } from '../json/exact-json.ts';
import { reasonAgainstPassthrough } from '../plan/passthrough.ts';
import { type Plan, quirksOfPlan } from '../plan/plan.ts';
import type { Upstream } from '../plan/setup.ts';
import { bodyWithoutBillingNote } from '../prepare/billing-note.ts';
import type { CallNonce } from '../prepare/call-nonce.ts';
import { fitPrompt, refuseLong } from '../prepare/fit-prompt.ts';
import type { LoopDecision } from '../prepare/guard-loop.ts';
import type { PromptNotes } from '../prepare/prompt-notes.ts';
import {
  type LocalEnds,
  type PrepareOptions,
  type RenderedRequest,
  renderRequest,
  type SeenRequest,
} from '../prepare/render-request.ts';
import type { WireNames } from '../prepare/wire-names.ts';
import type { UpstreamRequest } from '../stream/transport.ts';
import type { UpstreamWire, WrittenRequest } from '../wires/wire.ts';

/** A request that is ready to be sent, with what reading its answer takes. */
export interface PreparedRequest {
  readonly plan: Plan;
  readonly upstream: Upstream;
  readonly wire: UpstreamWire;
  /** Absent when the model's calls are native. */
  readonly dialect: Dialect | undefined;
  /** The request as the model sees it. */
  readonly request: ChatRequest;
  /** What the names of tools end with, as the model sees them. */
  readonly nonce: CallNonce | undefined;
  /** The tools' names as the upstream knows them, and the way back; absent when the model's calls are text. */
  readonly names: WireNames | undefined;
  readonly upstreamRequest: UpstreamRequest;
  readonly ends: LocalEnds;
  /** All that the model has been told or is told now. */
  readonly messagesSeen: () => readonly Message[];
  /** Where it goes in an upstream that keeps conversations; absent with others. */
  readonly conversation: ConversationStep | undefined;
  /** What had to be dropped, repaired or escaped on the way. */
  readonly warnings: readonly Warning[];
  /** What the upstream writes goes to the client as it is; else why not, in words. */
  readonly relay: { readonly relayed: true } | { readonly relayed: false; readonly reason: string };
  /** What was placed and matched on the way, in numbers. */
  readonly notes: PromptNotes;
  /** What the guards found in its history. */
  readonly loop: LoopDecision;
  /** A loop of calls ends with this reply: what the client is told after it. */
  readonly notice: string | undefined;
}

/**
 * Writes a request for the upstream that the plan names; for one that keeps conversations, as the beginning of a new one.
 * Throws DragomanError `invalid-tool-results` where the model rule is strict about results, and `context-too-long` where
 * it limits a prompt that shorter results cannot make fit.
 */
export function prepareRequest(request: ChatRequest, options: PrepareOptions): PreparedRequest {
  return writeRendered(renderRequest(request, options));
}

/**
 * The second half of `prepareRequest`, which fits the prompt into its limit. With a claim, only what the upstream has not
 * seen is written. Throws `context-too-long` as that does.
 */
export function writeRendered(rendered: RenderedRequest, claim?: Claim): PreparedRequest {
  const { plan, upstream, wire, dialect, asked, relay: target, guarded, nonce } = rendered;
  const { seen: found, step } = placeFitting(rendered, claim);
  const { request: seen, names, prompt, notes } = found;
  const said = step?.said ?? prompt.whole();
  refuseLong(said.messages, plan);
  const told = said.messages === seen.messages ? seen : { ...seen, messages: said.messages };
  const warnings = [...found.warnings, ...said.warnings];
  const stopped = guarded.loop.decision === 'stop';
  const reason = reasonAgainstPassthrough({ asked, seen, plan, upstream, stopped, target });
  const written = reason === undefined ? undefined : writeTold(told, { rendered, step });
  return {
    plan,
    upstream,
    wire,
    dialect,
    request: told,
    names,
    nonce,
    ends: rendered.ends,
    upstreamRequest: requestTo(upstream, written ?? passedOn(told, rendered)),
    messagesSeen: () => prompt.messagesSeen(),
    conversation: step,
    warnings:
      reason === undefined
        ? warnings
        : [...rendered.earlier, ...warnings, ...(step?.warnings ?? []), ...(written?.warnings ?? [])],
    relay: reason === undefined ? { relayed: true } : { relayed: false, reason },
    notes: said.template === undefined ? notes : { ...notes, template: said.template },
    loop: guarded.loop,
    notice: guarded.notice,
  };
}

/** What is told, and where: results are shortened where it would be too long. */
function placeFitting(
  { seen, render, plan, dialect }: RenderedRequest,
  claim: Claim | undefined,
): { readonly seen: SeenRequest; readonly step?: ConversationStep } {
  const limit = dialect === undefined ? 0 : plan.rule.maxPromptLength;
  const everything = ({ prompt }: SeenRequest) => prompt.whole().messages;
  const fitWhole = () => fitPrompt(seen, { limit, render, part: everything, newestOnly: false });
  if (claim === undefined) return { seen: fitWhole() };
  const place = ({ prompt }: SeenRequest) => placeConversation(prompt, claim, plan.rule.inject);
  if (claim.point === undefined) {
    const whole = fitWhole();
    return { seen: whole, step: place(whole) };
  }
  // Most of it has been told before: only what is new has to be short, unless the upstream has lost the rest.
  const news = fitPrompt(seen, { limit, render, part: (each) => place(each).said.messages, newestOnly: true });
  return { seen: news, step: { ...place(news), whole: () => fitWhole().prompt.whole() } };
}

/** A request, written for the upstream. */
function writeTold(
  told: ChatRequest,
  { rendered, step }: { readonly rendered: RenderedRequest; readonly step: ConversationStep | undefined },
): WrittenRequest {
  const { plan, upstream, wire } = rendered;
  const { contextWindow } = plan.rule;
  const place = step?.point === undefined ? {} : placeOf(step.point);
  const window = contextWindow === 0 ? {} : { contextWindow };
  return wire.writeRequest(told, plan.model, quirksOfPlan(plan, upstream), { ...place, ...window });
}

/** The client's own body for the upstream's model: its very bytes if they can be, and its numbers as they were written. */
function passedOn(told: ChatRequest, { plan, upstream, wire, relay }: RenderedRequest): Passed {
  const { path, headers } = wire.destinationOf?.(told) ?? wire.writeRequest(told, plan.model, {});
  const asked = relay?.body ?? {};
  const body = bodyWithoutBillingNote(asked, upstream);
  const bytes = body === asked ? relay?.bytesFor?.(plan.model) : undefined;
  if (bytes !== undefined) return { path, headers, body: undefined, bytes };
  const members = Object.entries(body).map(([field, value]) => [field, withExactNumbers(value)]);
  return { path, headers, body: { ...Object.fromEntries(members), model: plan.model } };
}

type Passed = Pick<UpstreamRequest, 'path' | 'body' | 'bytes'> & {
  readonly headers?: UpstreamRequest['headers'] | undefined;
};

function requestTo({ name }: Upstream, { path, body, bytes, headers }: Passed): UpstreamRequest {
  return {
    upstream: name,
    path,
    body,
    ...(bytes === undefined ? {} : { bytes }),
    ...(headers === undefined ? {} : { headers }),
  };
}
