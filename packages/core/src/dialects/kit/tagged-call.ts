import type { CallWriter } from './call-writer.ts';
import type { CallReader, Open, Opening, Progress } from './grammar.ts';
import { type Found, MarkerTrie } from './marker-trie.ts';
import { AnswerWriter, ObjectWriter, type ParameterWriter } from './object-writer.ts';
import { type Closer, lookClosers } from './positional-closer.ts';
import { isSpace, type Scanner } from './scanner.ts';
import { readTagHeader } from './tag-header.ts';
import type { TextValue } from './text-value.ts';

/** The literals of a grammar whose calls and parameters are tags with a `name` attribute (kernel X1). */
export interface TaggedForm {
  /** Without the white space that must follow, such as `<invoke`. */
  readonly callOpeners: readonly string[];
  readonly callClosers: readonly string[];
  readonly parameterOpeners: readonly string[];
  readonly parameterClosers: readonly string[];
  /** What else may stand behind a value when the call's closer is missing: section closers, turn ends, results. */
  readonly ends: readonly string[];
  /** One newline on each side of a value belongs to the markup. */
  readonly padded: boolean;
}

/** Text in front of the first parameter that is tolerated. */
const longestStray = 80;

/** What stands inside a call between its values. */
type Structure = 'parameter' | 'closer' | 'end';

/** The tables of a form, made once. */
export interface TaggedGrammar {
  readonly form: TaggedForm;
  readonly structure: MarkerTrie<Structure>;
  /** Of these, what may stand directly behind a call's header. */
  readonly bodies: MarkerTrie<Structure>;
  readonly closer: Closer;
}

/** Makes the tables of a form. */
export function tagged(form: TaggedForm): TaggedGrammar {
  const spaced = (openers: readonly string[]) =>
    openers.flatMap((opener) => [' ', '\n', '\t', '\r'].map((s) => opener + s));
  const structure = new MarkerTrie<Structure>();
  for (const opener of spaced(form.parameterOpeners)) structure.add(opener, 'parameter');
  for (const closer of form.callClosers) structure.add(closer, 'closer');
  for (const end of [...form.ends, ...spaced(form.callOpeners)]) structure.add(end, 'end');
  const bodies = new MarkerTrie<Structure>();
  for (const opener of spaced(form.parameterOpeners)) bodies.add(opener, 'parameter');
  for (const closer of form.callClosers) bodies.add(closer, 'closer');
  const followers = new MarkerTrie<true>();
  for (const follower of [...spaced(form.parameterOpeners), ...form.callClosers]) followers.add(follower, true);
  for (const follower of [...form.ends, ...spaced(form.callOpeners)]) followers.add(follower, true);
  const nestedCall = (scanner: Scanner, index: number) => nestedTagged({ form, bodies }, scanner, index);
  return { form, structure, bodies, closer: { literals: form.parameterClosers, followers, nestedCall } };
}

/** A call that a value holds: an opener with a name, and a parameter or the call's closer behind it. */
function nestedTagged(
  { form, bodies }: Pick<TaggedGrammar, 'form' | 'bodies'>,
  scanner: Scanner,
  index: number,
): readonly string[] | 'no' | 'more' {
  const opener = lookClosers(scanner, index, form.callOpeners);
  if (typeof opener === 'string') return opener;
  const header = readTagHeader(scanner, opener);
  if (typeof header === 'string') return header;
  if (header.selfClosing) return 'no';
  const body = findBody(bodies, scanner, header.end);
  return typeof body === 'string' ? body : form.callClosers;
}

/** What stands behind a header after white space. */
function findBody(bodies: MarkerTrie<Structure>, scanner: Scanner, end: number): Found<Structure> | 'no' | 'more' {
  const next = scanner.behindSpace(end);
  if (typeof next === 'string') return next;
  return bodies.find(scanner.text, next, scanner.ended);
}

/** Decides whether `<invoke` opens a call: it has a name, and behind its header stands a parameter or its closer. */
export function openTagged(grammar: TaggedGrammar): Open {
  return (scanner, index, length) => {
    const header = readTagHeader(scanner, index + length);
    if (typeof header === 'string') return header;
    const read = (call: CallWriter) => new TaggedCall(grammar, call, header);
    if (header.selfClosing) return { end: header.end, read };
    const body = findBody(grammar.bodies, scanner, header.end);
    if (typeof body === 'object') return { end: header.end, read };
    return body === 'more' ? 'more' : openBehindStray(grammar, scanner, { end: header.end, read });
  };
}

/** Some models write a few words in front of the first parameter; prose about a call has no parameter near. */
function openBehindStray(grammar: TaggedGrammar, scanner: Scanner, opening: Opening): Opening | 'no' | 'more' {
  const { text } = scanner;
  for (let index = opening.end; index < opening.end + longestStray; index += 1) {
    if (scanner.wantsMore(index)) return 'more';
    if (index >= text.length) return scanner.skipSpace(opening.end) === text.length ? opening : 'no';
    if (text.charCodeAt(index) !== 60) continue;
    const found = grammar.structure.find(text, index, scanner.ended);
    if (typeof found === 'string') return found;
    return found.value === 'parameter' ? opening : 'no';
  }
  return 'no';
}

class TaggedCall implements CallReader {
  readonly #grammar: TaggedGrammar;
  readonly #object: ParameterWriter;
  #value: TextValue | undefined;
  #whole: boolean;

  constructor(
    grammar: TaggedGrammar,
    call: CallWriter,
    header: { readonly name: string; readonly selfClosing: boolean },
  ) {
    this.#grammar = grammar;
    const schema = call.named(header.name);
    if (call.answers) call.streamAnswer();
    this.#object = call.answers ? new AnswerWriter(call) : new ObjectWriter(call, schema);
    this.#whole = header.selfClosing;
  }

  read(scanner: Scanner): Progress {
    while (true) {
      if (this.#whole) {
        this.#object.finish();
        return 'done';
      }
      const progress = this.#value === undefined ? this.#readStructure(scanner) : this.#readValue(this.#value, scanner);
      if (progress !== 'on') return progress;
    }
  }

  #readValue(value: TextValue, scanner: Scanner): 'on' | 'more' {
    if (value.read(scanner) === 'more') return 'more';
    this.#value = undefined;
    return 'on';
  }

  /** Between two values: a parameter, the closer, or what shows that the closer is missing. */
  #readStructure(scanner: Scanner): Progress | 'on' {
    scanner.at = scanner.skipSpace(scanner.at);
    if (scanner.at === scanner.text.length) {
      const whole = scanner.ended && !scanner.cut && this.#object.complete;
      return whole ? this.#finishUnclosed() : 'more';
    }
    const found = this.#grammar.structure.find(scanner.text, scanner.at, scanner.ended);
    if (found === 'more') return 'more';
    if (found === 'no') return this.#passStray(scanner);
    switch (found.value) {
      case 'closer':
        scanner.at += found.length;
        this.#whole = true;
        return 'on';
      case 'end':
        return this.#finishUnclosed();
      case 'parameter':
        return this.#openParameter(scanner, scanner.at + found.length - 1);
    }
  }

  #openParameter(scanner: Scanner, index: number): Progress | 'on' {
    const header = readTagHeader(scanner, index);
    if (header === 'more') return 'more';
    if (header === 'no') {
      // The call would run without this parameter. At the end of the input the header may only be unfinished.
      return scanner.ended ? 'more' : 'broken';
    }
    scanner.at = header.end;
    this.#value = this.#object.parameter(header.name, this.#grammar.closer, this.#grammar.form.padded);
    if (header.selfClosing) {
      this.#value.finishEmpty();
      this.#value = undefined;
    }
    return 'on';
  }

  /** Text inside the call but outside its parameters is told and not delivered. */
  #passStray(scanner: Scanner): 'on' {
    this.#object.stray();
    const { text } = scanner;
    let next = scanner.at + 1;
    while (next < text.length && text[next] !== '<' && !isSpace(text.charCodeAt(next))) next += 1;
    scanner.at = next;
    return 'on';
  }

  #finishUnclosed(): Progress {
    this.#object.finishUnclosed();
    return 'done';
  }
}
