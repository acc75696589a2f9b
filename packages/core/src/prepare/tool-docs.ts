import type { ToolDefinition } from '../chat/tool.ts';
import { refuse } from '../check-value.ts';
import { describeParameters, type ParameterDoc } from '../json/describe-schema.ts';
import { type ToolDocForm, toolDocForms } from '../plan/prompt-template.ts';

/**
 * One tool as documentation for a prompt, shortest form first: `line` is `name: description`, `signature` is
 * `name(path: string, limit?: integer)`, `stub` is that with the descriptions as a comment, `schema` is JSON. Throws
 * DragomanError `config-invalid` for any other form.
 */
export function renderToolDoc(tool: ToolDefinition, form: ToolDocForm): string {
  switch (form) {
    case 'line':
      return `${tool.name}: ${firstLine(tool.description)}`;
    case 'signature':
      return signature(tool.name, describeParameters(tool.inputSchema));
    case 'stub':
      return stub(tool, describeParameters(tool.inputSchema));
    case 'schema':
      return JSON.stringify(
        { name: tool.name, description: tool.description, parameters: tool.inputSchema },
        undefined,
        2,
      );
    default:
      return refuse('form', form satisfies never, `give one of ${toolDocForms.join(', ')}.`);
  }
}

function signature(name: string, parameters: readonly ParameterDoc[]): string {
  const list = parameters.map((doc) => `${doc.name}${doc.required ? '' : '?'}: ${typeOf(doc)}`);
  return `${name}(${list.join(', ')})`;
}

/** The values that may be here, where they are few; else the type. */
function typeOf(doc: ParameterDoc): string {
  return doc.choices.length > 0 && doc.choices.length <= 8 ? doc.choices.join(' | ') : doc.type;
}

function stub(tool: ToolDefinition, parameters: readonly ParameterDoc[]): string {
  const lines = [`function ${signature(tool.name, parameters)}`, '  """'];
  lines.push(...indented(tool.description ?? 'No description.', '  '));
  for (const doc of parameters) lines.push(...parameterLines(doc, '  '));
  return [...lines, '  """'].join('\n');
}

function parameterLines(doc: ParameterDoc, indent: string): readonly string[] {
  const said = doc.description === undefined ? '' : ` ${doc.description.split('\n').join(' ')}`;
  const fallback = doc.defaultValue === undefined ? '' : ` Default: ${doc.defaultValue}.`;
  const inner = doc.members.flatMap((member) => parameterLines(member, `${indent}  `));
  return [`${indent}${doc.name} (${typeOf(doc)}):${said}${fallback}`, ...inner];
}

function firstLine(text: string | undefined): string {
  const line = text?.split('\n', 1)[0]?.trim() ?? '';
  return line === '' ? 'no description' : line;
}

function indented(text: string, indent: string): readonly string[] {
  return text.split('\n').map((line) => `${indent}${line}`);
}
