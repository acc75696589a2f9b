import type { GatewayError } from '../errors.ts';
import type { ChatEvent, FinishReason, Usage } from './event.ts';
import type { Issue } from './issue.ts';
import type { ReasoningPart, TextPart, ToolCallPart } from './message.ts';
import type { ToolCall } from './tool.ts';

/** A whole reply, collected out of its events. */
export interface CollectedMessage {
  readonly id: string;
  readonly model: string;
  /** All text, joined without separators. */
  readonly text: string;
  /** All reasoning, joined without separators. */
  readonly reasoning: string;
  /** One part for each block, in order. Calls that were cut are not parts. */
  readonly content: readonly (TextPart | ReasoningPart | ToolCallPart)[];
  /** The calls that are whole, in order. */
  readonly calls: readonly ToolCall[];
  readonly issues: readonly Issue[];
  /** The last one counts. */
  readonly usage?: Usage;
  /** Absent when the reply ended badly or has not ended. */
  readonly finishReason?: FinishReason;
  readonly rawFinishReason?: string;
  readonly error?: GatewayError;
  /** True when the reply ended with `message-end`. */
  readonly complete: boolean;
}

/** What only some replies have. */
type TailField = 'usage' | 'finishReason' | 'rawFinishReason' | 'error';

type ContentPart = CollectedMessage['content'][number];

/**
 * Collects a reply. A whole answer is a collected stream, so both say the same. Events of a broken stream are collected
 * as far as they go: an open text is kept, an open call is not.
 */
export function collect(events: Iterable<ChatEvent>): CollectedMessage {
  const content: ContentPart[] = [];
  const issues: Issue[] = [];
  let open: string[] = [];
  let head = { id: '', model: '' };
  let call: { callId: string; name: string } | undefined;
  let openKind: 'text' | 'reasoning' | 'none' = 'none';
  const tail: { -readonly [Field in TailField]?: CollectedMessage[Field] } = {};
  let complete = false;

  const close = (signature: Pick<ReasoningPart, 'extra'> = {}) => {
    if (openKind !== 'none') {
      content.push({ type: openKind, text: open.join(''), ...(openKind === 'reasoning' ? signature : {}) });
    }
    openKind = 'none';
    open = [];
  };

  for (const event of events) {
    switch (event.type) {
      case 'message-start':
        head = { id: event.id, model: event.model };
        break;
      case 'text-start':
        openKind = 'text';
        break;
      case 'reasoning-start':
        openKind = 'reasoning';
        break;
      case 'text-delta':
      case 'reasoning-delta':
        open.push(event.text);
        break;
      case 'text-end':
        close();
        break;
      case 'reasoning-end':
        close(event.extra === undefined ? {} : { extra: event.extra });
        break;
      case 'tool-call-start':
        call = { callId: event.callId, name: event.name };
        break;
      case 'tool-call-delta':
        break;
      case 'tool-call-end':
        if (call !== undefined) content.push({ type: 'tool-call', ...call, arguments: event.arguments });
        call = undefined;
        break;
      case 'tool-call-cut':
        call = undefined;
        break;
      case 'usage':
        tail.usage = event.usage;
        break;
      case 'warning':
        issues.push(event.issue);
        break;
      case 'message-end':
        complete = true;
        tail.finishReason = event.finishReason;
        if (event.rawFinishReason !== undefined) tail.rawFinishReason = event.rawFinishReason;
        break;
      case 'error':
        tail.error = event.error;
        break;
      default:
        event satisfies never;
    }
  }
  close();
  const { text, reasoning, calls } = summarise(content);
  return { id: head.id, model: head.model, text, reasoning, content, calls, issues, complete, ...tail };
}

/** What follows from the parts alone. */
function summarise(content: readonly ContentPart[]): Pick<CollectedMessage, 'text' | 'reasoning' | 'calls'> {
  const text: string[] = [];
  const reasoning: string[] = [];
  const calls: ToolCall[] = [];
  for (const part of content) {
    if (part.type === 'text') text.push(part.text);
    else if (part.type === 'reasoning') reasoning.push(part.text);
    else calls.push({ callId: part.callId, name: part.name, arguments: part.arguments });
  }
  return { text: text.join(''), reasoning: reasoning.join(''), calls };
}
