import { repairs } from '../parser/call-warnings.ts';
import { literalStart } from '../parser/scanner.ts';
import { escapeJsonMarkers } from '../render/escape-json-markers.ts';
import { nestedText, type PastParameter, pastParameters, pastText } from '../render/past-calls.ts';
import {
  attributeOpener,
  fill,
  fixedPart,
  isPadded,
  listOf,
  openersOf,
  readTexts,
  textOf,
  withRepairs,
  writtenText,
} from '../table/literals.ts';
import { type CallForm, readerOf } from '../table/parts.ts';
import type { ParameterTable, TagsTable } from '../table.ts';
import {
  type AttributeForm,
  attributes,
  type BareForm,
  bareName,
  eitherHeader,
  type HeaderReader,
  pairKey,
} from './tags/tag-header.ts';
import { taggedCalls } from './tags/tagged-call.ts';
import type { TagOpener } from './tags/tagged-form.ts';
import { cdataOpen } from './tags/value-end.ts';

/** Parameters one by one in the markup, their values as text: `<function=read><parameter=path>a</parameter></function>`. */
export const tags: CallForm<TagsTable> = {
  read(table, { parts }) {
    const { parameter, closerOptional, endRepair, inner, jsonParameters, nested } = table;
    const { typed } = parameter;
    const decode = table.attributes === undefined ? undefined : readerOf(parts, table.attributes).attributes?.read;
    const written: AttributeForm = {
      ...(decode && { decode }),
      ...(typed && {
        typed: (key, value) => (key !== typed.attribute ? undefined : value === typed.text ? 'text' : 'json'),
      }),
    };
    const closers = readTexts(table.closer);
    const values = readTexts(parameter.value);
    const form = taggedCalls({
      calls: tagOpeners(table.opener, {
        end: table.end,
        attributes: { ...written, ...(inner !== undefined && { after: [inner] }) },
        followers: [...readTexts(parameter.opener).map(fixedPart), ...closers],
        ...(endRepair && { endMissing: repairs[endRepair] }),
      }),
      callClosers: closers,
      ...(closerOptional && { closerOptional }),
      parameters: tagOpeners(parameter.opener, {
        end: parameter.end,
        attributes: written,
        values,
        followers: values.length > 0 ? values : readTexts(parameter.closer),
      }),
      parameterClosers: closersOf(parameter),
      ...(isPadded(parameter) && { padded: true }),
      ...(nested && { nestedMark: nested.mark }),
      ...(jsonParameters && { jsonParameters }),
    });
    return withRepairs(form, openersOf(table.opener, fixedPart));
  },
  write(table, { call, tools, parts }) {
    const encode = table.attributes === undefined ? undefined : readerOf(parts, table.attributes).attributes?.write;
    const markup = markupOf(table);
    const parameters = pastParameters(call, tools).map((each) => writeParameter(table, each, markup));
    const name = encode === undefined ? call.name : encode(call.name);
    return `${quoted(writtenText(table.opener), name, firstEnd(table.end))}${parameters.join('')}${writtenText(table.closer)}`;
  },
  values: ({ parameter: { typed } }) => {
    const said = typed && ` A string has ${typed.attribute}="${typed.text}", any other value "${typed.json}".`;
    return `Write strings as they are, without quotes and without escaping; white space counts. Write objects, arrays, numbers and booleans as JSON.${said ?? ''}`;
  },
};

/** What comes after an opener, up to the first parameter or the value. */
interface TagForm extends Pick<BareForm, 'endMissing'> {
  readonly end: TagsTable['end'];
  readonly attributes: AttributeForm;
  /** What ends a name that ends with its line. */
  readonly followers: readonly string[];
  /** What opens a value. */
  readonly values?: readonly string[];
}

/** An opener for each tag. Of several ways to write what comes after one the first that fits counts. */
function tagOpeners(literals: TagsTable['opener'], form: TagForm): readonly TagOpener[] {
  const byTag = new Map<string, readonly HeaderReader[]>();
  for (const literal of listOf(literals)) {
    const { end, unnamed } = typeof literal === 'string' ? {} : literal;
    const opener = textOf(literal);
    const header = headerAfter(opener, end === undefined ? form : { ...withoutRepair(form), end }, unnamed);
    const tag = fixedPart(opener);
    byTag.set(tag, [...(byTag.get(tag) ?? []), header]);
  }
  return [...byTag].map(([tag, headers]) => ({
    openers: [tag],
    header: headers.length === 1 ? (headers[0] ?? eitherHeader()) : eitherHeader(...headers),
  }));
}

function withoutRepair({ endMissing: _, ...form }: TagForm): TagForm {
  return form;
}

function headerAfter(opener: string, form: TagForm, unnamed: string | undefined): HeaderReader {
  const [first = '', ...others] = typeof form.end === 'string' ? [form.end] : form.end;
  const attribute = attributeOpener(opener);
  if (unnamed !== undefined) return attributes({ ...form.attributes, unnamed, end: first.trim() });
  if (attribute !== undefined) {
    return attributes({ ...form.attributes, name: attribute.attribute, end: first.trim().slice(1) });
  }
  const ends = [first, ...others].map((end) => end.trim()).filter((end) => end !== '');
  const { values = [], endMissing } = form;
  if (values.length > 0) return pairKey({ closers: ends, valueOpeners: values });
  if (endMissing !== undefined) return bareName({ ends, before: beforeBody(form), endMissing });
  return first.trim() === '' ? bareName({ ends, before: beforeBody(form) }) : bareName({ ends });
}

/** A line's end, and what begins as a parameter or the closer does. */
function beforeBody({ followers }: TagForm): readonly string[] {
  return ['\n', ...new Set(followers.map((literal) => (literal.startsWith('<') ? '<' : literal)))];
}

function closersOf({ closer }: ParameterTable): readonly string[] | ((key: string) => readonly string[]) {
  const closers = readTexts(closer);
  return closers.some((each) => each.includes('{key}')) ? (key) => closers.map((each) => fill(each, { key })) : closers;
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
