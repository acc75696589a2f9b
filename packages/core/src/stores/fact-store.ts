import type { Quirks } from '../wires/wire.ts';

/** What the answers of a server have shown of one of its models, and its list does not say. */
export interface ModelFacts {
  /**
   * What became of tools that it was given: the model has `called` them natively; the server has `refused` them, or
   * `ignored` them, so that the model never saw them; or the model has `written` a call as text. Absent: nothing certain.
   */
  readonly tools?: 'called' | 'refused' | 'ignored' | 'written';
  /** The dialect in which the model wrote a call that it was not taught so. */
  readonly dialect?: string;
  /** The server has refused a grammar, or a schema, that a reply was to match and that no client sent. */
  readonly grammar?: 'refused';
  /** What its requests need. */
  readonly quirks?: Quirks;
}

/** Which model facts are of. */
export interface ModelKey {
  /** The upstream's name in the configuration. */
  readonly upstream: string;
  /** Where that is: under the same name, another server may be there tomorrow. */
  readonly address?: string | undefined;
  /** The upstream's own name for the model. */
  readonly model: string;
  /** Changes with the model, as its server tells it; absent where it does not. */
  readonly version?: string | undefined;
}

/**
 * Remembers facts of models. Of a version that has gone nothing counts any more; and where a server tells no version, facts
 * count for a day.
 */
export interface FactStore {
  get(key: ModelKey): ModelFacts | undefined;
  put(key: ModelKey, facts: ModelFacts): void;
}
