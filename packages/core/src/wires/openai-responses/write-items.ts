import type { AssistantMessage, Message, Part, ReasoningPart } from '../../chat/message.ts';
import type { Warning } from '../../chat/warning.ts';
import { verifiedPicture } from '../picture-type.ts';
import type { JsonObject } from '../read-values.ts';
import { reportDropped, untoldFailure } from '../report-dropped.ts';
import { annotationsIn } from './annotations.ts';
import { ownItemIn, wireId } from './types.ts';

export interface WriteItemsOptions {
  readonly systemAsDeveloper: boolean;
  readonly noReasoningHistory: boolean;
  readonly warnings: Warning[];
}

/** One message as items, in the order in which its parts stand. */
export function writeItems(message: Message, options: WriteItemsOptions): readonly JsonObject[] {
  switch (message.role) {
    case 'system': {
      const isDeveloper = options.systemAsDeveloper || message.extra?.[wireId]?.role === 'developer';
      if (message.content.length === 0) return [];
      const content = message.content.map((part) => writeText(part, 'system', options));
      return [{ type: 'message', role: isDeveloper ? 'developer' : 'system', content }];
    }
    case 'user':
      if (message.name !== undefined) reportDropped(options.warnings, `The name of a user can't be said in ${wireId}.`);
      if (message.content.length === 0) return [];
      return [{ type: 'message', role: 'user', content: message.content.map((part) => writeInput(part, options)) }];
    case 'assistant':
      return writeAssistantItems(message, options);
    case 'tool':
      if (message.status === 'error') reportDropped(options.warnings, untoldFailure(wireId));
      return [{ type: 'function_call_output', call_id: message.callId, output: writeOutput(message.content, options) }];
  }
}

function writeAssistantItems({ content, extra }: AssistantMessage, options: WriteItemsOptions): readonly JsonObject[] {
  const own = extra?.[wireId]?.phase;
  const phase = own === undefined ? {} : { phase: own };
  const kept = options.noReasoningHistory ? content.filter((part) => part.type !== 'reasoning') : content;
  return kept.map((part) => writeSaid(part, phase));
}

function writeSaid(part: AssistantMessage['content'][number], phase: JsonObject): JsonObject {
  switch (part.type) {
    case 'text': {
      const own = ownItemIn(part.extra);
      if (own !== undefined) return own;
      const text =
        part.refusal === true
          ? { type: 'refusal', refusal: part.text }
          : { type: 'output_text', text: part.text, annotations: annotationsIn(part.extra) };
      return { type: 'message', role: 'assistant', content: [text], ...phase };
    }
    case 'reasoning':
      return writeReasoning(part);
    case 'tool-call':
      return { type: 'function_call', call_id: part.callId, name: part.name, arguments: part.arguments };
  }
}

/** What the upstream sealed goes back as it came. */
function writeReasoning({ text, extra }: ReasoningPart): JsonObject {
  const sealed = extra?.[wireId]?.encrypted_content;
  return {
    type: 'reasoning',
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    ...(sealed === undefined ? {} : { encrypted_content: sealed }),
  };
}

function writeInput(part: Part, { warnings }: WriteItemsOptions): JsonObject {
  if (part.type === 'text') return { type: 'input_text', text: part.text };
  const url = verifiedPicture(part.url);
  if (url !== undefined) return { type: 'input_image', image_url: url, detail: part.detail ?? 'auto' };
  warnings.push({ code: 'part-dropped', message: 'A picture of an unknown kind was left out.' });
  return { type: 'input_text', text: '[picture of an unknown kind left out]' };
}

/** Content where the API knows only text: a picture leaves a note in its place. */
function writeText(part: Part, role: string, { warnings }: WriteItemsOptions): JsonObject {
  if (part.type === 'text') return { type: 'input_text', text: part.text };
  warnings.push({ code: 'part-dropped', message: `A picture in a ${role} message can't be said in ${wireId}.` });
  return { type: 'input_text', text: '[picture left out]' };
}

/** A single text is a string, which every server reads. */
function writeOutput(content: readonly Part[], options: WriteItemsOptions): string | readonly JsonObject[] {
  if (content.length === 0) return '';
  const [only] = content;
  return content.length === 1 && only?.type === 'text' ? only.text : content.map((part) => writeInput(part, options));
}
