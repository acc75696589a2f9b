import { quoteName } from '../../../chat/issue.ts';
import { escapeJson } from '../../../json/json-escape.ts';
import type { SchemaView } from '../../../json/schema.ts';
import type { TextValueOptions } from './text-value.ts';

/** What an element is and where it goes. */
export type Element = Pick<TextValueOptions, 'schema' | 'emit' | 'issue' | 'mend'>;

/** Writes a list or an object whose elements come one by one. */
export class ElementWriter {
  readonly #options: Element;
  readonly #list: boolean;
  readonly #seen = new Set<string>();
  #count = 0;
  #strayTold = false;

  /** `list`: names of elements say nothing. */
  constructor(options: Element, { list }: { readonly list: boolean }) {
    this.#options = options;
    this.#list = list;
    options.emit(list ? '[' : '{');
  }

  /** The next element. Of members of one name the first counts, since it may have left already. */
  next(name: string): Element {
    const { schema, emit, issue, mend } = this.#options;
    if (!this.#list && this.#seen.has(name)) {
      issue('parameter-repeated', `Member ${quoteName(name)} came twice; the first one counts.`);
      return { schema: this.#schemaOf(schema, name), emit: ignore, issue: ignore, mend };
    }
    this.#seen.add(name);
    const comma = this.#count === 0 ? '' : ',';
    emit(this.#list ? comma : `${comma}"${escapeJson(name)}":`);
    const element = { schema: this.#schemaOf(schema, name), emit, issue, mend };
    this.#count += 1;
    return element;
  }

  /** Text stands between the elements: it is told and not delivered. */
  stray(): void {
    if (!this.#strayTold) this.#options.issue('call-text', 'Text between the elements of a value was not delivered.');
    this.#strayTold = true;
  }

  close(): void {
    this.#options.emit(this.#list ? ']' : '}');
  }

  /** Something stands here that shows that the closer is missing. */
  closeUnclosed(): void {
    this.#options.issue('call-mended', 'A list or an object was not closed.');
    this.close();
  }

  #schemaOf(schema: SchemaView, name: string): SchemaView {
    return this.#list ? schema.items(this.#count) : schema.property(name);
  }
}

function ignore(): void {}
