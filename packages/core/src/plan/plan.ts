import { madeOnce } from '../chat/made-once.ts';
import type { ChatRequest } from '../chat/request.ts';
import { dialectOfModel, taughtDialect } from '../dialects/known-models.ts';
import { dialectOfTemplate } from '../dialects/together/dialect-of-template.ts';
import { anyDialect } from '../dialects/together/read-any.ts';
import { DragomanError } from '../errors.ts';
import type { ModelFacts } from '../stores/fact-store.ts';
import type { ListedModel, Quirks, UpstreamWire } from '../wires/wire.ts';
import { findModel, listedAs, type ModelEntry } from './model-entries.ts';
import { dialectOf, isDialect, upstreamOf, upstreamWireOf } from './plug-ins.ts';
import type { ModelRule } from './rules.ts';
import type { EngineSetup, Upstream } from './setup.ts';

/** The decision where and how a request goes: data that can be printed, compared and tested. */
export interface Plan {
  /** The model as the client named it. */
  readonly asked: string;
  /** The upstream's name in the configuration. */
  readonly upstream: string;
  readonly wire: string;
  /** The upstream's own name for the model. */
  readonly model: string;
  readonly rule: ModelRule;
  /** `native`, the id of a dialect, `auto`: calls in any of them are read, or `none`: the tools are stripped. */
  readonly toolCalling: string;
  /** The dialect that history and reply are written in; absent with native calls. It stays when tools are stripped. */
  readonly dialect?: string;
  /** Why calls are read this way, in words. */
  readonly reason: string;
  /** What the upstream's answers have shown of the model; absent where nothing was learnt. */
  readonly facts?: ModelFacts;
}

/**
 * Plans a request. Throws DragomanError `model-unknown`, `bad-request` for the name of a tool, `too-many-messages`, `too-many-tools`, `unsupported-field` for tools that would have
 * to be native on a wire that carries none, or `config-invalid` for a wire or a dialect that does not exist.
 */
export function planRequest(request: ChatRequest, setup: EngineSetup): Plan {
  const found = findModel(request.model, setup);
  const { place, rule } = found;
  const model = rule.upstreamName ?? found.model;
  const wire = upstreamWireOf(place.wire, setup);
  checkCounts(request.messages);
  if (setup.toolCalling && request.tools.length > setup.maxTools) {
    throw new DragomanError(
      'too-many-tools',
      `The request declares ${request.tools.length} tools; at most ${setup.maxTools} are allowed. Declare fewer.`,
      { param: 'tools' },
    );
  }
  refuseLongNames(request);
  const { dialect, reads = dialect ?? 'native', reason } = callingModeOf(found, { setup, wire });
  if (dialect === undefined && wire.textOnly === true && setup.toolCalling) refuseTools(request, wire);
  return {
    asked: request.model,
    upstream: found.upstream,
    wire: place.wire,
    model,
    rule,
    toolCalling: setup.toolCalling ? reads : 'none',
    ...(dialect === undefined ? {} : { dialect }),
    reason: setup.toolCalling ? reason : `tool calling is switched off; ${reason}`,
    ...(found.facts === undefined ? {} : { facts: found.facts }),
  };
}

/**
 * What requests of a model need: what the configuration says wins, then what was learnt, then what is known of its name, then
 * what its server says of itself.
 */
export function quirksOfPlan({ model, facts }: Plan, upstream: Upstream): Quirks {
  const { modelQuirks, quirks } = upstream;
  return { ...listedAs(model, upstream)?.quirks, ...modelQuirks?.(model), ...facts?.quirks, ...quirks };
}

/** What a server takes that a reply then has to match. */
export type Taken = 'grammar' | 'schema';

/**
 * What the server of a model takes that a reply then has to match: a grammar, which says more, or a JSON Schema. Undefined where that is
 * not known, or it has refused it.
 */
export function acceptedConstraints(plan: Plan, setup: EngineSetup): Taken | undefined {
  if (plan.facts?.grammar === 'refused') return undefined;
  const wire = upstreamWireOf(plan.wire, setup);
  const { grammarField, holdsSchemas } = quirksOfPlan(plan, upstreamOf(plan.upstream, setup));
  if (wire.quirks?.grammarField !== undefined && grammarField !== undefined) return 'grammar';
  const isHeld = wire.quirks?.holdsSchemas !== undefined && holdsSchemas === true;
  return isHeld || wire.holdsFormats === true ? 'schema' : undefined;
}

/**
 * The longest name of a tool, four times what OpenAI's API allows: names are in markers, and a text that repeats the beginning of a
 * long one is looked at again at each of its characters.
 */
const longestName = 256;

function refuseLongNames({ tools }: ChatRequest): void {
  const at = tools.findIndex(({ name }) => name.length > longestName);
  if (at < 0) return;
  const param = `tools[${at}]`;
  const problem = `${param}: the name has ${tools[at]?.name.length} characters; at most ${longestName} are allowed. Shorten it.`;
  throw new DragomanError('bad-request', problem, { param });
}

/**
 * The most messages, parts of messages and calls in a request. Agents compact their histories far below; and what is looked
 * at once for each of them takes no longer than other requests can wait.
 */
const most = { messages: 10_000, parts: 20_000, calls: 3_000 };

function checkCounts(messages: ChatRequest['messages']): void {
  let parts = 0;
  let calls = 0;
  for (const { content } of messages) {
    parts += content.length;
    for (const { type } of content) if (type === 'tool-call') calls += 1;
  }
  refuseMore('messages', messages.length);
  refuseMore('parts', parts);
  refuseMore('calls', calls);
}

/**
 * Refuses a body that lists more messages than a request may have, before each of them is read. Throws DragomanError
 * `too-many-messages`.
 */
export function checkBodyCounts(body: unknown): void {
  const { messages, input }: { messages?: unknown; input?: unknown } = Object(body);
  if (Array.isArray(messages)) refuseMore('messages', messages.length);
  // Of the Responses API each call, result and thought is an item.
  if (Array.isArray(input)) refuseMore('parts', input.length);
}

function refuseMore(what: keyof typeof most, count: number): void {
  if (count <= most[what]) return;
  throw new DragomanError(
    'too-many-messages',
    `The request holds ${count} ${what === 'parts' ? 'parts of messages' : what}; at most ${most[what]} are allowed. Compact the conversation.`,
    { param: 'messages' },
  );
}

/** Tools and the history of calls would be lost without a word: the client has to know, and whoever configured it. */
function refuseTools({ tools, toolChoice, messages }: ChatRequest, wire: UpstreamWire): void {
  const at = messages.findIndex(
    ({ role, content }) => role === 'tool' || content.some(({ type }) => type === 'tool-call'),
  );
  if (at < 0 && (tools.length === 0 || toolChoice === 'none')) return;
  const param = at < 0 ? 'tools' : `messages[${at}]`;
  throw new DragomanError(
    'unsupported-field',
    `${param}: this model is configured with "toolCalling": "native", but its upstream speaks ${wire.id}, which carries only text. Configure "auto" or a dialect.`,
    { param },
  );
}

/** How a model calls tools. */
interface CallingMode {
  /** What it is taught to write; absent where its calls are native. */
  readonly dialect?: string;
  /** `auto` where the calls of all dialects are read beside. */
  readonly reads?: typeof anyDialect;
  /** Why, in words. */
  readonly reason: string;
}

interface Around {
  readonly setup: EngineSetup;
  readonly wire: UpstreamWire;
}

/**
 * Decides how a model calls tools. The first that knows decides: its rule, what its server's answers have shown, what the
 * server says of it, its name; and where nobody knows, it is given tools natively, and its answers will show. Throws
 * DragomanError `config-invalid` for a dialect that does not exist.
 */
function callingModeOf(entry: ModelEntry, around: Around): CallingMode {
  const { toolCalling, upstreamName: name = entry.model } = entry.rule;
  if (toolCalling === 'native') return { reason: 'the model rule says native' };
  if (toolCalling === 'auto') return foundOut(entry, { ...around, name });
  if (toolCalling === 'text') {
    const { dialect: taught, reason } = taughtBecause('the model rule says text', entry, { ...around, name });
    return { dialect: taught, reads: anyDialect, reason };
  }
  const { dialect } = toolCalling;
  dialectOf(dialect, around.setup);
  return { dialect, reason: `the model rule says ${dialect}` };
}

/** Why a model is taught its tools that was given them natively. */
const shown: Readonly<Record<Exclude<NonNullable<ModelFacts['tools']>, 'called'>, string>> = {
  refused: 'the upstream has refused tools for',
  ignored: 'the upstream has ignored the tools of',
  written: 'a call was in the text of',
};

function foundOut(entry: ModelEntry, around: Around & { readonly name: string }): CallingMode {
  const { wire, name } = around;
  const quoted = `"${name}"`;
  if (wire.textOnly === true) return taughtBecause(`${wire.id} carries only text`, entry, around);
  const { facts, listed } = entry;
  if (facts?.tools === 'called') return { reason: `calls of ${quoted} have come natively` };
  if (facts?.tools !== undefined) return taughtBecause(`${shown[facts.tools]} ${quoted}`, entry, around);
  if (listed?.toolCalling === true) return { reason: `the upstream lists ${quoted} as calling tools natively` };
  if (listed?.toolCalling === false) {
    return taughtBecause(`the upstream lists ${quoted} as taking no tools`, entry, around);
  }
  const dialect = dialectOfModel(name, { takesTools: true });
  if (dialect !== undefined) return { dialect, reason: `models named like ${quoted} write ${dialect}` };
  return { reason: `nothing says how ${quoted} calls tools, so natively until an answer shows otherwise` };
}

/** The dialect that a model of this name is known to write is read alone; beside a guess, all are. */
function taughtBecause(
  why: string,
  { facts, listed }: ModelEntry,
  { name, setup }: Around & { readonly name: string },
): CallingMode & { readonly dialect: string } {
  const { dialect: written } = facts ?? {};
  if (written !== undefined && isDialect(written, setup)) {
    return { dialect: written, reads: anyDialect, reason: `${why}, and it has written ${written}` };
  }
  const known = dialectOfModel(name, { takesTools: false });
  if (known !== undefined) return { dialect: known, reason: `${why}, and models named like "${name}" write ${known}` };
  const seeming = listed && seemingOf(listed).dialect;
  if (seeming !== undefined) {
    return { dialect: seeming, reads: anyDialect, reason: `${why}, and its chat template seems to write ${seeming}` };
  }
  return { dialect: taughtDialect, reads: anyDialect, reason: `${why}, so it is taught ${taughtDialect}` };
}

/** A template is looked through once for each list that tells it. */
const seemingOf = madeOnce(({ template }: ListedModel) => ({
  dialect: template === undefined ? undefined : dialectOfTemplate(template),
}));
