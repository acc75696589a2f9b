import { coerceText } from '../../../json/coerce.ts';
import type { SchemaView } from '../../../json/schema.ts';
import type { TextValueOptions } from './text-value.ts';

type Target = Pick<TextValueOptions, 'emit' | 'issue'>;

/** One value as it was read. */
interface Element {
  json: string;
  readonly issues: Parameters<Target['issue']>[];
}

/**
 * The value of a parameter that is a list. It leaves when it is known whether the parameter comes again directly behind it:
 * then each of its values is one element.
 */
export class RepeatedList {
  readonly name: string;
  readonly #schema: SchemaView;
  readonly #target: Target;
  readonly #elements: Element[] = [];

  constructor(name: string, schema: SchemaView, target: Target) {
    this.name = name;
    this.#schema = schema;
    this.#target = target;
  }

  /** The value in front was not the whole list. */
  goesOn(): boolean {
    const [first] = this.#elements;
    const items = this.#schema.items(0);
    return first !== undefined && (!first.json.startsWith('[') || (items.admits('array') && !items.untyped));
  }

  /** Where the next value goes. The first one is read as the whole, the others as elements. */
  element(): Target & { readonly schema: SchemaView } {
    const element: Element = { json: '', issues: [] };
    const schema = this.#schema.items(this.#elements.length);
    this.#elements.push(element);
    return {
      schema,
      emit: (json) => {
        element.json += json;
      },
      issue: (...issue) => element.issues.push(issue),
    };
  }

  /** Something else comes. */
  end(): void {
    const { emit, issue } = this.#target;
    const [first, ...rest] = this.#elements;
    if (first === undefined) return;
    if (rest.length === 0) {
      emit(first.json);
      for (const told of first.issues) issue(...told);
      return;
    }
    emit(`[${[this.#asElement(first.json), ...rest.map(({ json }) => json)].join(',')}]`);
    issue('value-coerced', 'The elements of a list came one by one.');
    for (const told of rest.flatMap(({ issues }) => issues)) issue(...told);
  }

  /** What did not fit as the whole was kept as text. */
  #asElement(json: string): string {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? coerceText(value, this.#schema.items(0)).json : json;
  }
}
