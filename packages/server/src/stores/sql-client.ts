export type SqlValue = string | number | Uint8Array;

/** One statement in the SQL that SQLite and PostgreSQL share; its values are as `$1`, `$2` and so on. */
export interface Statement {
  readonly sql: string;
  readonly values?: readonly SqlValue[];
}

export type Row = Readonly<Record<string, unknown>>;

/** A connection to one database, whatever its make. */
export interface SqlClient {
  /** Where it is, without any secret; for messages. */
  readonly place: string;
  /** Whether other gateways may write to it. */
  readonly shared: boolean;
  /** What a transaction begins with that no two processes may be in at once. */
  readonly lock: readonly Statement[];
  /**
   * Runs statements in order, all of them or none, and returns the rows of each. Rejects with a StoreError, after which
   * it can be called again: a broken connection is made anew.
   */
  run(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]>;
  close(): Promise<void>;
}

/** Rows that one statement writes, asks for or deletes. */
const mostRows = 400;

/** What one statement after the other takes. */
export function inParts<Each>(all: readonly Each[]): readonly (readonly Each[])[] {
  const parts: (readonly Each[])[] = [];
  for (let at = 0; at < all.length; at += mostRows) parts.push(all.slice(at, at + mostRows));
  return parts;
}

/** `$2, $3`: the places of so many values, from this one on. */
export function placesOf({ length }: ArrayLike<unknown>, first = 1): string {
  return Array.from({ length }, (_, at) => `$${at + first}`).join(', ');
}

/**
 * Why a database did not do what it was asked: it cannot be reached now, it refused, or another version of Dragoman has
 * made it its own.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly kind: 'unreachable' | 'refused' | 'newer-schema';

  constructor(kind: StoreError['kind'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}
