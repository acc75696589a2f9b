import type { Message } from '../chat/message.ts';
import type { OutputFormat } from '../chat/request.ts';

/** The words that ask for the form of an answer, where no field can. `withTools`: the model may also call a tool. */
export function teachFormat(format: OutputFormat, { withTools }: { readonly withTools: boolean }): string {
  const when = withTools ? 'When you answer instead of calling a tool, your' : 'Your';
  const only = `${when} answer must be one JSON value and nothing else: no words around it and no code fence.`;
  if (format.type === 'json') return only;
  const about = [format.name, format.description].filter((text) => text !== undefined && text !== '').join(': ');
  const heading = about === '' ? 'It must fit this JSON Schema:' : `It must fit this JSON Schema (${about}):`;
  return `${only}\n${heading}\n${JSON.stringify(format.schema)}`;
}

/** The messages with one more system text, after those that are in front. */
export function addSystemText(messages: readonly Message[], text: string): readonly Message[] {
  const other = messages.findIndex(({ role }) => role !== 'system');
  const front = other < 0 ? messages.length : other;
  const added: Message = { role: 'system', content: [{ type: 'text', text }] };
  return [...messages.slice(0, front), added, ...messages.slice(front)];
}
