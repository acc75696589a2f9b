import type { ToolDefinition } from '../../../chat/tool.ts';
import type { PastCall } from '../../dialect.ts';
import { escapeJsonMarkers } from '../render/escape-json-markers.ts';
import { gemmaLiteral, pythonCall } from '../render/literals.ts';
import { type PastParameter, pastArguments, pastParameters, pastText } from '../render/past-arguments.ts';
import { cdataOpen } from '../value-end.ts';
import type { CallTable, DialectTable, Grouping, HeadedTable, JsonTable, TaggedTable } from './dialect-table.ts';
import { headerForm, idOf } from './header-form.ts';
import { isPadded } from './table-grammar.ts';
import { fixedMarkers } from './table-markers.ts';
import { attributeOpener, fixedPart } from './tag-literal.ts';

/** One round of calls as the table says that the model writes them. None of its markers stands in a value. */
export function renderTableCalls(
  table: DialectTable,
  calls: readonly PastCall[],
  tools: readonly ToolDefinition[],
): string {
  if (calls.length === 0) return '';
  const { call, section } = table;
  const literals = fixedMarkers(table);
  const bodies = calls.map((each) => renderCall(call, { call: each, tools, literals }));
  return `${section?.opener ?? ''}${groupCalls(call, bodies)}${section?.closer ?? ''}`;
}

function groupCalls(call: CallTable, bodies: readonly string[]): string {
  const grouping: Grouping = 'grouping' in call ? (call.grouping ?? 'each') : 'each';
  const { opener, closer, between = grouping === 'each' ? '\n' : ', ' } = call;
  if (call.kernel === 'tagged') {
    const { opener: front = '', closer: back = '' } = call.block ?? {};
    return bodies.map((body) => front + body + back).join(between);
  }
  if (grouping === 'each') return bodies.map((body) => opener + body + closer).join(between);
  const joined = bodies.join(between);
  return `${opener}${grouping === 'list' ? `[${joined}]` : joined}${closer}`;
}

interface Written {
  readonly call: PastCall;
  readonly tools: readonly ToolDefinition[];
  readonly literals: readonly string[];
}

/** A call without what stands around it; of a `tagged` one, all of it. */
function renderCall(form: CallTable, given: Written): string {
  const { call, literals } = given;
  switch (form.kernel) {
    case 'json':
      return jsonCall(form, given);
    case 'headed':
      return headedCall(form, given);
    case 'tagged':
      return taggedCall(form, given);
    case 'python':
      return pythonCall(call, literals);
    case 'gemma': {
      const json = pastArguments(call, literals);
      const given = json.startsWith('"') ? `{"arguments":${json}}` : json;
      return `call:${call.name}${gemmaLiteral(given, { quote: form.quote, literals })}`;
    }
  }
}

function jsonCall({ keys = {}, keyed }: JsonTable, { call, literals }: Written): string {
  const given = pastArguments(call, literals);
  const name = JSON.stringify(call.name);
  if (keyed) return `{${name}: ${given}}`;
  const id = keys.id === undefined ? '' : `${JSON.stringify(keys.id)}: ${JSON.stringify(idOf(call))}, `;
  const [nameKey, argumentsKey] = [keys.name ?? 'name', keys.arguments ?? 'arguments'].map((key) =>
    JSON.stringify(key),
  );
  return `{${id}${nameKey}: ${name}, ${argumentsKey}: ${given}}`;
}

function headedCall({ header = '{name}', separator, fenced }: HeadedTable, { call, literals }: Written): string {
  const given = pastArguments(call, literals);
  // Without a separator only a brace ends the header: what is no object stands in one.
  const body = given.startsWith('{') || separator.trim() !== '' ? given : `{"arguments": ${given}}`;
  return `${headerForm(header).write(call)}${separator}${fenced ? `\`\`\`json\n${body}\n\`\`\`` : body}`;
}

function taggedCall(form: TaggedTable, { call, tools }: Written): string {
  const { opener, end, closer, parameter } = form;
  const markup = [parameter.closer, form.block?.closer ?? '', form.block?.opener ?? '', parameter.opener, opener]
    .map(fixedPart)
    .filter((literal) => literal !== '');
  const written = pastParameters(call, tools).map((each) => taggedParameter(form, { parameter: each, markup }));
  return `${quoted(opener, call.name, end)}${written.join('')}${closer}`;
}

/** A value that holds markup stands in CDATA, or as JSON where the markup says what it is. */
function taggedParameter(
  { parameter: form }: TaggedTable,
  { parameter, markup }: { readonly parameter: PastParameter; readonly markup: readonly string[] },
): string {
  const { opener, value = '', closer, typed } = form;
  const padded = isPadded(form);
  const unpadded = (text: string) => (padded ? text.slice(0, -1) : text);
  const back = padded ? closer.slice(1) : closer;
  if (typed === undefined) {
    const text = pastText(parameter, { markup, padded: padded ? 'always' : 'never' });
    return `${quoted(opener, parameter.key, unpadded(form.end + value))}${text}${back}`;
  }
  const read: unknown = JSON.parse(parameter.json);
  const isText = typeof read === 'string' && ![...markup, cdataOpen].some((literal) => read.includes(literal));
  const end = `${form.end.slice(0, 1)} ${typed.attribute}="${isText ? typed.text : typed.json}"${form.end.slice(1)}`;
  const text = isText ? read : escapeJsonMarkers(parameter.json, [...markup, cdataOpen]);
  return `${quoted(opener, parameter.key, end + value)}${text}${closer}`;
}

/** Attributes know no escaping: a name with one kind of quote stands between the other. */
function quoted(opener: string, name: string, end: string): string {
  const quote = attributeOpener(opener)?.quote;
  if (quote === undefined || !name.includes(quote)) return opener + name + end;
  const other = quote === '"' ? "'" : '"';
  return opener.slice(0, -1) + other + name + other + end.slice(1);
}
