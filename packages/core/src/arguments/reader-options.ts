import type { IssueCode } from '../chat/issue.ts';
import type { SchemaView } from './schema.ts';

/** `open`: the value is not complete; `broken`: a character came that cannot stand at its place. */
export type ReaderState = 'open' | 'done' | 'broken';

/** What a reader of JSON is told, and where its output goes. */
export interface ReaderOptions {
  readonly schema: SchemaView;
  /** Takes JSON text as it becomes certain; at most one piece per read. */
  readonly emit: (json: string) => void;
  readonly issue: (code: IssueCode, message: string) => void;
}
