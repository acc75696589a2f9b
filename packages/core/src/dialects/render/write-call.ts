import type { PastCall } from '../dialect.ts';
import { headerForm } from '../forms/header/header-form.ts';
import { separatorsOf } from '../forms/header.ts';
import { cdataOpen } from '../forms/tags/value-end.ts';
import { literalStart } from '../parser/scanner.ts';
import { attributeOpener, fill, fixedPart, isPadded, readTexts, writtenText } from '../table/literals.ts';
import { readerOf, type TableParts, type Writing } from '../table/parts.ts';
import type { CallTable, GemmaTable, HeaderTable, JsonTable, NamedTagsTable, TagsTable } from '../table.ts';
import { escapeJsonMarkers } from './escape-json-markers.ts';
import { gemmaLiteral, pythonCall } from './literals.ts';
import { nestedText, type PastParameter, pastArguments, pastParameters, pastText } from './past-calls.ts';

/** A past call in the form of its table, without what is around it; where `writesWhole` says so, with that. */
export function writeCall(table: CallTable, writing: Writing): string {
  switch (table.form) {
    case 'json':
      return writeJson(table, writing);
    case 'header':
      return writeHeader(table, writing);
    case 'tags':
      return writeTags(table, writing);
    case 'named-tags':
      return writeNamedTags(table, writing);
    case 'python':
      return pythonCall(writing.call, writing.literals);
    case 'gemma':
      return writeGemma(table, writing);
  }
}

/** Whether the form writes opener and closer itself. */
export function writesWhole({ form }: CallTable): boolean {
  return form === 'tags' || form === 'named-tags';
}

/** What a lesson says of values in this form. */
export function valuesIn(table: CallTable): string {
  switch (table.form) {
    case 'json':
    case 'header':
      return 'The arguments are a valid JSON object.';
    case 'tags': {
      const { typed } = table.parameter;
      const said = typed && ` A string has ${typed.attribute}="${typed.text}", any other value "${typed.json}".`;
      return `Write strings as they are, without quotes and without escaping; white space counts. Write objects, arrays, numbers and booleans as JSON.${said ?? ''}`;
    }
    case 'named-tags':
      return 'Write strings as they are, without quotes and without escaping. Write objects, arrays, numbers and booleans as JSON.';
    case 'python':
      return 'Values are Python literals: strings in quotation marks, numbers, True, False, None, lists and dicts.';
    case 'gemma':
      return `A string stands between two ${table.quote}, as it is; any other value stands as JSON with bare keys.`;
  }
}

/** The id of a past call where the form has one of its own: a header with an index is itself the id. */
export function idInHeader(table: CallTable, call: PastCall): string | undefined {
  if (table.form !== 'header' || !table.header?.includes('{index}')) return undefined;
  return headerForm(table.header).write(call, { id: '' });
}

function writeJson({ keys = {}, keyed, object }: JsonTable, { call, literals, id }: Writing): string {
  const given = pastArguments(call, literals);
  const [name, written] = [JSON.stringify(call.name), JSON.stringify(id)];
  if (object !== undefined) return fill(object, { name, arguments: given, id: written });
  if (keyed) return `{${name}: ${given}}`;
  const front = keys.id === undefined ? '' : `${JSON.stringify(keys.id)}: ${written}, `;
  const [nameKey, argumentsKey] = [keys.name ?? 'name', keys.arguments ?? 'arguments'].map((key) =>
    JSON.stringify(key),
  );
  return `{${front}${nameKey}: ${name}, ${argumentsKey}: ${given}}`;
}

function writeHeader(table: HeaderTable, { call, literals, id }: Writing): string {
  const given = pastArguments(call, literals);
  const separator = writtenText(table.separator);
  // Without a separator only a brace ends the header: what is no object is in one.
  const isWhole = given.startsWith('{') || separatorsOf(table).length > 0;
  const body = isWhole ? given : `{"arguments": ${given}}`;
  const front = headerForm(table.header ?? '{name}').write(call, { id, idOptional: table.idOptional ?? false });
  return `${front}${separator}${table.fenced ? `\`\`\`json\n${body}\n\`\`\`` : body}`;
}

function writeGemma({ quote }: GemmaTable, { call, literals }: Writing): string {
  const json = pastArguments(call, literals);
  const given = json.startsWith('"') ? `{"arguments":${json}}` : json;
  return `call:${call.name}${gemmaLiteral(given, { quote, literals })}`;
}

/** Each value between tags with the name of its parameter, on a line of its own. No call of any tool is in it. */
function writeNamedTags(table: NamedTagsTable, { call, tools, parts }: Writing): string {
  const { opener = '<', end = '>' } = table;
  const tagOf = tagWriter(table, parts);
  const open = (name: string) => opener + tagOf(name) + end;
  const closer = table.opener === undefined ? `</${tagOf(call.name)}>` : (table.closer ?? '');
  const openers = tools.map(({ name }) => open(name));
  const parameters = pastParameters(call, tools).map((each) => {
    const tag = tagOf(each.key);
    const markup = [`</${tag}>`, ...openers];
    return `<${tag}>${pastText(each, { markup, padded: table.padded === false ? 'never' : 'lines' })}</${tag}>`;
  });
  if (parameters.length === 0) return open(call.name) + closer;
  return [open(call.name), ...parameters, closer].join('\n');
}

/** How names become tags. */
export function tagWriter({ tags }: NamedTagsTable, parts: TableParts): (name: string) => string {
  const asItIs = (name: string) => name;
  return tags === undefined ? asItIs : (readerOf(parts, tags).tagOf ?? asItIs);
}

function writeTags(table: TagsTable, { call, tools, parts }: Writing): string {
  const encode = table.attributes === undefined ? undefined : readerOf(parts, table.attributes).attributes?.write;
  const markup = markupOf(table);
  const parameters = pastParameters(call, tools).map((each) => writeParameter(table, each, markup));
  const name = encode === undefined ? call.name : encode(call.name);
  return `${quoted(writtenText(table.opener), name, firstEnd(table.end))}${parameters.join('')}${writtenText(table.closer)}`;
}

/** What would be read as markup inside a value. */
function markupOf({ opener, parameter, nested }: TagsTable): readonly string[] {
  if (nested !== undefined) return [nested.mark];
  return [...readTexts(parameter.closer), ...readTexts(opener).map(fixedPart)].map(literalStart);
}

function firstEnd(end: TagsTable['end']): string {
  return typeof end === 'string' ? end : (end[0] ?? '');
}

/** A value that holds markup is in CDATA, or as JSON where the markup says what it is. */
function writeParameter(table: TagsTable, parameter: PastParameter, markup: readonly string[]): string {
  const { parameter: form, nested } = table;
  const { typed } = form;
  const { key, json, schema } = parameter;
  const [opener, closer] = [writtenText(form.opener), fill(writtenText(form.closer), { key })];
  const end = firstEnd(form.end) + writtenText(form.value ?? '');
  if (typed === undefined) {
    const padded = isPadded(form);
    const tags = nested && nestedText(json, schema, nested);
    const text = tags ?? pastText(parameter, { markup, padded: padded ? 'always' : 'never' });
    return `${quoted(opener, key, padded ? end.slice(0, -1) : end)}${text}${padded ? closer.slice(1) : closer}`;
  }
  const value: unknown = JSON.parse(json);
  const isText = typeof value === 'string' && ![...markup, cdataOpen].some((literal) => value.includes(literal));
  const said = `${end.slice(0, 1)} ${typed.attribute}="${isText ? typed.text : typed.json}"${end.slice(1)}`;
  return `${quoted(opener, key, said)}${isText ? value : escapeJsonMarkers(json, [...markup, cdataOpen])}${closer}`;
}

/** Attributes know no escaping: a name with one kind of quote is between the other. */
function quoted(opener: string, name: string, end: string): string {
  const quote = attributeOpener(opener)?.quote;
  if (quote === undefined || !name.includes(quote)) return opener + name + end;
  const other = quote === '"' ? "'" : '"';
  return opener.slice(0, -1) + other + name + other + end.slice(1);
}
