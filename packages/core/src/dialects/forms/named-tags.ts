import type { CallsForm } from '../parser/grammar.ts';
import { attributeOpener } from '../table/literals.ts';
import type { TableReading } from '../table/parts.ts';
import { readerOf } from '../table/parts.ts';
import type { NamedTagsTable } from '../table.ts';
import { type CallTag, namedTagCalls } from './named-tags/named-tag-call.ts';
import { attributes, bareName } from './tags/tag-header.ts';

/** Tags that are the names of the declared tools and of their parameters: `<read><path>a</path></read>`. */
export function namedTags(table: NamedTagsTable, { tools, policy, parts }: TableReading): CallsForm {
  const { tags, padded } = table;
  const callTag = callTagOf(table);
  return namedTagCalls(tools, {
    tagOf: tags === undefined ? (name) => name : (readerOf(parts, tags).tagOf ?? ((name) => name)),
    // Where names need not be exact, nor need the tags that they are.
    fold: callTag === undefined && (policy.names ?? 'exact') !== 'exact',
    ...(callTag && { callTag }),
    ...(padded === false && { padded }),
  });
}

function callTagOf({ opener, end = '>', closer = '' }: NamedTagsTable): CallTag | undefined {
  if (opener === undefined) return undefined;
  const attribute = attributeOpener(opener);
  if (attribute === undefined) {
    return { opener, header: bareName({ ends: [end] }), headerOf: (tool) => `${tool}${end}`, closer };
  }
  const header = attributes({ name: attribute.attribute, end: end.slice(1) });
  return {
    opener: attribute.tag,
    header,
    headerOf: (tool) => `${opener.slice(attribute.tag.length)}${tool}${end}`,
    closer,
  };
}
