import type { AroundTable, CallTable } from '@dragoman/core';

/** The form of a call as a template writes it. */
export interface FoundCall {
  readonly call: CallTable;
  readonly section?: AroundTable;
  /** What comes after all calls where nothing comes before them. */
  readonly turnEnd?: string;
  /** What is worth telling of it. */
  readonly seen?: readonly string[];
  /** What the renderings do not prove. */
  readonly assumed?: readonly string[];
}
