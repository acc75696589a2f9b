import { type Message, type Part, type ToolCallPart, textOf } from '../../chat/message.ts';
import type { Warning } from '../../chat/warning.ts';
import { argumentsValue } from '../arguments-value.ts';
import { reportDropped, untoldFailure } from '../report-dropped.ts';
import { type WireToolCall, wireId } from './types.ts';

type Fields = { readonly [field: string]: unknown };

/** A history as this API wants it: content as one string, pictures as base64 beside it, arguments as objects. */
export function writeMessages(messages: readonly Message[], warnings: Warning[]): readonly Fields[] {
  const names = new Map<string, string>();
  return messages.map((message) => {
    switch (message.role) {
      case 'user':
        if (message.name !== undefined) reportDropped(warnings, `The name of a user can't be said in ${wireId}.`);
        return { role: 'user', ...writeContent(message.content, warnings) };
      case 'system':
        return { role: 'system', ...writeContent(message.content, warnings) };
      case 'assistant':
        for (const part of message.content) if (part.type === 'tool-call') names.set(part.callId, part.name);
        return { role: 'assistant', ...writeAssistantFields(message.content, warnings) };
      case 'tool': {
        if (message.status === 'error') reportDropped(warnings, untoldFailure(wireId));
        const name = names.get(message.callId) ?? message.name;
        return {
          role: 'tool',
          ...writeContent(message.content, warnings),
          ...(name === undefined ? {} : { tool_name: name }),
          ...(message.callId === '' ? {} : { tool_call_id: message.callId }),
        };
      }
      default:
        return message satisfies never;
    }
  });
}

/** Only pictures whose bytes are in the request can be sent; of another one its address stays as text. */
function writeContent(content: readonly Part[], warnings: Warning[]): Fields {
  const texts: string[] = [];
  const images: string[] = [];
  for (const part of content) {
    if (part.type === 'text') texts.push(part.text);
    else {
      const bytes = base64Of(part.url);
      if (bytes !== undefined) {
        images.push(bytes);
        reportDetail(part.detail, warnings);
      } else {
        warnings.push({ code: 'part-dropped', message: 'A picture that is only an address can’t be sent to Ollama.' });
        texts.push(`[picture left out: ${part.url.slice(0, 200)}]`);
      }
    }
  }
  return { content: texts.join('\n'), ...(images.length === 0 ? {} : { images }) };
}

function reportDetail(detail: string | undefined, warnings: Warning[]): void {
  if (detail === undefined || detail === 'auto') return;
  reportDropped(warnings, `How closely to look at a picture can't be said in ${wireId}.`);
}

function base64Of(url: string): string | undefined {
  const mark = ';base64,';
  const at = url.startsWith('data:') ? url.indexOf(mark) : -1;
  return at < 0 ? undefined : url.slice(at + mark.length);
}

function writeAssistantFields(content: (Message & { role: 'assistant' })['content'], warnings: Warning[]): Fields {
  const reasoning = content.filter((part) => part.type === 'reasoning').map((part) => part.text);
  const calls = content.filter((part) => part.type === 'tool-call').map((part) => writeCall(part, warnings));
  return {
    content: textOf(content, ''),
    ...(reasoning.length === 0 ? {} : { thinking: reasoning.join('') }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function writeCall(call: ToolCallPart, warnings: Warning[]): WireToolCall {
  const values = argumentsValue(call, warnings);
  return { ...(call.callId === '' ? {} : { id: call.callId }), function: { name: call.name, arguments: values } };
}
