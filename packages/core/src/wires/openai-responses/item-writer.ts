import type { Extra } from '../../chat/message.ts';
import type { Sink } from '../../stream/stage.ts';
import { unwrapInput } from '../free-input.ts';
import { probabilitiesIn } from '../probabilities.ts';
import { ReplyWriter } from '../reply-writer.ts';
import type { ReplyContext } from '../wire.ts';
import { annotationsIn } from './annotations.ts';
import { sealText } from './sealed-text.ts';
import { formOf, type ToolForm } from './tool-forms.ts';
import {
  ownItemIn,
  type WireCustomCall,
  type WireEvent,
  type WireFunctionCall,
  type WireItem,
  type WireItemStatus,
  type WireMessage,
  type WireOwnItem,
  type WireReasoning,
  wireId,
} from './types.ts';

/**
 * - `none`: nothing is open.
 * - `text`, `reasoning`: deltas leave as they come.
 * - `ended-text`: the text is over but its item is not: whether it was cut short only the end of the reply tells.
 * - `waiting-call`: a call has begun and has no arguments yet. One that is cut here never shows.
 * - `call`: its arguments leave as they come.
 * - `custom-call`: its input leaves when it is whole.
 */
type State = 'none' | 'text' | 'ended-text' | 'reasoning' | 'waiting-call' | 'call' | 'custom-call';

/**
 * Writes blocks as items, one after the other, each with all of its events. A call that is cut after it showed gets no
 * `done`, as clients run a call that has one, and is not in the output.
 */
export abstract class ItemWriter extends ReplyWriter<WireEvent> {
  readonly #sealsReasoning: boolean;
  protected readonly output: WireItem[] = [];
  #state: State = 'none';
  #index = -1;
  #id = '';
  #text: string[] = [];
  /** The probabilities of the open text's tokens, where they came. */
  #logprobs: unknown[] = [];
  /** What the open text cites. */
  #annotations: readonly unknown[] = [];
  /** The open text is a refusal. */
  #refuses = false;
  #call: { readonly callId: string; readonly form: ToolForm } | undefined;

  constructor(sink: Sink<WireEvent>, context: ReplyContext) {
    super(sink, context);
    const include = context.request.extra[wireId]?.include;
    this.#sealsReasoning = Array.isArray(include) && include.includes('reasoning.encrypted_content');
  }

  protected abstract emit(event: WireEvent): void;

  protected override beginText(isRefusal: boolean): void {
    this.#closeEndedText();
    this.#refuses = isRefusal;
  }

  protected override text(text: string, extra: Extra | undefined): void {
    const logprobs = probabilitiesIn(wireId, extra);
    if (text === '' && logprobs.length === 0) return;
    if (this.#state !== 'text') {
      this.#open('text', 'msg');
      const item: WireMessage = {
        type: 'message',
        id: this.#id,
        status: 'in_progress',
        role: 'assistant',
        content: [],
      };
      this.#itemEvent('response.output_item.added', item);
      this.#partEvent('response.content_part.added', { content_index: 0, part: this.#textPart('') });
    }
    this.#text.push(text);
    for (const one of logprobs) this.#logprobs.push(one);
    if (this.#refuses) this.#partEvent('response.refusal.delta', { content_index: 0, delta: text });
    else this.#partEvent('response.output_text.delta', { content_index: 0, delta: text, logprobs });
  }

  /** What the text cites follows it; its item stays open. */
  protected override endText(extra: Extra | undefined): void {
    if (this.#state === 'text') {
      this.#state = 'ended-text';
      if (!this.#refuses) this.#cite(annotationsIn(extra));
    }
    this.#ownItem(ownItemIn(extra));
  }

  /** The reply is over; `status` is that of a text it ended in. */
  protected closeItem(status: WireItemStatus): void {
    if (this.#state === 'text' || this.#state === 'ended-text') this.#closeMessage(status);
    this.#state = 'none';
  }

  /** An item that only this API has, as its upstream wrote it. */
  #ownItem(item: WireOwnItem | undefined): void {
    if (item === undefined) return;
    this.#closeEndedText();
    this.#open('none', 'item');
    this.#itemEvent('response.output_item.added', item);
    this.#done(item);
  }

  #cite(annotations: readonly unknown[]): void {
    this.#annotations = annotations;
    for (const [index, annotation] of annotations.entries()) {
      const fields = { content_index: 0, annotation_index: index, annotation };
      this.#partEvent('response.output_text.annotation.added', fields);
    }
  }

  #closeEndedText(): void {
    if (this.#state === 'ended-text') this.#closeMessage('completed');
  }

  #closeMessage(status: WireItemStatus): void {
    const part = this.#textPart(this.#joined());
    if (part.type === 'refusal') {
      this.#partEvent('response.refusal.done', { content_index: 0, refusal: part.refusal });
    } else this.#partEvent('response.output_text.done', { content_index: 0, text: part.text, logprobs: part.logprobs });
    this.#partEvent('response.content_part.done', { content_index: 0, part });
    this.#done({ type: 'message', id: this.#id, status, role: 'assistant', content: [part] });
  }

  #textPart(text: string): WireMessage['content'][number] {
    if (this.#refuses) return { type: 'refusal', refusal: text };
    return { type: 'output_text', text, annotations: this.#annotations, logprobs: [...this.#logprobs] };
  }

  protected override beginReasoning(): void {
    this.#closeEndedText();
  }

  protected override reasoning(text: string): void {
    if (text === '') return;
    if (this.#state !== 'reasoning') {
      this.#openReasoning();
      const part = { type: 'summary_text', text: '' };
      this.#partEvent('response.reasoning_summary_part.added', { summary_index: 0, part });
    }
    this.#text.push(text);
    this.#partEvent('response.reasoning_summary_text.delta', { summary_index: 0, delta: text });
  }

  #openReasoning(): void {
    this.#open('reasoning', 'rs');
    this.#itemEvent('response.output_item.added', { type: 'reasoning', id: this.#id, summary: [] });
  }

  /** Reasoning that an upstream only sent sealed has no summary, but goes back as it came. */
  protected override endReasoning(extra: Extra | undefined): void {
    const sealed = extra?.[wireId]?.encrypted_content;
    const isSealed = typeof sealed === 'string';
    if (this.#state !== 'reasoning') {
      if (!isSealed) return;
      this.#openReasoning();
    }
    const text = this.#joined();
    const encrypted = isSealed ? sealed : this.#sealsReasoning ? sealText('reasoning', text) : undefined;
    const summary: WireReasoning['summary'] = text === '' ? [] : [{ type: 'summary_text', text }];
    if (text !== '') {
      this.#partEvent('response.reasoning_summary_text.done', { summary_index: 0, text });
      this.#partEvent('response.reasoning_summary_part.done', { summary_index: 0, part: summary[0] });
    }
    const seal = encrypted === undefined ? {} : { encrypted_content: encrypted };
    this.#done({ type: 'reasoning', id: this.#id, summary, ...seal });
  }

  protected override beginCall({ callId, name }: { readonly callId: string; readonly name: string }): void {
    this.#closeEndedText();
    const tool = this.context.request.tools.find((each) => each.name === name);
    const form: ToolForm = tool === undefined ? { kind: 'function', name } : formOf(tool);
    this.#call = { callId, form };
    this.#state = form.kind === 'custom' ? 'custom-call' : 'waiting-call';
  }

  protected override arguments(json: string): void {
    if (json === '' || this.#state === 'custom-call') return;
    if (this.#state === 'waiting-call') this.#showCall();
    if (this.#state === 'call') this.#partEvent('response.function_call_arguments.delta', { delta: json });
  }

  protected override cutCall(): void {
    this.#state = 'none';
  }

  #showCall(): void {
    this.#open('call', 'fc');
    this.#itemEvent('response.output_item.added', this.#callItem('', 'in_progress'));
  }

  protected override endCall(json: string): void {
    if (this.#state === 'custom-call') {
      const input = unwrapInput(json);
      this.#open('custom-call', 'ctc');
      this.#itemEvent('response.output_item.added', this.#callItem('', 'in_progress'));
      if (input !== '') this.#partEvent('response.custom_tool_call_input.delta', { delta: input });
      this.#partEvent('response.custom_tool_call_input.done', { input });
      this.#done(this.#callItem(input, 'completed'));
      return;
    }
    if (this.#state === 'waiting-call') this.#showCall();
    this.#partEvent('response.function_call_arguments.done', { arguments: json });
    this.#done(this.#callItem(json, 'completed'));
  }

  #callItem(written: string, status: WireItemStatus): WireFunctionCall | WireCustomCall {
    const { callId, form } = this.#call ?? { callId: '', form: { kind: 'function', name: '' } };
    const head = { id: this.#id, call_id: callId, name: form.name };
    if (form.kind === 'custom') return { type: 'custom_tool_call', ...head, input: written, status };
    const namespace = form.namespace === undefined ? {} : { namespace: form.namespace };
    return { type: 'function_call', ...head, ...namespace, arguments: written, status };
  }

  #open(state: State, prefix: string): void {
    this.#state = state;
    this.#index += 1;
    this.#id = `${prefix}_${this.context.replyId}${this.#index.toString(16).padStart(4, '0')}`;
    this.#text = [];
    this.#logprobs = [];
    this.#annotations = [];
  }

  #done(item: WireItem): void {
    this.#itemEvent('response.output_item.done', item);
    this.output.push(item);
    this.#state = 'none';
  }

  #joined(): string {
    const text = this.#text.join('');
    this.#text = [];
    return text;
  }

  #itemEvent(type: string, item: WireItem): void {
    this.emit({ type, output_index: this.#index, item });
  }

  #partEvent(type: string, fields: object): void {
    this.emit({ type, item_id: this.#id, output_index: this.#index, ...fields });
  }
}
