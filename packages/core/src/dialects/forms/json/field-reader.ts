import type { IssueCode } from '../../../chat/issue.ts';
import { ArgumentsReader } from '../../../json/arguments-reader.ts';
import { JsonReader } from '../../../json/json-reader.ts';
import { SchemaView } from '../../../json/schema.ts';
import type { CallWriter } from '../../parser/calls/call-writer.ts';
import type { Scanner } from '../../parser/scanner.ts';
import { BehindArguments, type BehindArgumentsForm } from './after-arguments.ts';

/** Reads the value of one field of a call object from the scanner. */
export interface FieldReader {
  read(scanner: Scanner): 'open' | 'done' | 'broken';
  /** The value is broken: closes its brackets where only these are missing. */
  closeContainers(): boolean;
  /** The value's JSON text, for fields that are looked at as a whole. */
  readonly text: string;
}

/** A value that is looked at when it is whole. */
export class WholeField implements FieldReader {
  readonly #pieces: string[] = [];
  readonly #issues: { readonly code: IssueCode; readonly message: string }[] = [];
  readonly #reader = new JsonReader({
    schema: SchemaView.any,
    emit: (json) => this.#pieces.push(json),
    issue: (code, message) => this.#issues.push({ code, message }),
  });

  get text(): string {
    return this.#pieces.join('');
  }

  /** The names of its members, where it is an object or a string that holds one. */
  get memberNames(): readonly string[] {
    const { value } = this;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  }

  /** The value itself. */
  get plainValue(): unknown {
    return JSON.parse(this.text);
  }

  /** Itself, or what the string holds; a string that holds no object stays one. */
  get value(): unknown {
    const { text } = this;
    return text.startsWith('"{') ? readObject(text) : this.plainValue;
  }

  /** It is an object, a string that may hold one, or nothing. */
  get mayBeArguments(): boolean {
    const { text } = this;
    return text.startsWith('{') || text.startsWith('"{') || text === 'null';
  }

  read(scanner: Scanner): 'open' | 'done' | 'broken' {
    scanner.at = this.#reader.read(scanner.text, scanner.at);
    return this.#reader.state;
  }

  closeContainers(): boolean {
    return this.#reader.closeContainers();
  }

  /** The value counts, so what was mended in it is told. */
  tellIssues(call: CallWriter): void {
    for (const { code, message } of this.#issues) call.issue(code, message);
  }
}

function readObject(text: string): unknown {
  const held = stringOf(text) ?? '';
  try {
    return JSON.parse(held);
  } catch {
    return held;
  }
}

/** The text of a JSON string; undefined for all else. */
export function stringOf(json: string): string | undefined {
  return json.startsWith('"') ? String(JSON.parse(json)) : undefined;
}

/** The arguments: their JSON leaves as it is read. */
export class ArgumentsField implements FieldReader {
  readonly text = '';
  readonly #reader: ArgumentsReader;
  readonly #behind: BehindArguments;

  constructor(
    call: CallWriter,
    { schema, behind }: { readonly schema: SchemaView; readonly behind: BehindArgumentsForm },
  ) {
    this.#behind = new BehindArguments(behind, call);
    this.#reader = argumentsReader(call, { schema, behind: this.#behind });
  }

  read(scanner: Scanner): 'open' | 'done' | 'broken' {
    this.#behind.read(scanner, this.#reader);
    return this.#reader.state;
  }

  closeContainers(): boolean {
    return this.#reader.closeContainers();
  }
}

/** Reads arguments that have come before as a whole. False when the value cannot be arguments. */
export function readArguments(call: CallWriter, schema: SchemaView, json: string): boolean {
  const reader = argumentsReader(call, { schema });
  reader.read(json, 0);
  reader.end();
  return reader.state === 'done';
}

function argumentsReader(
  call: CallWriter,
  options: { readonly schema: SchemaView; readonly behind?: BehindArguments },
): ArgumentsReader {
  return new ArgumentsReader({
    ...options,
    emit: (json) => call.arguments(json),
    issue: (code, message) => call.issue(code, message),
  });
}
