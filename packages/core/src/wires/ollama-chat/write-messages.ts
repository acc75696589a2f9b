import type { Issue } from '../../chat/issue.ts';
import { type Message, type Part, type ToolCallPart, textOf } from '../../chat/message.ts';
import { argumentsValue } from '../arguments-value.ts';
import { tellDropped, untoldFailure } from '../tell-dropped.ts';
import { type WireToolCall, wireId } from './types.ts';

type Fields = { readonly [field: string]: unknown };

/** A history as this API wants it: content as one string, pictures as base64 beside it, arguments as objects. */
export function writeMessages(messages: readonly Message[], issues: Issue[]): readonly Fields[] {
  const names = new Map<string, string>();
  return messages.map((message) => {
    switch (message.role) {
      case 'user':
        if (message.name !== undefined) tellDropped(issues, `The name of a user can't be said in ${wireId}.`);
        return { role: 'user', ...writeContent(message.content, issues) };
      case 'system':
        return { role: 'system', ...writeContent(message.content, issues) };
      case 'assistant':
        for (const part of message.content) if (part.type === 'tool-call') names.set(part.callId, part.name);
        return { role: 'assistant', ...writeAssistantFields(message.content, issues) };
      case 'tool': {
        if (message.status === 'error') tellDropped(issues, untoldFailure(wireId));
        const name = names.get(message.callId) ?? message.name;
        return {
          role: 'tool',
          ...writeContent(message.content, issues),
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
function writeContent(content: readonly Part[], issues: Issue[]): Fields {
  const texts: string[] = [];
  const images: string[] = [];
  for (const part of content) {
    if (part.type === 'text') texts.push(part.text);
    else {
      const bytes = base64Of(part.url);
      if (bytes !== undefined) {
        images.push(bytes);
        tellDetail(part.detail, issues);
      } else {
        issues.push({ code: 'part-dropped', message: 'A picture that is only an address can’t be sent to Ollama.' });
        texts.push(`[picture left out: ${part.url.slice(0, 200)}]`);
      }
    }
  }
  return { content: texts.join('\n'), ...(images.length === 0 ? {} : { images }) };
}

function tellDetail(detail: string | undefined, issues: Issue[]): void {
  if (detail === undefined || detail === 'auto') return;
  tellDropped(issues, `How closely to look at a picture can't be said in ${wireId}.`);
}

function base64Of(url: string): string | undefined {
  const mark = ';base64,';
  const at = url.startsWith('data:') ? url.indexOf(mark) : -1;
  return at < 0 ? undefined : url.slice(at + mark.length);
}

function writeAssistantFields(content: (Message & { role: 'assistant' })['content'], issues: Issue[]): Fields {
  const reasoning = content.filter((part) => part.type === 'reasoning').map((part) => part.text);
  const calls = content.filter((part) => part.type === 'tool-call').map((part) => writeCall(part, issues));
  return {
    content: textOf(content, ''),
    ...(reasoning.length === 0 ? {} : { thinking: reasoning.join('') }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function writeCall(call: ToolCallPart, issues: Issue[]): WireToolCall {
  const values = argumentsValue(call, issues);
  return { ...(call.callId === '' ? {} : { id: call.callId }), function: { name: call.name, arguments: values } };
}
