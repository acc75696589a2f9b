import type { ToolDefinition } from '../../chat/tool.ts';
import { describeParameters, type ParameterDoc } from '../../json/describe-schema.ts';
import { escapeJsonMarkers } from '../render/escape-json-markers.ts';
import { isName } from '../render/literals.ts';
import type { TableReader } from '../table/parts.ts';

/** Types whose Python name differs; what is none of these is `Any`. */
const types: ReadonlyMap<string, string> = new Map([
  ['string', 'str'],
  ['integer', 'int'],
  ['number', 'float'],
  ['boolean', 'bool'],
  ['object', 'Dict'],
  ['array', 'List'],
]);

/**
 * A tool as a Python function without a body, with its description and the JSON Schema of its parameters as
 * comments. Texts are as JSON strings, in which none of the literals occurs.
 */
function pythonStub({ name, description, inputSchema }: ToolDefinition, literals: readonly string[]): string {
  const text = (value: unknown) => escapeJsonMarkers(JSON.stringify(value), literals);
  // A name that is no word would break the line; the schema holds it anyway.
  const parameters = describeParameters(inputSchema).filter((doc) => isName(doc.name));
  return [
    ...(description === undefined ? [] : [`# ${text(description)}`]),
    `def ${name}(${parameters.map(parameter).join(', ')}):`,
    `    # Parameters as JSON Schema: ${text(inputSchema)}`,
    '    pass',
  ].join('\n');
}

function parameter({ name, type, required }: ParameterDoc): string {
  const python = types.get(type) ?? 'Any';
  return required ? `${name}: ${python}` : `${name}: Optional[${python}] = None`;
}

/** The reader of tables whose lessons describe tools so. */
export const pythonStubs: TableReader = { describe: pythonStub };
