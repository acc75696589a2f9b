import { ArgumentsReader } from '../../arguments/arguments-reader.ts';
import type { SchemaView } from '../../arguments/schema.ts';
import type { CallWriter } from './call-writer.ts';
import type { CallReader, Open, Progress } from './grammar.ts';
import { type Resume, resumeBehindPairs } from './pair-markers.ts';
import { lookBehindSpace, type Scanner } from './scanner.ts';

/** The literals of a grammar whose calls have a header in front of their JSON arguments (kernel J3). */
export interface HeadedForm {
  readonly opener: string;
  /** Between header and arguments. Without it the arguments' brace ends the header. */
  readonly separator: string;
  /** Behind the arguments; may be missing. */
  readonly closer: string;
  /** The name in a header, and the id that the model gave the call. */
  readHeader(header: string): { readonly name: string; readonly nativeId?: string };
}

/** A header longer than this is prose. */
const longestHeader = 192;

/** Decides whether the opener opens a call: a header stands behind it, ended by the separator or a brace. */
export function openHeaded(form: HeadedForm): Open {
  return (scanner, index, length) => {
    const start = index + length;
    const { text } = scanner;
    for (let at = start; at - start <= longestHeader; at += 1) {
      if (scanner.wantsMore(at)) return 'more';
      if (at >= text.length) return 'no';
      const separator = scanner.look(form.separator, at);
      if (separator === 'more') return 'more';
      const brace = text[at] === '{';
      if (separator === 'no' && !brace) continue;
      const header = form.readHeader(text.slice(start, at).trim());
      if (!isPlain(header.name)) return 'no';
      const end = separator === 'yes' ? at + form.separator.length : at;
      return { end, read: (call) => new HeadedCall(form, call, header) };
    }
    return 'no';
  };
}

class HeadedCall implements CallReader {
  readonly #form: HeadedForm;
  readonly #call: CallWriter;
  readonly #arguments: ArgumentsReader;
  #opened = false;

  constructor(form: HeadedForm, call: CallWriter, header: { readonly name: string; readonly nativeId?: string }) {
    this.#form = form;
    this.#call = call;
    const schema: SchemaView = call.named(header.name, header.nativeId);
    this.#arguments = new ArgumentsReader({
      schema,
      emit: (json) => call.arguments(json),
      issue: (code, message) => call.issue(code, message),
    });
  }

  read(scanner: Scanner): Progress {
    if (!this.#opened) {
      const empty = this.#readEmpty(scanner);
      if (empty !== 'no') return empty;
      this.#opened = true;
    }
    if (this.#arguments.state === 'open') {
      scanner.at = this.#arguments.read(scanner.text, scanner.at);
      if (this.#arguments.state === 'open') return 'more';
    }
    return this.#arguments.state === 'broken' ? 'broken' : this.#readCloser(scanner);
  }

  /** A missing quotation mark turns the closer, and calls behind it, into a string. */
  readonly resume = (raw: string): Resume => resumeBehindPairs(raw, this.#form);

  /** No arguments at all: the closer stands where they should. */
  #readEmpty(scanner: Scanner): Progress | 'no' {
    scanner.at = scanner.skipSpace(scanner.at);
    const closer = scanner.look(this.#form.closer);
    if (closer !== 'yes') return closer;
    this.#call.arguments('{}');
    scanner.at += this.#form.closer.length;
    return 'done';
  }

  #readCloser(scanner: Scanner): Progress {
    const end = lookBehindSpace(scanner, this.#form.closer);
    if (end === 'more') return 'more';
    if (end === 'no') this.#call.issue('call-mended', 'The call was not closed.');
    else scanner.at = end;
    return 'done';
  }
}

/** Names of tools hold neither white space nor what markers start with. */
function isPlain(name: string): boolean {
  for (let index = 0; index < name.length; index += 1) {
    const code = name.charCodeAt(index);
    if (code <= 32 || code === 60) return false;
  }
  return name !== '';
}
