/** The keys of a call object. Where one is absent, the common ones stand for it. */
export interface CallKeys {
  readonly name: string;
  readonly arguments: string;
  readonly id: string;
}

/** The keys that most dialects use. */
export const commonKeys: CallKeys = { name: 'name', arguments: 'arguments', id: 'id' };

/** Keys that stand for the arguments when the dialect's own is absent, best first. */
export const argumentAliases: readonly string[] = [
  'arguments',
  'parameters',
  'args',
  'input',
  'tool_input',
  'action_input',
  'params',
  'kwargs',
];

/** Those that are a tool's own parameter where it declares one of that name. */
export const rareAliases: readonly string[] = ['params', 'kwargs'];

/** Keys that stand for the name when the dialect's own is absent: what models make up from other prompts and APIs. */
export const nameAliases: readonly string[] = [
  'tool_name',
  'tool',
  'function_name',
  'function',
  'action',
  'recipient_name',
];

/** Keys of an object inside the call that holds the name and the arguments, as in OpenAI's messages. */
const containerKeys: readonly string[] = ['function', 'function_call', 'tool_call'];

/** Keys of a list of calls in an object: as in OpenAI's messages, and in its calls that stand for several. */
export const wrapperKeys: readonly string[] = ['tool_calls', 'function_calls', 'tool_uses'];

/** The key of what a message says beside its calls, and of who says it. */
export const messageKeys = { text: 'content', role: 'role' } as const;

/** They say nothing that we need: `"type": "function"`, and which call of the reply it is. */
export const emptyKeys: readonly string[] = ['type', 'index'];

/** Is this the key of a call's name? */
export function isNameKey(key: string, keys: CallKeys): boolean {
  return key === keys.name || key === commonKeys.name;
}

/** Does an object under this key hold the call? */
export function isContainerKey(key: string): boolean {
  return containerKeys.includes(key);
}

/** Is this a key of a call's arguments, under any of its names? */
export function isArgumentsKey(key: string, keys: CallKeys): boolean {
  return key === keys.arguments || argumentAliases.includes(key);
}
