import { quoteName } from '../../../chat/warning.ts';
import { escapeJson } from '../../../json/json-escape.ts';
import type { SchemaView } from '../../../json/schema.ts';
import type { OpenValue } from '../../parser/grammar.ts';
import { closes } from '../../parser/markers/closers.ts';
import { lookFor, type Scanner } from '../../parser/scanner.ts';
import { bareName } from './tag-header.ts';
import type { Structure, TaggedGrammar } from './tagged-form.ts';
import { TextValue, type TextValueOptions, type ValueReader } from './text-value.ts';

/** Lists and objects in so many others are text. */
export const deepestNesting = 32;

/** A value and what it is part of. */
interface NestedValueOptions extends TextValueOptions {
  readonly grammar: TaggedGrammar;
  /** Closers of the lists and objects around it, innermost first. */
  readonly outer?: readonly string[];
  /** How many these are. */
  readonly depth?: number;
}

/**
 * Reads a value whose lists and objects are tags inside tags, each with a marker in front. Every string in them leaves
 * while it is written. What begins with no tag is read as text, which may be JSON.
 */
export class NestedValue implements ValueReader {
  readonly #options: NestedValueOptions;
  readonly #text: TextValue;
  readonly #outer: readonly string[];
  #undecided = true;
  /** The list or object that the value is. */
  #elements: ElementWriter | undefined;
  #element: ValueReader | undefined;

  constructor(options: NestedValueOptions) {
    this.#options = options;
    this.#text = new TextValue(options);
    this.#outer = options.outer ?? [];
  }

  get inside(): OpenValue | undefined {
    if (this.#undecided) return undefined;
    return this.#elements === undefined ? this.#text.inside : this.#element?.inside;
  }

  read(scanner: Scanner): 'more' | 'done' {
    if (this.#undecided) {
      const opens = this.#lookElements(scanner);
      if (opens === 'more') return 'more';
      this.#undecided = false;
      if (opens !== 'text') this.#elements = new ElementWriter(this.#options, opens);
    }
    return this.#elements === undefined ? this.#text.read(scanner) : this.#readElements(scanner, this.#elements);
  }

  finishWhole(text: string): void {
    this.#text.finishWhole(text);
  }

  /**
   * The first tag tells, where the schema admits a list or an object. Where it admits no string, a tag that is missing
   * tells too, and so does the closer of an empty one.
   */
  #lookElements(scanner: Scanner): { readonly list: boolean } | 'text' | 'more' {
    const { schema, grammar, closer, depth = 0 } = this.#options;
    const [list, object] = [schema.admits('array'), schema.admits('object')];
    if (!(list || object) || depth >= deepestNesting) return 'text';
    const next = scanner.afterSpace(scanner.at);
    if (typeof next === 'string') return next === 'more' ? 'more' : 'text';
    const found = grammar.structure.find(scanner.text, next, scanner.ended);
    if (typeof found === 'string') return found === 'more' ? 'more' : 'text';
    if (found.value.kind === 'parameter') {
      const header = found.value.header(scanner, next + found.length);
      if (typeof header === 'string') return header === 'more' ? 'more' : 'text';
      return { list: list && (!object || (header.name === 'item' && !schema.known('item'))) };
    }
    if (schema.admits('string')) return 'text';
    if (found.value.kind === 'unnamed') return { list: list && !object };
    const end = found.value.kind === 'value-closer' ? lookFor(scanner, next, closer.literals) : 'no';
    if (end === 'more') return 'more';
    return end === 'no' ? 'text' : { list };
  }

  #readElements(scanner: Scanner, elements: ElementWriter): 'more' | 'done' {
    while (true) {
      if (this.#element !== undefined) {
        if (this.#element.read(scanner) === 'more') return 'more';
        this.#element = undefined;
      }
      scanner.at = scanner.skipSpace(scanner.at);
      if (scanner.at === scanner.text.length) return 'more';
      const progress = this.#readStructure(scanner, elements);
      if (progress !== 'on') return progress;
    }
  }

  /** Between two elements: another one, the closer, or what shows that the closer is missing. */
  #readStructure(scanner: Scanner, elements: ElementWriter): 'on' | 'more' | 'done' {
    const { grammar, closer } = this.#options;
    const own = lookFor(scanner, scanner.at, closer.literals);
    const outside = lookFor(scanner, scanner.at, this.#outer);
    const found = grammar.structure.find(scanner.text, scanner.at, scanner.ended);
    if (own === 'more' || outside === 'more' || found === 'more') return 'more';
    if (own !== 'no') {
      scanner.at = own;
      elements.close();
      return 'done';
    }
    if (outside !== 'no' || (found !== 'no' && endsCall(found.value))) {
      elements.closeUnclosed();
      return 'done';
    }
    if (found !== 'no' && found.value.kind === 'unnamed') {
      scanner.at += found.length;
      this.#element = this.#unnamed(elements);
      return 'on';
    }
    const header =
      found !== 'no' && found.value.kind === 'parameter'
        ? found.value.header(scanner, scanner.at + found.length)
        : 'no';
    if (header === 'more') return 'more';
    if (header === 'no') return this.#passStray(scanner, elements);
    scanner.at = header.end;
    this.#element = this.#named(elements, header.name);
    return 'on';
  }

  get #outerOfElements(): readonly string[] {
    return [...this.#options.closer.literals, ...this.#outer];
  }

  #named(elements: ElementWriter, name: string): NestedValue {
    const { grammar, padded, decodes, depth = 0 } = this.#options;
    const outer = this.#outerOfElements;
    const closer = grammar.closer(name, outer);
    const form = { closer, padded, grammar, outer, depth: depth + 1, ...(decodes !== undefined && { decodes }) };
    return new NestedValue({ ...elements.next(name), ...form });
  }

  #unnamed(elements: ElementWriter): UnnamedValue {
    const { grammar, warning } = this.#options;
    return new UnnamedValue({
      grammar,
      outer: this.#outerOfElements,
      named: (name, text) => {
        warning('call-repaired', 'An element of a value was not opened.');
        this.#named(elements, name).finishWhole(text);
      },
      stray: () => elements.stray(),
    });
  }

  #passStray(scanner: Scanner, elements: ElementWriter): 'on' {
    elements.stray();
    scanner.at = this.#options.grammar.structure.starts.find(scanner.text, scanner.at + 1);
    return 'on';
  }
}

function endsCall({ kind }: Structure): boolean {
  return kind === 'closer' || kind === 'end';
}

/** What an element is and where it goes. */
type Element = Pick<TextValueOptions, 'schema' | 'emit' | 'warning' | 'repair'>;

/** Writes a list or an object whose elements come one by one. */
class ElementWriter {
  readonly #options: Element;
  readonly #list: boolean;
  readonly #seen = new Set<string>();
  #count = 0;
  #strayReported = false;

  /** `list`: names of elements say nothing. */
  constructor(options: Element, { list }: { readonly list: boolean }) {
    this.#options = options;
    this.#list = list;
    options.emit(list ? '[' : '{');
  }

  /** The next element. Of members of one name the first counts, since it may have left already. */
  next(name: string): Element {
    const { schema, emit, warning, repair } = this.#options;
    if (!this.#list && this.#seen.has(name)) {
      warning('parameter-repeated', `Member ${quoteName(name)} came twice; the first one counts.`);
      return { schema: this.#schemaOf(schema, name), emit: ignore, warning: ignore, repair };
    }
    this.#seen.add(name);
    const comma = this.#count === 0 ? '' : ',';
    emit(this.#list ? comma : `${comma}"${escapeJson(name)}":`);
    const element = { schema: this.#schemaOf(schema, name), emit, warning, repair };
    this.#count += 1;
    return element;
  }

  /** Text is between the elements: it is reported and not delivered. */
  stray(): void {
    if (!this.#strayReported)
      this.#options.warning('call-text', 'Text between the elements of a value was not delivered.');
    this.#strayReported = true;
  }

  close(): void {
    this.#options.emit(this.#list ? ']' : '}');
  }

  /** Something is here that shows that the closer is missing. */
  closeUnclosed(): void {
    this.#options.warning('call-repaired', 'A list or an object was not closed.');
    this.close();
  }

  #schemaOf(schema: SchemaView, name: string): SchemaView {
    return this.#list ? schema.items(this.#count) : schema.property(name);
  }
}

function ignore(): void {}

const readName = bareName({ ends: ['>'] });

/** Where a value without an opener goes. */
interface UnnamedValueOptions {
  readonly grammar: TaggedGrammar;
  /** Closers of the lists and objects that the value is part of. */
  readonly outer: readonly string[];
  /** The value is whole, and its closer has said its name. */
  readonly named: (name: string, text: string) => void;
  /** It was no value: other structure comes after the text. */
  readonly stray: () => void;
}

/** What ends the text: its own closer, or other structure. */
type Stop = { readonly name: string; readonly end: number } | 'stray';

/**
 * Reads a value whose opener is missing, after the marker that should come before it: `MvalueM</name>`. Only its
 * closer says its name, so nothing of it leaves before.
 */
export class UnnamedValue implements ValueReader {
  readonly #options: UnnamedValueOptions;
  readonly #pieces: string[] = [];

  constructor(options: UnnamedValueOptions) {
    this.#options = options;
  }

  read(scanner: Scanner): 'more' | 'done' {
    const { text } = scanner;
    const { starts } = this.#options.grammar.structure;
    for (let index = starts.find(text, scanner.at); index < text.length; index = starts.find(text, index + 1)) {
      const stop = this.#stopAt(scanner, index);
      if (stop === 'on') continue;
      this.#take(scanner, index);
      if (stop === 'more') return 'more';
      this.#finish(scanner, stop);
      return 'done';
    }
    this.#take(scanner, text.length);
    return 'more';
  }

  #stopAt(scanner: Scanner, index: number): Stop | 'on' | 'more' {
    const { grammar, outer } = this.#options;
    const found = grammar.structure.find(scanner.text, index, scanner.ended);
    if (typeof found === 'string') return found === 'no' ? 'on' : 'more';
    if (found.value.kind === 'unnamed') return 'on';
    if (found.value.kind !== 'value-closer') return 'stray';
    const outside = lookFor(scanner, index, outer);
    if (outside !== 'no') return outside === 'more' ? 'more' : 'stray';
    const header = readName(scanner, index + found.length);
    if (typeof header === 'string') return header === 'no' ? 'on' : 'more';
    const end = closes(scanner, index, grammar.closer(header.name, outer));
    return typeof end === 'number' ? { name: header.name, end } : end === 'no' ? 'on' : 'more';
  }

  #take(scanner: Scanner, to: number): void {
    this.#pieces.push(scanner.text.slice(scanner.at, to));
    scanner.at = to;
  }

  #finish(scanner: Scanner, stop: Stop): void {
    if (stop === 'stray') {
      this.#options.stray();
      return;
    }
    scanner.at = stop.end;
    this.#options.named(stop.name, this.#pieces.join(''));
  }
}
