import type { ChatEvent } from '@dragoman/core';
import type { ResponseEvent } from './event-types.ts';
import type { Log } from './log.ts';
import { readResponse } from './read-event.ts';
import { isObject } from './read-values.ts';
import type { ReplyPart } from './reply-part.ts';
import type { OutputItem, ResponseResource } from './response-types.ts';

/** What core's events of this API carry in `extra` under this name. */
const wire = 'openai-responses';

/** Chat events of one answer as its parts, and the whole answer after them. */
export class PartWriter {
  readonly #log: Log;
  /** The answer, as the last event that tells of all of it had it. */
  #response: ResponseResource | undefined;
  /** The items that came whole, by place. */
  readonly #items = new Map<number, OutputItem>();
  #refuses = false;
  #call = { callId: '', name: '' };
  /** A call was cut. Core tells what was written for it as the text that follows. */
  #cut: 'no' | 'cut' | 'telling' = 'no';
  #written: string[] = [];
  #over = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** `end` has been written. */
  get over(): boolean {
    return this.#over;
  }

  /** An event of which the whole answer is made. */
  hear(event: ResponseEvent): void {
    if ('response' in event) this.#response = event.response;
    else if (event.type === 'response.output_item.done' && event.item !== null) {
      this.#items.set(event.output_index, event.item);
    }
  }

  write(event: ChatEvent): readonly ReplyPart[] {
    if (this.#cut === 'no' || event.type === 'warning') return this.#writeOne(event);
    if (this.#cut === 'cut' && event.type === 'text-start') this.#cut = 'telling';
    else if (event.type === 'text-delta') this.#written.push(event.text);
    else {
      const parts = [this.#cutCall()];
      return event.type === 'text-end' ? parts : [...parts, ...this.#writeOne(event)];
    }
    return [];
  }

  #cutCall(): ReplyPart {
    const part: ReplyPart = { type: 'call-cut', ...this.#call, arguments: this.#written.join('') };
    this.#cut = 'no';
    this.#written = [];
    return part;
  }

  #writeOne(event: ChatEvent): readonly ReplyPart[] {
    switch (event.type) {
      case 'text-start':
        this.#refuses = event.refusal === true;
        return [];
      case 'text-delta':
        return event.text === '' ? [] : [{ type: this.#refuses ? 'refusal' : 'text', text: event.text }];
      case 'reasoning-delta':
        return [{ type: 'reasoning', text: event.text }];
      case 'text-end': {
        const annotations = event.extra?.[wire]?.annotations;
        const known = Array.isArray(annotations) ? annotations.filter(isObject) : [];
        return known.length === 0 ? [] : [{ type: 'annotations', annotations: known }];
      }
      case 'reasoning-end': {
        const encrypted = event.extra?.[wire]?.encrypted_content;
        return typeof encrypted === 'string' ? [{ type: 'reasoning-sealed', encrypted }] : [];
      }
      case 'tool-call-start':
        this.#call = { callId: event.callId, name: event.name };
        return [];
      case 'tool-call-end':
        return [{ type: 'call', ...this.#call, arguments: event.arguments }];
      case 'tool-call-cut':
        this.#cut = 'cut';
        return [];
      case 'usage':
        return [{ type: 'usage', usage: event.usage }];
      case 'warning':
        // What only events and the whole answer tell is no reason to worry.
        this.#log({ level: event.warning.code === 'field-dropped' ? 'debug' : 'warn', message: event.warning.message });
        return [];
      case 'message-end':
        this.#over = true;
        return [{ type: 'end', reason: event.finishReason, response: this.#whole() }];
      default:
        return [];
    }
  }

  /** Servers that leave the output out of their last event, or have none, have told its items before. */
  #whole(): ResponseResource {
    const said = this.#response ?? readResponse({});
    const isOpen = said.status === 'in_progress' || said.status === 'queued';
    const response: ResponseResource = isOpen ? { ...said, status: 'completed' } : said;
    if (response.output.length > 0 || this.#items.size === 0) return response;
    const places = [...this.#items].sort(([one], [other]) => one - other);
    return { ...response, output: places.map(([, item]) => item) };
  }
}
