import type { ChatEvent, FinishReason, Usage, Warning } from '@dragoman/core';
import type { ChatCall } from '../chat/message.ts';
import { readArguments } from '../chat/openai-form.ts';
import type { AgentEvent } from './events.ts';

/** One reply of the model, as far as it came. */
export interface Reply {
  readonly text: string;
  readonly think: string;
  /** The calls that are whole. */
  readonly calls: readonly ChatCall[];
  readonly warnings: readonly Warning[];
  readonly usage?: Usage;
  /** Absent: it did not end well. */
  readonly finishReason?: FinishReason;
  /** What broke it off. */
  readonly error?: unknown;
}

/** Reads a reply and tells what comes. Never rejects: what breaks a reply off is in it. */
export async function readReply(events: AsyncIterable<ChatEvent>, emit: (event: AgentEvent) => void): Promise<Reply> {
  const text: string[] = [];
  const think: string[] = [];
  const calls: ChatCall[] = [];
  const warnings: Warning[] = [];
  let usage: Usage | undefined;
  let finishReason: FinishReason | undefined;
  let error: unknown;
  let open = { id: '', name: '' };
  try {
    for await (const event of events) {
      switch (event.type) {
        case 'text-delta':
          text.push(event.text);
          emit({ type: 'text', text: event.text });
          break;
        case 'reasoning-delta':
          think.push(event.text);
          emit({ type: 'think', text: event.text });
          break;
        case 'tool-call-start':
          open = { id: event.callId, name: event.name };
          emit({ type: 'call-start', name: event.name });
          break;
        case 'tool-call-end':
          // The engine delivers JSON of an object, or no call.
          calls.push({ ...open, arguments: readArguments(event.arguments) ?? {} });
          break;
        case 'warning':
          warnings.push(event.warning);
          break;
        case 'usage':
          usage = event.usage;
          break;
        case 'message-end':
          finishReason = event.finishReason;
          break;
        case 'error':
          error = event.error;
          break;
        case 'message-start':
        case 'text-start':
        case 'text-end':
        case 'reasoning-start':
        case 'reasoning-end':
        case 'tool-call-delta':
        case 'tool-call-cut':
        case 'conversation':
          break;
        default:
          event satisfies never;
      }
    }
  } catch (thrown) {
    error = thrown;
  }
  return {
    text: text.join(''),
    think: think.join(''),
    calls,
    warnings,
    ...(usage !== undefined && { usage }),
    ...(finishReason !== undefined && { finishReason }),
    ...(error !== undefined && { error }),
  };
}
