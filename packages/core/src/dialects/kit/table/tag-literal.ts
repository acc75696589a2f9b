import { attributes, bareName, type HeaderReader } from '../tag-header.ts';
import type { TagOpener } from '../tagged-form.ts';
import type { ParameterTable } from './dialect-table.ts';

/** What an opener such as `<invoke name="` consists of. */
interface AttributeOpener {
  /** `<invoke` */
  readonly tag: string;
  /** `name` */
  readonly attribute: string;
  readonly quote: string;
}

/** An opener that ends inside an attribute, in front of its value; undefined for any other. */
export function attributeOpener(opener: string): AttributeOpener | undefined {
  const quote = opener.slice(-1);
  if ((quote !== '"' && quote !== "'") || opener.at(-2) !== '=') return undefined;
  const front = opener.slice(0, -2);
  const space = Math.max(front.lastIndexOf(' '), front.lastIndexOf('\n'));
  const tag = front.slice(0, Math.max(space, 0)).trim();
  const attribute = front.slice(space + 1);
  return tag === '' || attribute === '' ? undefined : { tag, attribute, quote };
}

/** What of an opener is always written: its tag, or all of it. */
export function fixedPart(opener: string): string {
  return attributeOpener(opener)?.tag ?? opener.trim();
}

/** What stands behind a name, and what ends it where that is nothing but white space. */
interface TagEnd {
  readonly end: string;
  readonly value?: string;
  readonly typed?: ParameterTable['typed'];
  readonly followers: readonly string[];
}

/** The reader of an opener with a name behind it. */
export function tagOpener(opener: string, tag: TagEnd): TagOpener {
  const form = attributeOpener(opener);
  if (form === undefined) return { openers: [opener.trim()], header: bareHeader(tag) };
  const { typed, end } = tag;
  const header = attributes({
    name: form.attribute,
    end: end.trim().slice(1),
    ...(typed && {
      typed: (key, value) => (key !== typed.attribute ? undefined : value === typed.text ? 'text' : 'json'),
    }),
  });
  return { openers: [form.tag], header };
}

function bareHeader({ end, value = '', followers }: TagEnd): HeaderReader {
  const ends = end.trim();
  if (ends === '') return bareName({ before: ['\n', ...followers] });
  return bareName({ ends: [ends], behind: value.trim() === '' ? [] : [value.trim()] });
}
