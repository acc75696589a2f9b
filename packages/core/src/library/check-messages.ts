import { refuse } from '../check-value.ts';

const roles: readonly unknown[] = ['system', 'user', 'assistant', 'tool'];

const shape = "{ role, content }, its content a list of parts such as { type: 'text', text }";

/**
 * Refuses a conversation of another shape than `Message`s, for callers without types. Throws DragomanError `config-invalid`
 * with the place and what to write there.
 */
export function checkMessages(messages: unknown, path = 'messages'): void {
  if (!Array.isArray(messages)) refuse(path, messages, `give a list of ${shape}.`);
  for (const [at, message] of messages.entries()) checkMessage(message, `${path}[${at}]`);
}

function checkMessage(message: unknown, path: string): void {
  if (typeof message !== 'object' || message === null || !('role' in message)) {
    refuse(path, message, `give ${shape}.`);
  }
  if (!roles.includes(message.role)) refuse(`${path}.role`, message.role, `give one of ${roles.join(', ')}.`);
  const content = 'content' in message ? message.content : undefined;
  if (!Array.isArray(content)) {
    const remedy = "give a list of parts, such as [{ type: 'text', text }]; readRequest of a client's wire makes one";
    refuse(`${path}.content`, content, `${remedy} of messages in the form of an API.`);
  }
  if (message.role === 'tool' && typeof Object(message).callId !== 'string') {
    refuse(`${path}.callId`, Object(message).callId, 'give the id of the call, or "" where there is none.');
  }
  for (const [at, part] of content.entries()) checkPart(part, `${path}.content[${at}]`);
}

/** What each kind of part has to say, and in which kind of text. */
const texts: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  reasoning: ['text'],
  image: ['url'],
  'tool-call': ['callId', 'name', 'arguments'],
};

function checkPart(part: unknown, path: string): void {
  const type = typeof part === 'object' && part !== null && 'type' in part ? part.type : undefined;
  const fields = typeof type === 'string' && Object.hasOwn(texts, type) ? texts[type] : undefined;
  if (typeof part !== 'object' || part === null || fields === undefined) {
    refuse(`${path}.type`, type, `give one of ${Object.keys(texts).join(', ')}.`);
  }
  for (const field of fields) {
    const value: unknown = Reflect.get(part, field);
    if (typeof value !== 'string') refuse(`${path}.${field}`, value, 'give it a text.');
  }
}
