import { effortOf, nearestEffort } from '../chat/effort.ts';
import { escapeJoiners, joiner } from '../chat/escape.ts';
import { madeOnce } from '../chat/made-once.ts';
import type { Message } from '../chat/message.ts';
import type { ChatRequest, Sampling } from '../chat/request.ts';
import { requiresCall } from '../chat/request.ts';
import type { JsonSchema, ToolDefinition } from '../chat/tool.ts';
import { areManyTools, charactersOfTools } from '../chat/tools-key.ts';
import type { Warning } from '../chat/warning.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { jsonEnvelope } from '../dialects/json-envelope.ts';
import { DragomanError } from '../errors.ts';
import { completeSchema } from '../json/complete-schema.ts';
import { rememberCopy } from '../json/exact-json.ts';
import { acceptedConstraints, type Plan, quirksOfPlan, type Taken } from '../plan/plan.ts';
import { dialectOfPlan, upstreamOf, upstreamWireOf } from '../plan/plug-ins.ts';
import type { RelayRequest } from '../plan/relay.ts';
import type { ModelRule } from '../plan/rules.ts';
import type { EngineSetup, Upstream } from '../plan/setup.ts';
import { type CallIdFormName, callIdFormOf } from '../wires/shared-quirks.ts';
import type { ConversationRules, UpstreamWire } from '../wires/wire.ts';
import { withoutBillingNote } from './billing-note.ts';
import { createCallIdForm } from './call-id-forms.ts';
import { nativeIdsIn, wireIdsIn } from './call-ids.ts';
import { type CallNonce, callNonceOf, nonceRule } from './call-nonce.ts';
import { answerRule, constrainCalls, constrainNative, constraintOf, schemaNotes } from './constrain-calls.ts';
import { markerTableOf } from './escaped-speech.ts';
import { expressCalls } from './express-calls.ts';
import { foldNotes } from './fold-notes.ts';
import { type GuardedRequest, guardLimits, guardLoop, noGuards } from './guard-loop.ts';
import { placeFormat } from './place-format.ts';
import { placementOf, placeSystem } from './place-system.ts';
import { type Prompt, plainPrompt } from './prompt.ts';
import { promptByTemplate } from './prompt-by-template.ts';
import type { PromptNotes } from './prompt-notes.ts';
import { placeHistory, speechMarkersOf, type WrittenHistory, writeHistory } from './render-history.ts';
import { repairHistory } from './repair-history.ts';
import type { Saving } from './shorten-results.ts';
import { promptWithField, promptWithoutSystem } from './system-field.ts';
import { WireNames } from './wire-names.ts';

/** A request as its model must see it, not yet written for its upstream. */
export interface RenderedRequest {
  readonly plan: Plan;
  readonly upstream: Upstream;
  readonly wire: UpstreamWire;
  readonly dialect: Dialect | undefined;
  /** As the client asked. */
  readonly asked: ChatRequest;
  /** As the model sees it, with the whole history. */
  readonly seen: SeenRequest;
  /** The same with shorter results. */
  readonly render: (saving: Saving) => SeenRequest;
  readonly relay: RelayRequest | undefined;
  readonly ends: LocalEnds;
  readonly guarded: GuardedRequest;
  /** The form of the answer is asked for in words. */
  readonly formTaught: boolean;
  /** What the names of tools end with, as the model sees them. */
  readonly nonce: CallNonce | undefined;
  /** What was done to the request before it was rendered. */
  readonly earlier: readonly Warning[];
}

/** What ends a reply here, because the upstream cannot be told of it. */
export type LocalEnds = Pick<Sampling, 'stop' | 'maxTokens'>;

/** A request in the words of its model. */
export interface SeenRequest {
  readonly request: ChatRequest;
  /** Tells the request to the upstream. */
  readonly prompt: Prompt;
  readonly names?: WireNames;
  readonly warnings: readonly Warning[];
  readonly notes: PromptNotes;
}

/** What preparing a request takes. */
export interface PrepareOptions {
  readonly plan: Plan;
  readonly setup: EngineSetup;
  readonly relay?: RelayRequest | undefined;
}

/**
 * The first half of `prepareRequest`: guards look at the history, and everything becomes what the model reads. With a
 * dialect, tools, past calls and results become text and no tool is left in the request; otherwise history, ids and names
 * become what the upstream takes, and stay the very same objects where they are that already. What a client can have done
 * wrong shows here, but for a prompt that is too long.
 */
export function renderRequest(given: ChatRequest, options: PrepareOptions): RenderedRequest {
  const { setup, relay } = options;
  const upstream = upstreamOf(options.plan.upstream, setup);
  const request = withoutBillingNote(given, upstream);
  const wire = upstreamWireOf(options.plan.wire, setup);
  const { conversation: rules } = wire;
  const plan = rules === undefined ? options.plan : withSystemApart(options.plan);
  const own = dialectOfPlan(readingOf(plan, request), setup);
  const { sampling, ends } = splitEnds({ ...plan.rule.sampling, ...request.sampling }, wire);
  const sampled: ChatRequest = { ...request, sampling };
  const asked: ChatRequest = plan.toolCalling === 'none' ? { ...sampled, tools: [], toolChoice: 'auto' } : sampled;
  const readsText = own !== undefined;
  const guards = guardLimits(plan.rule.guards, { readsText, keepsConversation: rules !== undefined });
  const guarded = guardLoop(asked, { limits: setup.guards === false ? noGuards : guards, readsText });
  const limited = limitEffort(guarded.request, plan.rule.efforts);
  const takes = own && acceptedConstraints(plan, setup);
  const nonce = callNonceOf(limited.request, { plan, setup });
  const named = nonce?.rename(limited.request) ?? limited.request;
  const constraint = own && constrainCalls(named, { dialect: own, rule: plan.rule, wire, takes });
  const envelope = constraint?.envelope;
  const dialect = own === undefined || envelope === undefined ? own : jsonEnvelope(own, envelope);
  const isHeld = constraint?.note !== undefined;
  const formed = placeFormat(named, { plan, wire, vendor: upstream.vendor, isHeld });
  const render = (saving?: Saving): SeenRequest => {
    // What goes as it was written has no tools and no history: there is nothing to tell in a dialect.
    const seen =
      dialect === undefined || own === undefined || wire.isAsWritten?.(formed.request) === true
        ? nativeRequest(formed.request, { plan, setup, upstream, wire })
        : textRequest(formed.request, { plan, setup, wire, dialect, own, saving, nonce, takes });
    if (rules === undefined) return seen;
    return { ...seen, prompt: promptForPlatform(seen.prompt, { rule: options.plan.rule, rules }) };
  };
  return {
    plan,
    upstream,
    wire,
    dialect,
    asked: request,
    seen: render(),
    render,
    relay,
    ends,
    guarded,
    formTaught: formed.taught,
    nonce,
    earlier: [...guarded.warnings, ...limited.warnings, ...formed.warnings],
  };
}

/** The grammar of tools of fewer characters is made while the request is rendered. */
const grammarAtOnce = 4000;

/** Milliseconds of a turn in which a constraint is made. */
const slice = 2;

/**
 * What is made of many tools before the request is rendered, step by step, as all together would keep everybody else waiting.
 * Throws DragomanError for tools that are too large to be told in text.
 */
export function stepsAhead(request: ChatRequest, { plan, setup }: PrepareOptions): Iterable<void> | undefined {
  const dialect = request.tools.length === 0 ? undefined : dialectOfPlan(readingOf(plan, request), setup);
  if (dialect === undefined) return undefined;
  const seen = callNonceOf(request, { plan, setup })?.rename(request) ?? request;
  const { tools } = seen;
  const takes = acceptedConstraints(plan, setup);
  const wire = upstreamWireOf(plan.wire, setup);
  const isSmall = charactersOfTools(tools) < grammarAtOnce;
  const made = isSmall ? undefined : constraintOf(seen, { dialect, rule: plan.rule, wire, takes });
  const areMany = areManyTools(tools);
  if (made?.isMade !== false && !areMany) return undefined;
  refuseLargeTools(tools);
  return (function* () {
    while (made?.isMade === false) {
      made.goOn(slice);
      yield;
    }
    if (areMany) {
      dialect.markers(tools);
      yield;
      markerTableOf(speechMarkersOf({ request: seen, dialect, rule: plan.rule, anyCase: readsAnyCase(plan.rule) }));
      yield;
    }
  })();
}

/**
 * A conversation without tools is told as it is, markers and all, so what a guess reads beside the model's own dialect would be left
 * out of replies that quote it.
 */
function readingOf(plan: Plan, { tools, messages }: ChatRequest): Plan {
  const { dialect, rule } = plan;
  if (dialect === undefined || rule.toolCalling !== 'auto' || tools.length > 0) return plan;
  const hasCalls = messages.some(
    ({ role, content }) => role === 'tool' || content.some(({ type }) => type === 'tool-call'),
  );
  return hasCalls ? plan : { ...plan, toolCalling: dialect };
}

/** What the upstream is told of how to sample, and what ends the reply here because it cannot be told. */
function splitEnds(all: Sampling, wire: UpstreamWire): { readonly sampling: Sampling; readonly ends: LocalEnds } {
  const { stop, maxTokens, ...others } = all;
  const stopsOnlyHere = wire.cannotStop === true && stop !== undefined;
  const limitsHere = wire.cannotLimit === true && maxTokens !== undefined;
  if (stop === undefined && !limitsHere) return { sampling: all, ends: {} };
  return {
    sampling: {
      ...others,
      ...(stopsOnlyHere || stop === undefined ? {} : { stop }),
      ...(limitsHere || maxTokens === undefined ? {} : { maxTokens }),
    },
    // Servers that take stop sequences may still write on: whoever asked for them relies on the end.
    ends: { ...(stop === undefined ? {} : { stop }), ...(limitsHere ? { maxTokens } : {}) },
  };
}

/** The server takes `tool_choice` and lets the model write what it likes all the same; it may have refused to be told otherwise. */
function ignoresToolChoice(plan: Plan, { setup, wire }: { readonly setup: EngineSetup; readonly wire: UpstreamWire }) {
  if (plan.facts?.grammar === 'refused' || plan.toolCalling !== 'native') return false;
  if (wire.ignoresToolChoice === true) return true;
  return quirksOfPlan(plan, upstreamOf(plan.upstream, setup)).ignoresToolChoice === true;
}

/** A platform that keeps the conversation is told system text as its rule says and its fields allow. */
function promptForPlatform(
  prompt: Prompt,
  { rule, rules }: { readonly rule: ModelRule; readonly rules: ConversationRules },
): Prompt {
  const told = rule.inject === 'never' ? promptWithoutSystem(prompt) : prompt;
  if (rules.hasSystemField !== true) return told;
  return promptWithField(told, { placement: rule.systemText, redundant: rule.redundantSystem });
}

/** System text stands apart from what is said, so that it can be left out where the upstream knows it. */
function withSystemApart(plan: Plan): Plan {
  return { ...plan, rule: { ...plan.rule, systemText: 'system' } };
}

interface Planned {
  readonly plan: Plan;
  readonly setup: EngineSetup;
}

interface TextPlanned extends Planned {
  /** The one that the model writes this reply in. */
  readonly dialect: Dialect;
  /** The one that it writes where it is not held to JSON. */
  readonly own: Dialect;
  readonly saving: Saving | undefined;
  readonly nonce: CallNonce | undefined;
  readonly wire: UpstreamWire;
  readonly takes: Taken | undefined;
}

function textRequest(request: ChatRequest, planned: TextPlanned): SeenRequest {
  const { plan, setup, wire, dialect, own, saving, nonce, takes } = planned;
  const { rule } = plan;
  refuseLargeTools(request.tools);
  const constraint = constrainCalls(request, { dialect: own, rule, wire, takes });
  const callRules = [
    ...(nonce === undefined ? [] : [nonceRule(nonce)]),
    ...(constraint.answerTags ? [answerRule] : []),
  ];
  const written = writeHistory({
    request,
    saving,
    dialect,
    rule,
    callRules,
    nativeIdOf: nativeIdsIn(setup.callIds),
    anyCase: readsAnyCase(rule),
  });
  const seen: ChatRequest = {
    ...request,
    ...constraint.asked,
    tools: [],
    toolChoice: 'auto',
    parallelToolCalls: true,
  };
  const held = constraint.note === undefined ? {} : { constraint: constraint.note };
  const told = [...written.warnings, ...constraint.warnings];
  if (rule.prompts !== undefined) {
    const prompt = promptByTemplate({ written, prompts: rule.prompts, tools: request.tools, dialect });
    return { request: seen, prompt, warnings: told, notes: { ...written.notes, ...held } };
  }
  const { messages, warnings, notes } = placeHistory({ ...written, warnings: told }, rule);
  return { request: { ...seen, messages }, prompt: plainPrompt(messages), warnings, notes: { ...notes, ...held } };
}

/** Names in any letter case are read as those of tools. */
function readsAnyCase({ policy }: ModelRule): boolean {
  return (policy.names ?? 'exact') !== 'exact';
}

/**
 * The most characters of tools, as JSON, that a model is taught: more than any model has room for, and no other request waits long
 * while they are written.
 */
const longestTools = 300_000;

function refuseLargeTools(tools: readonly ToolDefinition[]): void {
  if (tools.length === 0) return;
  const characters = charactersOfTools(tools);
  if (characters <= longestTools) return;
  throw new DragomanError(
    'context-too-long',
    `The tools have ${characters} characters as JSON; at most ${longestTools} are told to a text model. Declare fewer, or shorten their schemas.`,
    { param: 'tools' },
  );
}

function nativeRequest(
  request: ChatRequest,
  { plan, setup, upstream, wire }: Planned & { readonly upstream: Upstream; readonly wire: UpstreamWire },
): SeenRequest {
  const { quirks } = upstream;
  const repaired = repairHistory(request.messages, {
    results: plan.rule.results,
    mergeRoles: quirks.mergeRoles === true,
  });
  const folded = foldNotes(repaired.messages);
  const isEscaped = wire.textOnly === true && wire.isAsWritten?.(request) !== true;
  const kept = isEscaped ? withJoiners(folded) : { messages: folded, warnings: [] };
  const placed = placeSystem(kept.messages, { toolText: '', ...placementOf(plan.rule) });
  const names = new WireNames(request.tools, quirks.anyToolName === true ? undefined : wire.longestToolName);
  const form = callIdFormOf(quirks.callIds) ?? formOfModel(plan.model) ?? wire.callIds ?? 'as-they-are';
  const messages = expressCalls(placed.messages, {
    form: createCallIdForm(form),
    ownIdOf: wireIdsIn(upstream.name, setup.callIds),
    nameOf: (name) => names.wireName(name),
  });
  const isIgnored = requiresCall(request) && ignoresToolChoice(plan, { setup, wire });
  const held = isIgnored ? constrainNative(request, plan.rule) : undefined;
  const constraint = held === undefined ? {} : { constraint: schemaNotes.none };
  const { prompts } = plan.rule;
  const byTemplate = wire.textOnly === true && prompts !== undefined;
  return {
    request: withWholeSchemas(names.rename({ ...request, ...held, messages })),
    prompt: byTemplate ? promptByTemplate({ written: asWritten(messages), prompts, tools: [] }) : plainPrompt(messages),
    names,
    warnings: [...repaired.warnings, ...kept.warnings, ...placed.warnings],
    notes: { system: placed.system, ...constraint },
  };
}

/** Marks of turns may be escaped in these messages, so word joiners of their own are escaped first. */
function withJoiners(messages: readonly Message[]): {
  readonly messages: readonly Message[];
  readonly warnings: Warning[];
} {
  let escapes = 0;
  const escaped = <Each extends Message['content'][number]>(part: Each): Each => {
    if (part.type !== 'text') return part;
    const { text, count } = escapeJoiners(part.text);
    escapes += count;
    return { ...part, text };
  };
  const told = messages.map((message): Message => {
    if (!message.content.some((part) => part.type === 'text' && part.text.includes(joiner))) return message;
    return message.role === 'assistant'
      ? { ...message, content: message.content.map(escaped) }
      : { ...message, content: message.content.map(escaped) };
  });
  if (escapes === 0) return { messages, warnings: [] };
  const message = `${escapes} run(s) of word joiners in messages were escaped.`;
  return { messages: told, warnings: [{ code: 'text-escaped', message }] };
}

/** A conversation without tools is text as it stands. */
function asWritten(messages: readonly Message[]): WrittenHistory {
  const turns = messages.map((message) => ({ message }));
  return { turns, toolText: '', example: [], reminder: '', foreign: false, warnings: [], notes: {} };
}

/** The same request if no schema lacks anything. */
function withWholeSchemas(request: ChatRequest): ChatRequest {
  const isWhole = ({ inputSchema }: ToolDefinition) => completeSchema(inputSchema) === inputSchema;
  if (request.tools.every(isWhole)) return request;
  return { ...request, tools: completed(request.tools) };
}

/** The same again for a list that many requests share. */
const completed = madeOnce((tools: readonly ToolDefinition[]) => tools.map(completeTool));

function completeTool(tool: ToolDefinition): ToolDefinition {
  const inputSchema = wholeSchema(tool.inputSchema);
  return inputSchema === tool.inputSchema ? tool : { ...tool, inputSchema };
}

/** `completeSchema`, after which the numbers of the schema are still known as they were written. */
function wholeSchema(schema: JsonSchema): JsonSchema {
  const whole = completeSchema(schema);
  if (typeof schema === 'object' && typeof whole === 'object') rememberCopy(whole, schema);
  return whole;
}

/**
 * Models whose server or chat template insists on a form of call ids, by a part of their name. Nine letters and digits
 * are what Mistral's API checks ("must be a-z, A-Z, 0-9, with a length of 9"), and what the templates of its older open
 * models raise an error for in any server, also for ids that the server itself made. Kimi K2 is trained on histories with
 * `functions.NAME:N`, and Moonshot asks for ids of that form (K2-Vendor-Verifier).
 */
const knownModels: readonly { readonly part: string; readonly form: CallIdFormName }[] = [
  { part: 'mistral', form: 'nine' },
  { part: 'mixtral', form: 'nine' },
  { part: 'ministral', form: 'nine' },
  { part: 'magistral', form: 'nine' },
  { part: 'codestral', form: 'nine' },
  { part: 'devstral', form: 'nine' },
  { part: 'pixtral', form: 'nine' },
  { part: 'kimi-k2', form: 'kimi' },
];

/** The form of ids that a model of this name needs, if that is known. */
export function formOfModel(model: string): CallIdFormName | undefined {
  const name = model.toLowerCase();
  return knownModels.find(({ part }) => name.includes(part))?.form;
}

/** A request whose effort the model knows. */
interface LimitedEffort {
  readonly request: ChatRequest;
  readonly warnings: readonly Warning[];
}

/**
 * Asks a model only for efforts that it knows: others become the nearest, or are left out where none fits, and that is
 * told. `known` absent: the effort goes as it is.
 */
function limitEffort(request: ChatRequest, known: readonly string[] | undefined): LimitedEffort {
  const effort = effortOf(request);
  if (known === undefined || effort === undefined) return { request, warnings: [] };
  const nearest = nearestEffort(effort, known);
  if (nearest === request.reasoningEffort) return { request, warnings: [] };
  const { reasoningEffort: _effort, reasoningBudget: _budget, ...rest } = request;
  // Not to think is what it does.
  if (effort === 'none' && known.length === 0) return { request: rest, warnings: [] };
  const became = nearest === undefined ? 'was left out' : `became "${nearest}"`;
  const why = known.length === 0 ? 'the model does not think' : 'the model rule lists those that the model knows';
  const message = `The effort "${effort.slice(0, 40)}" ${became}: ${why}.`;
  return {
    request: nearest === undefined ? rest : { ...rest, reasoningEffort: nearest },
    warnings: [{ code: 'field-dropped', message }],
  };
}
