import { quoteName } from '../../../chat/warning.ts';
import { isSpace } from '../../../json/json-characters.ts';
import type { SchemaView } from '../../../json/schema.ts';
import { type Repair, repairs } from '../../parser/call-warnings.ts';
import type { CallWriter } from '../../parser/calls/call-writer.ts';
import { isPlainName } from '../../parser/calls/tool-table.ts';
import type {
  Around,
  CallMarkers,
  CallReader,
  CallsForm,
  Open,
  Opening,
  OpenValue,
  Progress,
} from '../../parser/grammar.ts';
import { type RepairedLiterals, type RepairOf, repairBefore } from '../../parser/markers/repaired-literals.ts';
import { type Look, lookBehindSpace, type Scanner } from '../../parser/scanner.ts';
import { ArgumentsField } from '../json/call-arguments.ts';
import { UnnamedValue } from './nested-value.ts';
import { ObjectWriter, type ParameterReader } from './object-writer.ts';
import type { TagHeader } from './tag-header.ts';
import {
  headerOf,
  lookBody,
  lookCallEnd,
  opensNext,
  type Structure,
  type TaggedForm,
  type TaggedGrammar,
  type TagOpener,
  tagged,
} from './tagged-form.ts';
import type { ValueReader } from './text-value.ts';
import type { OpensNext } from './value-end.ts';

/** Text before the first parameter that is tolerated. */
const longestStray = 80;

/**
 * A call's parameters are in its markup one by one, their values as text. Its tables are made
 * again only where something else is around the calls.
 */
export function taggedCalls(form: TaggedForm): CallsForm {
  let made:
    | { readonly key: string; readonly repairOf: RepairOf | undefined; readonly markers: CallMarkers }
    | undefined;
  return (around) => {
    const key = JSON.stringify(around);
    const { repairOf } = around;
    if (made?.key !== key || made.repairOf !== repairOf) made = { key, repairOf, markers: markersOf(form, around) };
    return made.markers;
  };
}

function markersOf(form: TaggedForm, around: Around): CallMarkers {
  const grammar = tagged(form, around);
  const { parameterClosers: closers } = form;
  return {
    openers: form.calls.map((opener) => ({ literal: opener.literal, open: openTagged(grammar, opener) })),
    closers: form.callClosers,
    valueClosers: typeof closers === 'function' ? [] : closers,
  };
}

/**
 * Decides whether an opener opens a call: it has a name, and after its header stands a parameter, a JSON object, or a closer
 * of the call or of what is around it.
 */
function openTagged(grammar: TaggedGrammar, opener: TagOpener): Open {
  const readHeader = headerOf(opener);
  const closers = grammar.closersOf(opener.literal);
  return (scanner, index, length) => {
    const header = readHeader(scanner, index + length, 'tool');
    if (typeof header === 'string') return header;
    if (!isPlainName(header.name)) return 'no';
    const read = (call: CallWriter) => new TaggedCall(grammar, call, { header, closers });
    if (header.selfClosing) return { end: header.end, read };
    const body = lookBody(grammar.bodies, scanner, header.end);
    if (body === 'yes') return { end: header.end, read };
    if (body === 'no' && opensObject(scanner, header.end)) return { end: header.end, read };
    const over = body === 'no' ? lookBehindSpace(scanner, grammar.sectionClosers, header.end) : body;
    if (typeof over === 'number') return { end: header.end, read };
    return over === 'more' ? 'more' : openAfterStray(grammar, scanner, { end: header.end, read });
  };
}

/** Some models write a few words before the first parameter; prose about a call has no parameter near. */
function openAfterStray(grammar: TaggedGrammar, scanner: Scanner, opening: Opening): Opening | 'no' | 'more' {
  const { text } = scanner;
  for (let index = opening.end; index < opening.end + longestStray; index += 1) {
    if (scanner.wantsMore(index)) return 'more';
    if (index >= text.length) return scanner.skipSpace(opening.end) === text.length ? opening : 'no';
    if (!grammar.structure.starts.has(text.charCodeAt(index))) continue;
    const found = grammar.structure.find(text, index, scanner.ended);
    if (typeof found === 'string') return found;
    return found.value.kind === 'parameter' ? opening : 'no';
  }
  return 'no';
}

/** After a header that a closer does not follow: does an object? */
function opensObject(scanner: Scanner, end: number): boolean {
  const next = scanner.afterSpace(end);
  return typeof next === 'number' && scanner.text[next] === '{';
}

class TaggedCall implements CallReader {
  readonly #grammar: TaggedGrammar;
  readonly #call: CallWriter;
  readonly #schema: SchemaView;
  readonly #object: ObjectWriter;
  /** All arguments as one JSON object. */
  #json: ArgumentsField | undefined;
  #parameters = 0;
  #value: ValueReader | undefined;
  /** What is wrong with closers of this call. */
  readonly #closers: RepairedLiterals;
  #whole: boolean;

  constructor(
    grammar: TaggedGrammar,
    call: CallWriter,
    { header, closers }: { readonly header: TagHeader; readonly closers: RepairedLiterals },
  ) {
    this.#grammar = grammar;
    this.#call = call;
    this.#closers = closers;
    this.#repair(header.repair);
    this.#schema = call.named(header.name, { inWords: header.inWords === true });
    this.#object = new ObjectWriter(call, this.#schema);
    this.#whole = header.selfClosing;
  }

  get inside(): OpenValue | undefined {
    return (this.#json ?? this.#value)?.inside;
  }

  read(scanner: Scanner): Progress {
    while (true) {
      if (this.#whole) {
        if (this.#json === undefined) this.#object.finish();
        return 'done';
      }
      const progress = this.#readNext(scanner);
      if (progress !== 'on') return progress;
    }
  }

  #readNext(scanner: Scanner): Progress | 'on' {
    if (this.#json?.state === 'open') return this.#readJson(this.#json, scanner);
    return this.#value === undefined ? this.#readStructure(scanner) : this.#readValue(this.#value, scanner);
  }

  #readJson(json: ArgumentsField, scanner: Scanner): Progress | 'on' {
    const state = json.read(scanner);
    if (state === 'open') return 'more';
    return state === 'done' ? 'on' : 'broken';
  }

  #repair(repair: Repair | undefined): void {
    if (repair !== undefined) this.#call.repair(repair);
  }

  #openJson(): 'on' {
    // Where a parameter may hold all arguments, so may the call itself.
    if (this.#grammar.form.jsonParameters === undefined) this.#call.repair(repairs.json);
    this.#json = new ArgumentsField(this.#call, { schema: this.#schema, after: this.#grammar.afterJson });
    return 'on';
  }

  #readValue(value: ValueReader, scanner: Scanner): 'on' | 'more' {
    if (value.read(scanner) === 'more') return 'more';
    this.#call.failure = undefined;
    this.#value = undefined;
    return 'on';
  }

  /** Between two values: a parameter, the closer, or what shows that the closer is missing. */
  #readStructure(scanner: Scanner): Progress | 'on' {
    scanner.at = scanner.skipSpace(scanner.at);
    if (scanner.at === scanner.text.length) {
      const complete = this.#json?.state === 'done' || this.#object.complete;
      const whole = scanner.ended && !scanner.cut && complete;
      return whole ? this.#finishUnclosed() : 'more';
    }
    const found = this.#grammar.structure.find(scanner.text, scanner.at, scanner.ended);
    if (found === 'more') return 'more';
    if (found === 'no') {
      const opens = this.#parameters === 0 && this.#json === undefined && scanner.text[scanner.at] === '{';
      return opens ? this.#openJson() : this.#passStray(scanner);
    }
    switch (found.value.kind) {
      case 'closer':
        scanner.at += found.length;
        this.#repair(repairBefore(scanner.text, scanner.at, this.#closers));
        this.#whole = true;
        return 'on';
      case 'end':
        return this.#finishUnclosed();
      case 'parameter':
        return this.#openParameter(scanner, found.value, found.length);
      case 'unnamed':
        scanner.at += found.length;
        this.#value = this.#unnamed();
        return 'on';
      case 'value-closer':
        if (this.#json === undefined) return this.#passStray(scanner);
        scanner.at += found.length;
        return 'on';
    }
  }

  #openParameter(
    scanner: Scanner,
    structure: Extract<Structure, { kind: 'parameter' }>,
    length: number,
  ): Progress | 'on' {
    const header = structure.header(scanner, scanner.at + length - structure.spaces);
    if (header === 'more') return 'more';
    if (header === 'no' || this.#json !== undefined) {
      // The call would run without this parameter. At the end of the input the header may only be unfinished.
      return scanner.ended && header === 'no' ? 'more' : 'broken';
    }
    const holdsAll = this.#holdsAll(scanner, header);
    if (holdsAll === 'more') return 'more';
    scanner.at = header.end;
    this.#repair(structure.repair);
    this.#repair(header.repair);
    if (holdsAll === 'yes') return this.#openJson();
    const value = this.#parameter(header, structure.closers);
    if (header.selfClosing) value.finishWhole('');
    else {
      this.#call.failure = `the value of ${quoteName(header.name)} was not closed`;
      this.#value = value;
    }
    return 'on';
  }

  #parameter({ name, typed }: Pick<TagHeader, 'name' | 'typed'>, repaired: RepairedLiterals = []): ParameterReader {
    this.#parameters += 1;
    const { form } = this.#grammar;
    const own = this.#grammar.closer(name);
    const closer = repaired.length === 0 ? own : { ...own, repaired };
    const written = { closer, padded: form.padded ?? false, typed };
    const nested = form.nestedMark === undefined ? undefined : this.#grammar;
    const next: OpensNext = (scanner, place) => opensNext(this.#grammar, this.#object, scanner, place);
    const endsCall = (scanner: Scanner, index: number) => lookCallEnd(this.#grammar, scanner, index);
    return this.#object.parameter(name, { ...written, nested, opensNext: next, endsCall });
  }

  #unnamed(): UnnamedValue {
    return new UnnamedValue({
      grammar: this.#grammar,
      outer: [],
      named: (name, text) => {
        this.#call.warning('call-repaired', 'A parameter was not opened.');
        this.#parameter({ name }).finishWhole(text);
      },
      stray: () => this.#object.stray(),
    });
  }

  /** Does the parameter hold all arguments as one object? */
  #holdsAll(scanner: Scanner, { name, end }: TagHeader): Look {
    const { jsonParameters = [] } = this.#grammar.form;
    if (this.#parameters > 0 || !jsonParameters.includes(name) || this.#object.knows(name)) return 'no';
    const next = scanner.afterSpace(end);
    if (typeof next === 'string') return next;
    return scanner.text[next] === '{' ? 'yes' : 'no';
  }

  /** Text inside the call but outside its parameters is reported and not delivered. */
  #passStray(scanner: Scanner): 'on' {
    this.#object.stray();
    const { text } = scanner;
    const { starts } = this.#grammar.structure;
    let next = scanner.at + 1;
    while (next < text.length && !starts.has(text.charCodeAt(next)) && !isSpace(text.charCodeAt(next))) next += 1;
    scanner.at = next;
    return 'on';
  }

  #finishUnclosed(): Progress {
    if (this.#grammar.form.closerOptional) {
      if (this.#json === undefined) this.#object.finish();
    } else if (this.#json === undefined) this.#object.finishUnclosed();
    else this.#call.repair(repairs.closer);
    return 'done';
  }
}
