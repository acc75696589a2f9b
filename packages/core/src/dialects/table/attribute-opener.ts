import type { ParameterTable } from '../table.ts';
import { writtenText } from './literals.ts';

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

/** Values stand on lines of their own. */
export function isPadded({ end, value, closer }: ParameterTable): boolean {
  const front = writtenText(value ?? end);
  return front.endsWith('\n') && writtenText(closer).startsWith('\n');
}
