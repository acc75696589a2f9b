import { Remembered } from '../chat/known-texts.ts';
import { madeOnce } from '../chat/made-once.ts';
import type { ChatRequest, OutputFormat } from '../chat/request.ts';
import { requiresCall } from '../chat/request.ts';
import type { JsonSchema, ToolDefinition } from '../chat/tool.ts';
import { keyOfTools } from '../chat/tools-key.ts';
import type { Warning } from '../chat/warning.ts';
import { type CallForms, callForms } from '../constraints/call-forms.ts';
import type { Form } from '../constraints/form.ts';
import { InSteps, type Steps } from '../constraints/steps.ts';
import { writeGbnf } from '../constraints/write-gbnf.ts';
import { type EnvelopeForm, writeSchema } from '../constraints/write-schema.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { answerKey, type EnvelopeAnswers } from '../dialects/json-envelope.ts';
import { mostCallsOf } from '../plan/call-policy.ts';
import type { Taken } from '../plan/plan.ts';
import type { ModelRule } from '../plan/rules.ts';
import type { UpstreamWire } from '../wires/wire.ts';

/** What the server is told of what the model may write. */
export interface Constraint {
  /** As a grammar, or as the form of the answer; neither where calls are only taught so. */
  readonly asked: Pick<ChatRequest, 'grammar' | 'outputFormat'>;
  /** The reply is one JSON object, in place of the dialect's own form: what an answer in it may be. Absent: it is not. */
  readonly envelope?: EnvelopeAnswers;
  /** The model is taught to put what is no call between tags. */
  readonly answerTags: boolean;
  /** What could not be said. */
  readonly warnings: readonly Warning[];
  /** What is held to what, in words; absent where the model may write anything. */
  readonly note?: string;
}

/** Who is told, and what it takes. */
export interface ConstraintOptions {
  readonly dialect: Dialect;
  readonly rule: Pick<ModelRule, 'constrainCalls' | 'outputFormat' | 'opened'> & Partial<Pick<ModelRule, 'policy'>>;
  readonly wire: Pick<UpstreamWire, 'outputFormats'>;
  /** What a reply can be held to there. Default: nothing. */
  readonly takes?: Taken | undefined;
}

const none: Constraint = { asked: {}, answerTags: false, warnings: [] };

/**
 * What the server is to let a text model write: calls in the dialect's own form where a grammar can say that, else one JSON object.
 * Where the answer has to be JSON, that is a call, or JSON that fits; where arguments are strict, anything, and after the opener of a
 * call only one that fits; and where none is wanted, no such opener.
 */
export function constrainCalls(request: ChatRequest, options: ConstraintOptions): Constraint {
  return constraintOf(request, options)?.result ?? none;
}

/** The same, which may be made in steps before it is needed. Undefined where the model may write anything. */
export function constraintOf(request: ChatRequest, options: ConstraintOptions): InSteps<Constraint> | undefined {
  const { rule, takes } = options;
  const mode = rule.constrainCalls;
  const isRequired = requiresCall(request);
  if (mode === 'off' || request.tools.length === 0) return undefined;
  if (request.toolChoice === 'none')
    return takes === 'grammar' && !isFormed(request) ? once(request, options, byGrammar) : undefined;
  if (mode === 'json' || takes === 'schema') {
    const isHeld = takes === 'schema' && (isFormed(request) || mode === 'choice');
    return isRequired || isHeld ? once(request, options, bySchema) : undefined;
  }
  const isHeld = isRequired || isFormed(request) || mode === 'free' || mode === 'choice' || isStrict(request);
  return takes === 'grammar' && isHeld ? once(request, options, byGrammar) : undefined;
}

const isFormed = ({ outputFormat }: Partial<Demand>) => outputFormat !== undefined;

/** Arguments of some tool have to fit. */
const isStrict = ({ tools }: ChatRequest) => tools.some(({ strict }) => strict === true);

/**
 * What holds a model to a call that is required, which calls natively, on a server that ignores that one is: the form of the answer is
 * the call as JSON, and it is read out of the text. Undefined where nothing is required, the rule says otherwise, or no form can say it.
 */
export function constrainNative(
  request: ChatRequest,
  { constrainCalls: mode, rescue, passthrough }: Pick<ModelRule, 'constrainCalls' | 'rescue' | 'passthrough'>,
): Pick<ChatRequest, 'outputFormat' | 'toolChoice' | 'parallelToolCalls'> | undefined {
  const isRead = rescue && passthrough !== 'always';
  if (!requiresCall(request) || request.outputFormat !== undefined || mode === 'off' || !isRead) return undefined;
  const format = callFormat({ tools: named(request) });
  if (format === undefined) return undefined;
  // There is one call, of a tool that the form names: nothing of that is left to be said.
  return { outputFormat: format, toolChoice: 'auto', parallelToolCalls: true };
}

/** An agent sends the same tools with every request; so many different sets are remembered for each dialect, and so many ways to ask. */
const mostRemembered = 8;

type Made = InSteps<Constraint>;

const setsOf = madeOnce((_: Dialect) => new Remembered<Remembered<Made>>(mostRemembered));

/** What a constraint is made for: nothing else of a request is kept while that goes on. */
type Demand = Pick<ChatRequest, 'tools' | 'toolChoice' | 'parallelToolCalls'> & {
  readonly outputFormat: OutputFormat | undefined;
};

/** Made once for the same tools and the same demands. */
function once(
  { tools, toolChoice, parallelToolCalls, outputFormat }: ChatRequest,
  options: ConstraintOptions,
  make: (demand: Demand, options: ConstraintOptions) => Steps<Constraint>,
): Made {
  const { dialect, rule, wire, takes } = options;
  const known = setsOf(dialect).of(keyOfTools(tools), () => new Remembered<Made>(mostRemembered));
  const by = [takes, rule.opened, rule.policy?.maxCalls, rule.constrainCalls, rule.outputFormat, wire.outputFormats];
  const key = JSON.stringify([toolChoice, parallelToolCalls, outputFormat, by]);
  // Nothing else of the request is kept.
  const demand = { tools, toolChoice, parallelToolCalls, outputFormat };
  return known.of(key, () => new InSteps(() => make(demand, options)));
}

/**
 * So many calls in a reply where a model has to begin with one, and nobody says how many may come: a tiny model that may go on with another
 * one does so until its window is full.
 */
const mostForced = 16;

function* byGrammar(demand: Demand, { dialect, rule }: ConstraintOptions): Steps<Constraint> {
  const { tools, toolChoice: choice, outputFormat } = demand;
  const allowed = choice === 'none' ? 'auto' : choice;
  const isForced = requiresCall(demand) || outputFormat !== undefined || rule.constrainCalls === 'choice';
  const wanted = mostCallsOf({ ...demand, toolChoice: allowed }, rule.policy ?? {});
  const most = wanted ?? (isForced ? mostForced : undefined);
  const forms = yield* callForms(dialect, { tools, choice: allowed, most });
  const reply = replyOf(demand, { forms, rule });
  if (reply === undefined) return none;
  const { form, ...others } = reply;
  const { grammar, isWider } = yield* writeGbnf(form);
  const warnings = isWider || forms?.isWider === true ? [leftOpen] : [];
  return { ...none, ...others, asked: { grammar }, warnings };
}

/** What the whole reply may be. */
function replyOf(
  demand: Demand,
  { forms, rule }: Pick<ConstraintOptions, 'rule'> & { readonly forms: CallForms | undefined },
): (Partial<Constraint> & { readonly form: Form; readonly note: string }) | undefined {
  const { toolChoice: choice, outputFormat } = demand;
  if (requiresCall(demand)) {
    const called = typeof choice === 'object' ? 'a named tool' : 'a call';
    if (forms !== undefined) return { form: afterReasoning(forms.calls, rule), note: `${called}, by grammar` };
    // Not all that a dialect writes can be said by a grammar.
    const form = afterReasoning(plainJson(named(demand)), rule);
    return { form, note: `${called} as plain JSON, by grammar`, envelope: 'none' };
  }
  // A call in plain JSON is read only where one is required.
  if (forms === undefined) return undefined;
  if (choice === 'none') return { form: { until: forms.openers() }, note: 'no call, by grammar' };
  if (outputFormat !== undefined) {
    const json = outputFormat.type === 'json' ? { type: 'object' } : outputFormat.schema;
    return { form: afterReasoning({ any: [forms.calls, { json }] }, rule), note: 'a call or JSON, by grammar' };
  }
  if (rule.constrainCalls === 'choice') {
    // A model that forgets the closer ends its reply all the same, instead of saying more and more.
    const said: Form = { until: [answerCloser, ...forms.openers()] };
    const answer: Form = { all: [answerOpener, said, { any: ['', answerCloser] }] };
    const form = afterReasoning({ any: [forms.calls, answer] }, rule);
    return { form, note: 'a call or an answer, by grammar', answerTags: true };
  }
  const form: Form = { all: [{ until: forms.openers() }, { any: ['', forms.calls] }] };
  return { form, note: 'calls in free text, by grammar' };
}

const leftOpen: Warning = {
  code: 'limit-reached',
  message:
    'The schemas of the tools are too large for a grammar that says all of them. Arguments are checked when they come.',
};

/** What a reply without a call is between, where the first words decide. */
export const [answerOpener, answerCloser] = ['<answer>', '</answer>'];

/** What teaches the tags that a reply without a call is between. */
export const answerRule = `If no tool helps, begin your reply with ${answerOpener}, and write your answer after it and ${answerCloser} at its end.`;

/** What a model thinks comes first, in the tags that every dialect reads. */
function afterReasoning(call: Form, { opened }: Pick<ModelRule, 'opened'>): Form {
  const thought: Form = { all: [{ until: ['</think>'] }, '</think>', { any: ['', '\n', '\n\n'] }] };
  const reasoning: Form = opened === undefined ? { any: ['', { all: ['<think>', thought] }] } : thought;
  return { all: [reasoning, call] };
}

function plainJson(tools: readonly ToolDefinition[]): Form {
  const calls = tools.map(({ name, inputSchema }): Form => {
    return { all: [`{"name": ${JSON.stringify(name)}, "arguments": `, { json: inputSchema }, '}'] };
  });
  return { any: calls };
}

function named({ tools, toolChoice }: Pick<Demand, 'tools' | 'toolChoice'>): readonly ToolDefinition[] {
  return typeof toolChoice === 'object' ? tools.filter(({ name }) => name === toolChoice.name) : tools;
}

/**
 * One JSON object, by the upstream's field for the form of an answer. Where a call is required and that cannot be said, it is only taught;
 * where none is, the model has the choice only if it is held to it.
 */
function* bySchema(demand: Demand, { rule, wire }: ConstraintOptions): Steps<Constraint> {
  const { outputFormat } = demand;
  const isRequired = requiresCall(demand);
  const envelope: EnvelopeAnswers = isRequired ? 'none' : outputFormat === undefined ? 'text' : 'json';
  const taught: Constraint = isRequired ? { ...none, envelope } : none;
  if (rule.outputFormat === 'taught' || wire.outputFormats?.includes('json-schema') === false) return taught;
  const answer = isRequired ? {} : { answer: { key: answerKey, schema: answerSchema(outputFormat) } };
  yield;
  const format = callFormat({ tools: named(demand), ...answer });
  if (format === undefined) return taught;
  return { ...none, envelope, asked: { outputFormat: format }, note: schemaNotes[envelope] };
}

/** What a model is held to by a schema, in words. */
export const schemaNotes: Readonly<Record<EnvelopeAnswers, string>> = {
  none: 'a call, by schema',
  text: 'a call or an answer, by schema',
  json: 'a call or JSON, by schema',
};

function answerSchema(format: OutputFormat | undefined): JsonSchema {
  if (format === undefined) return { type: 'string' };
  return format.type === 'json' ? { type: 'object' } : format.schema;
}

function callFormat(form: EnvelopeForm): OutputFormat | undefined {
  const schema = writeSchema(form);
  return schema === undefined ? undefined : { type: 'json-schema', name: 'reply', schema, ofCalls: true };
}
