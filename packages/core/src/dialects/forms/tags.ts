import { repairs } from '../parser/call-warnings.ts';
import type { CallsForm } from '../parser/grammar.ts';
import { attributeOpener, fill, fixedPart, isPadded, listOf, openersOf, readTexts, textOf } from '../table/literals.ts';
import { withRepairs } from '../table/marker-repairs.ts';
import type { TableReading } from '../table/parts.ts';
import { readerOf } from '../table/parts.ts';
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

/** Parameters one by one in the markup, their values as text: `<function=read><parameter=path>a</parameter></function>`. */
export function tags(table: TagsTable, { parts }: TableReading): CallsForm {
  const { parameter, closerOptional, endRepair, jsonParameters, nested } = table;
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
      attributes: written,
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
  const keys = new Map(
    openersOf(parameter.opener, fixedPart).map(({ text, repair }) => [text, repair && repairs[repair]]),
  );
  const repaired: CallsForm = (around) =>
    form({ ...around, repairOf: (literal) => around.repairOf?.(literal) ?? keys.get(literal) });
  return withRepairs(repaired, openersOf(table.opener, fixedPart));
}

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
    literal: tag,
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
    // What goes on after the end, such as a tag around all parameters.
    const after = others.flatMap((end) => (end.startsWith(first.trim()) ? end.slice(first.trim().length).trim() : []));
    return attributes({ ...form.attributes, name: attribute.attribute, end: first.trim().slice(1), after });
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
