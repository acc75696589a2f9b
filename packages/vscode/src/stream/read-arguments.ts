import { closeArguments } from '@dragoman/openresponses-client';
import { isObject } from '../read-fields.ts';

/** The arguments of a call as VS Code takes them, and what had to be repaired. */
export interface ReadArguments {
  readonly input: Readonly<Record<string, unknown>>;
  readonly warning?: string;
}

/**
 * Reads the arguments of a call that the server says is whole. What the client has cut, because a call that breaks off looks
 * the same, gets the brackets that are missing at its end. What is still no object is `{}` with a warning: the tool then tells
 * the model what it lacks.
 */
export function readArguments(text: string): ReadArguments {
  const json = closeArguments(text);
  const input: unknown = json === undefined ? undefined : JSON.parse(json);
  if (!isObject(input)) return { input: {}, warning: `the arguments are no JSON object: ${text.slice(0, 200)}` };
  return json === text.trim() ? { input } : { input, warning: 'the arguments were not quite JSON, and were repaired' };
}
