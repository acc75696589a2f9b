import { quoteName, type WarningCode } from '../../../chat/warning.ts';
import { coerceText } from '../../../json/coerce.ts';
import { escapeJson } from '../../../json/json-escape.ts';
import { ParameterCheck } from '../../../json/parameter-check.ts';
import { SchemaView } from '../../../json/schema.ts';
import { repairs } from '../../parser/call-warnings.ts';
import type { CallWriter } from '../../parser/calls/call-writer.ts';
import { NestedValue } from './nested-value.ts';
import type { Awaited, TaggedGrammar } from './tagged-form.ts';
import { TextValue, type TextValueOptions, type ValueReader } from './text-value.ts';

/** How a parameter's value is written. */
interface ParameterForm extends Pick<TextValueOptions, 'closer' | 'padded' | 'typed' | 'opensNext' | 'endsCall'> {
  /** Lists and objects are tags inside tags of this grammar. */
  readonly nested?: TaggedGrammar | undefined;
}

/** Reads a parameter's value, or takes the whole of it. */
export interface ParameterReader extends ValueReader {
  /** The whole value is known before anything of it was read. */
  finishWhole(text: string): void;
}

/**
 * Writes the arguments of a call whose parameters come one by one as text: `{"key":value,…}`. Values of a parameter that
 * is a list and comes several times in a row are its elements; of others the first value counts, since it may have left.
 */
export class ObjectWriter implements Awaited {
  readonly #call: CallWriter;
  readonly #schema: SchemaView;
  readonly #check: ParameterCheck;
  readonly #seen = new Set<string>();
  readonly #suspects = new Set<string>();
  #strayReported = false;
  /** The list that came last: the same parameter after it is its next element. */
  #list: RepeatedList | undefined;

  constructor(call: CallWriter, schema: SchemaView) {
    this.#call = call;
    this.#schema = schema;
    this.#check = new ParameterCheck({ schema, warning: (code, message) => call.warning(code, message) });
  }

  /** A parameter opens: the reader of its value. */
  parameter(name: string, { nested, ...form }: ParameterForm): ParameterReader {
    const call = this.#call;
    const schema = this.#schema.property(name);
    const repeated = this.#seen.has(name);
    if (repeated && this.#list?.name === name && this.#list.goesOn()) {
      return new TextValue({
        ...form,
        ...this.#list.element(),
        decodes: call.decodes,
        repair: (repair) => call.repair(repair),
      });
    }
    this.#endList();
    if (repeated) call.warning('parameter-repeated', `Parameter ${quoteName(name)} came twice; the first one counts.`);
    else {
      this.#check.come(name);
      call.arguments(`${this.#seen.size === 0 ? '{' : ','}"${escapeJson(name)}":`);
      this.#seen.add(name);
    }
    const warning = (code: WarningCode, message: string) => call.warning(code, `${quoteName(name)}: ${message}`);
    const target = { emit: (json: string) => call.arguments(json), warning };
    if (!repeated && nested === undefined && schema.admits('array') && !schema.admits('string')) {
      this.#list = new RepeatedList(name, schema, target);
    }
    const first = this.#list?.element();
    const options: TextValueOptions = {
      ...form,
      schema,
      decodes: call.decodes,
      emit: first?.emit ?? (repeated ? ignore : target.emit),
      warning: first?.warning ?? (repeated ? ignore : target.warning),
      repair: (repair) => call.repair(repair),
    };
    return nested === undefined ? new TextValue(options) : new NestedValue({ ...options, grammar: nested });
  }

  /** Is this a parameter of the schema? */
  knows(name: string): boolean {
    return this.#schema === SchemaView.any || this.#schema.known(name);
  }

  awaits(name: string): boolean {
    return this.#schema.known(name) && !this.#seen.has(name);
  }

  requires(name: string): boolean {
    return this.#schema.required.includes(name);
  }

  suspect(name: string): void {
    this.#suspects.add(name);
  }

  /** Text is between the parameters: it is reported and not delivered. */
  stray(): void {
    if (!this.#strayReported)
      this.#call.warning('call-text', 'Text between the parameters of a call was not delivered.');
    this.#strayReported = true;
  }

  /** The input is over without the closer: whether something has come and nothing can be missing. */
  get complete(): boolean {
    return this.#seen.size > 0 && this.#check.missing.length === 0;
  }

  /** Something is here that shows that the closer is missing. */
  finishUnclosed(): void {
    this.#call.repair(repairs.closer);
    this.finish();
  }

  /** The call's closer has come. */
  finish(): void {
    this.#endList();
    this.#reportMissing();
    this.#call.arguments(this.#seen.size === 0 ? '{}' : '}');
  }

  #endList(): void {
    this.#list?.end();
    this.#list = undefined;
  }

  /** Each parameter once: one that a value may have swallowed is reported as that. */
  #reportMissing(): void {
    const swallowed = [...this.#suspects].filter((name) => !this.#seen.has(name));
    this.#check.end(swallowed);
    for (const name of swallowed) {
      const what = this.requires(name) ? 'Required parameter' : 'Parameter';
      const message = `${what} ${quoteName(name)} did not come, and a value holds its opener.`;
      this.#call.warning('parameter-missing', message);
    }
  }
}

function ignore(): void {}

type Target = Pick<TextValueOptions, 'emit' | 'warning'>;

/** One value as it was read. */
interface Element {
  json: string;
  readonly warnings: Parameters<Target['warning']>[];
}

/**
 * The value of a parameter that is a list. It leaves when it is known whether the parameter comes again directly after it:
 * then each of its values is one element.
 */
class RepeatedList {
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
    const element: Element = { json: '', warnings: [] };
    const schema = this.#schema.items(this.#elements.length);
    this.#elements.push(element);
    return {
      schema,
      emit: (json) => {
        element.json += json;
      },
      warning: (...warning) => element.warnings.push(warning),
    };
  }

  /** Something else comes. */
  end(): void {
    const { emit, warning } = this.#target;
    const [first, ...rest] = this.#elements;
    if (first === undefined) return;
    if (rest.length === 0) {
      emit(first.json);
      for (const warned of first.warnings) warning(...warned);
      return;
    }
    emit(`[${[this.#asElement(first.json), ...rest.map(({ json }) => json)].join(',')}]`);
    warning('value-coerced', 'The elements of a list came one by one.');
    for (const warned of rest.flatMap(({ warnings }) => warnings)) warning(...warned);
  }

  /** What did not fit as the whole was kept as text. */
  #asElement(json: string): string {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? coerceText(value, this.#schema.items(0)).json : json;
  }
}
