export type Arguments = Readonly<Record<string, unknown>>;

/** A tool of a coding agent, declared as OpenCode declares its own and executed for real in a scratch folder. */
export interface CodingTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, object>>;
    readonly required: string[];
  };
  /** Runs it. Rejects with what the agent would tell the model. */
  run(values: Arguments): Promise<string>;
}

/** A string parameter. */
export const text = (description: string) => ({ type: 'string', description });

/** A number parameter. */
export const number = (description: string) => ({ type: 'number', description });

/** The value of a string parameter. Throws when it is none. */
export function stringOf(values: Arguments, name: string): string {
  const value = values[name];
  if (typeof value !== 'string') throw new Error(`${name} is not a string`);
  return value;
}
