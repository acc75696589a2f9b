import { owesCall } from '../chat/owes-call.ts';
import type { ChatRequest, OutputFormat } from '../chat/request.ts';
import type { JsonSchema, ToolDefinition } from '../chat/tool.ts';
import { SchemaDocument } from '../json/schema-document.ts';
import type { Plan } from '../plan/plan.ts';
import type { UpstreamWire } from '../wires/wire.ts';

/**
 * The form of a reply that has to be a call as plain JSON, for an upstream that can hold its model to it; undefined where
 * that is not wanted or cannot be said.
 */
export function owedFormat(
  request: ChatRequest,
  { plan, wire }: { readonly plan: Pick<Plan, 'rule' | 'dialect'>; readonly wire: Pick<UpstreamWire, 'outputFormats'> },
): OutputFormat | undefined {
  const { rule, dialect } = plan;
  const isWanted = dialect !== undefined && rule.requiredCalls === 'json' && owesCall(request);
  if (!isWanted || rule.outputFormat === 'taught') return undefined;
  const { toolChoice } = request;
  const tools =
    typeof toolChoice === 'object' ? request.tools.filter(({ name }) => name === toolChoice.name) : request.tools;
  const format = formOf(tools);
  return wire.outputFormats === undefined || wire.outputFormats.includes(format.type) ? format : undefined;
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
