import { owesCall } from '../chat/owes-call.ts';
import type { ChatRequest, OutputFormat } from '../chat/request.ts';
import type { JsonSchema, ToolDefinition } from '../chat/tool.ts';
import { keyOfTools } from '../chat/tools-key.ts';
import { callForms } from '../constraints/call-forms.ts';
import type { Form } from '../constraints/form.ts';
import { writeGbnf } from '../constraints/write-gbnf.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { SchemaDocument } from '../json/schema-document.ts';
import type { ModelRule } from '../plan/rules.ts';
import type { UpstreamWire } from '../wires/wire.ts';
import { Remembered } from './remembered.ts';

/** What the server is told of the calls that the model may write. */
export interface Constraint {
  /** As a grammar, or as the form of the answer; neither where calls are only taught so. */
  readonly asked: Pick<ChatRequest, 'grammar' | 'outputFormat'>;
  /** The model is taught to write the call as plain JSON. */
  readonly asJson: boolean;
}

/** Who is told, and what it takes. */
export interface ConstraintOptions {
  readonly dialect: Dialect;
  readonly rule: Pick<ModelRule, 'constrainCalls' | 'outputFormat' | 'opened'>;
  readonly wire: Pick<UpstreamWire, 'outputFormats' | 'holdsFormats'>;
  /** The server is known to take a grammar. */
  readonly takesGrammar?: boolean;
}

const none: Constraint = { asked: {}, asJson: false };

/** Which calls the server is to let a text model write: in the dialect's own form where that can be said, else as plain JSON. */
export function constrainCalls(request: ChatRequest, options: ConstraintOptions): Constraint {
  const { rule, wire, takesGrammar = false } = options;
  const { constrainCalls: mode } = rule;
  const isOwed = owesCall(request);
  if (mode === 'off' || request.tools.length === 0) return none;
  if (mode === 'json' || (isOwed && !takesGrammar && wire.holdsFormats === true)) {
    return isOwed ? { asked: owedFormat(request, options), asJson: true } : none;
  }
  if (!takesGrammar || request.toolChoice === 'none') return none;
  return isOwed || (mode === 'free' && request.outputFormat === undefined) ? byGrammar(request, options) : none;
}

/** An agent sends the same tools with every request; so many different sets are remembered for each dialect. */
const mostRemembered = 16;

const remembered = new WeakMap<Dialect, Remembered<Constraint>>();

function byGrammar(request: ChatRequest, { dialect, rule }: ConstraintOptions): Constraint {
  const { tools, toolChoice: choice, parallelToolCalls: parallel } = request;
  const known = remembered.get(dialect) ?? new Remembered<Constraint>(mostRemembered);
  remembered.set(dialect, known);
  return known.of(JSON.stringify([choice, parallel, rule.opened]) + keyOfTools(tools), () => {
    const forms = callForms(dialect, { tools, choice, parallel });
    if (isFree(choice)) {
      if (forms === undefined) return none;
      const said: Form = { all: [{ until: [forms.opener] }, { any: ['', forms.calls] }] };
      return { asked: { grammar: writeGbnf(said) }, asJson: false };
    }
    const call = forms?.calls ?? plainJson(named(request));
    return { asked: { grammar: writeGbnf(behindReasoning(call, rule)) }, asJson: forms === undefined };
  });
}

function isFree(choice: ChatRequest['toolChoice']): boolean {
  return choice === 'auto';
}

/** What a model thinks comes first, in the tags that every dialect reads. */
function behindReasoning(call: Form, { opened }: Pick<ModelRule, 'opened'>): Form {
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

function named({ tools, toolChoice }: ChatRequest): readonly ToolDefinition[] {
  return typeof toolChoice === 'object' ? tools.filter(({ name }) => name === toolChoice.name) : tools;
}

/** A call as plain JSON, by the upstream's field for the form of an answer. Nothing where that cannot be said. */
function owedFormat(request: ChatRequest, { rule, wire }: ConstraintOptions): Constraint['asked'] {
  if (rule.outputFormat === 'taught') return {};
  const format = formOf(named(request));
  return wire.outputFormats === undefined || wire.outputFormats.includes(format.type) ? { outputFormat: format } : {};
}

function formOf(tools: readonly ToolDefinition[]): OutputFormat {
  // A reference is looked up from the root, and that would be another one.
  if (tools.some(({ inputSchema }) => new SchemaDocument(inputSchema).uses(['$ref', '$dynamicRef'])))
    return { type: 'json' };
  const calls = tools.map(callOf);
  const [only] = calls;
  return {
    type: 'json-schema',
    name: 'call',
    schema: calls.length === 1 && only !== undefined ? only : { anyOf: calls },
  };
}

/** Servers that follow a grammar know `enum` where `const` is too new for them. */
function callOf({ name, inputSchema }: ToolDefinition): { readonly [keyword: string]: JsonSchema | unknown } {
  return {
    type: 'object',
    properties: { name: { type: 'string', enum: [name] }, arguments: inputSchema },
    required: ['name', 'arguments'],
    additionalProperties: false,
  };
}
