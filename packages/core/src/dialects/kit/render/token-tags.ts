import type { ToolDefinition } from '../../../chat/tool.ts';
import type { PastCall } from '../../dialect.ts';
import { placeholders } from '../forwarded-name.ts';
import { tokenTags } from '../token-tags.ts';
import { cdataOpen } from '../value-end.ts';
import { escapeJsonMarkers } from './escape-json-markers.ts';
import { type PastParameter, pastParameters } from './past-arguments.ts';
import { quotedName } from './quoted-name.ts';

/** How a dialect writes tags with a token in front of their names. */
export interface TokenTagForm {
  /** The word of the token: `｜word｜`. */
  readonly word: string;
  /** The tag around the calls of a reply. */
  readonly section: string;
}

/** The block that a model is shown. */
export function tokenTagExample(form: TokenTagForm): string {
  const parameter = `<｜${form.word}｜parameter name="PARAMETER" string="true|false">value</｜${form.word}｜parameter>`;
  return block(form, [invoke(form, placeholders.tool, [parameter])]);
}

/** What a model is told about its values. */
export const tokenTagRules: readonly string[] = [
  'A string stands as it is, with string="true"; any other value stands as JSON, with string="false".',
  'All calls of a reply stand in one block, each in its own invoke.',
];

/** One block for the round. */
export function tokenTagCalls(
  calls: readonly PastCall[],
  { tools, form }: { readonly tools: readonly ToolDefinition[]; readonly form: TokenTagForm },
): string {
  if (calls.length === 0) return '';
  const tags = tokenTags(form.word);
  const markup = [...tags('</', ['parameter']), ...tags('<', ['invoke']), cdataOpen];
  const write = (parameter: PastParameter) => renderParameter(parameter, { form, markup });
  return block(
    form,
    calls.map((call) => invoke(form, call.name, pastParameters(call, tools).map(write))),
  );
}

function block({ word, section }: TokenTagForm, invokes: readonly string[]): string {
  return `<｜${word}｜${section}>\n${invokes.join('\n')}\n</｜${word}｜${section}>`;
}

function invoke({ word }: TokenTagForm, name: string, parameters: readonly string[]): string {
  return [`<｜${word}｜invoke name=${quotedName(name)}>`, ...parameters, `</｜${word}｜invoke>`].join('\n');
}

/** A string that holds markup stands as JSON, where it can be escaped. */
function renderParameter(
  { key, json }: PastParameter,
  { form: { word }, markup }: { readonly form: TokenTagForm; readonly markup: readonly string[] },
): string {
  const value: unknown = JSON.parse(json);
  const text = typeof value === 'string' && !markup.some((literal) => value.includes(literal));
  const written = text ? value : escapeJsonMarkers(json, markup);
  return `<｜${word}｜parameter name=${quotedName(key)} string="${text}">${written}</｜${word}｜parameter>`;
}
