import { badRequest, isObject, type Path } from './read-values.ts';

/** How a tool is declared: inside of `function`, or flat with its schema under this key. */
export type ToolForm = 'function' | 'parameters' | 'input_schema';

const written: Readonly<Record<ToolForm, string>> = {
  function: '{"type": "function", "function": {"name": …, "description": …, "parameters": {…}}}',
  parameters: '{"type": "function", "name": …, "description": …, "parameters": {…}}',
  input_schema: '{"name": …, "description": …, "input_schema": {…}}',
};

const apis: Readonly<Record<ToolForm, string>> = {
  function: 'Chat Completions',
  parameters: 'the Responses API',
  input_schema: 'the Messages API',
};

/**
 * Refuses a tool that is in the form of another API: left out, it would be missing without a word that the caller
 * sees, and half read, it would have no parameters. Throws DragomanError `bad-request` with the form that `path` needs.
 */
export function refuseOtherForm(value: unknown, path: Path, form: ToolForm): void {
  const found = formOf(value);
  if (found === undefined || found === form) return;
  throw badRequest(path, `has the form of ${apis[found]}; write ${written[form]}.`);
}

/** The form in which a tool has a name and shows where its schema stands; undefined for a malformed one, or one of either flat form. */
function formOf(value: unknown): ToolForm | undefined {
  if (!isObject(value)) return undefined;
  if (isObject(value.function)) return isNamed(value.function) ? 'function' : undefined;
  if (!isNamed(value)) return undefined;
  if ('input_schema' in value) return 'input_schema';
  return 'parameters' in value ? 'parameters' : undefined;
}

function isNamed(value: { readonly name?: unknown }): boolean {
  return typeof value.name === 'string' && value.name !== '';
}
