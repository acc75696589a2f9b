import { badRequest, isAbsent, type Path, ReadNotes, readString } from '../read-values.ts';

/** How strictly one request is read, and what was tolerated on the way. */
export class ReadRules extends ReadNotes {
  /** Tolerates what the API refuses but has one reading: types of the wrong role, nested tools, unknown items. */
  readonly lenient: boolean;

  constructor(options: { readonly lenient: boolean }) {
    super();
    this.lenient = options.lenient;
  }
}

/** A string that is there and not empty. */
export function readName(value: unknown, path: Path): string {
  if (isAbsent(value)) throw badRequest(path, 'is required.');
  const name = readString(value, path);
  if (name === '') throw badRequest(path, 'must not be empty.');
  return name;
}
