import { type Departure, Departures } from '../departures.ts';
import { type Fields, isFields, readJson } from '../read-json.ts';
import { sseBlocks } from '../sse-blocks.ts';
import { checkTotal } from './common-checks.ts';

/** What one API's chunks look like. */
export interface ChunkRules {
  readonly idPrefix: string;
  readonly object: string;
  /** What Dragoman's own chunks hold besides. */
  readonly fixed: Fields;
  readonly finishReasons: readonly unknown[];
  /** The client asked for usage. */
  readonly includeUsage: boolean;
  /** Looks at what else is in a choice. */
  choice(choice: Fields, isFinal: boolean): void;
}

/** The rules that streams of Chat Completions and of Completions have in common. */
export class ChunkStream {
  readonly #out: Departures;
  readonly #rules: ChunkRules;
  #identity: Fields | undefined;
  #usages = 0;
  #errors = 0;
  #finish: string | undefined;
  #done = false;

  constructor(out: Departures, rules: ChunkRules) {
    this.#out = out;
    this.#rules = rules;
  }

  /** How many error frames have come. */
  get errors(): number {
    return this.#errors;
  }

  /** The reason of the final chunk, once that has come. */
  get finish(): string | undefined {
    return this.#finish;
  }

  read(stream: string): void {
    const out = this.#out;
    for (const { event, data, comments } of sseBlocks(stream, out)) {
      if (comments.some((comment) => comment.startsWith('ping'))) out.note('a comment starts with ": ping"');
      if (event !== undefined) out.note('is not one "data: " line');
      if (data !== undefined) this.#data(data);
    }
    if (!this.#done) out.report(this.#errors > 0 ? 'form' : 'violation', '[DONE] is missing');
    if (this.#finish === undefined) out.report(this.#errors > 0 ? 'form' : 'violation', 'no finish reason came');
    if (this.#rules.includeUsage && this.#usages === 0 && this.#errors === 0) out.violate('usage is missing');
    if (this.#errors > 0 && this.#finish === 'stop') out.violate('a failed reply finished with stop');
  }

  #data(data: string): void {
    if (this.#done) this.#out.violate('[DONE] is not the last event');
    if (data === '[DONE]') {
      this.#done = true;
      return;
    }
    const value = readJson(data);
    if (value === undefined) this.#out.violate('is not JSON');
    else if (!isFields(value)) this.#out.violate('is not an object');
    else {
      if (JSON.stringify(value) !== data) this.#out.form('is not compact JSON');
      if (value.choices === undefined) this.#errorFrame(value);
      else this.#chunk(value);
    }
  }

  #errorFrame(value: Fields): void {
    this.#errors += 1;
    if (!isFields(value.error)) {
      this.#out.violate('has neither choices nor only an error object');
      return;
    }
    if (Object.keys(value).join() !== 'error') this.#out.note('has more than an error object');
    const { message } = value.error;
    if (typeof message !== 'string') this.#out.violate('error.message is not a string');
    if (message === '') this.#out.note('error.message is empty');
    for (const field of ['type', 'param', 'code']) {
      if (typeof value.error[field] !== 'string') this.#out.form(`error.${field} is not a string`);
    }
  }

  #chunk(chunk: Fields): void {
    const out = this.#out;
    const { idPrefix, object, fixed } = this.#rules;
    if (typeof chunk.id !== 'string') out.violate('id is not a string');
    else if (!chunk.id.startsWith(idPrefix)) out.form(`id is not ${idPrefix}…`);
    if (chunk.object !== object) out.violate(`object is not ${object}`);
    if (!Number.isInteger(chunk.created)) out.violate('created is not whole seconds');
    if (typeof chunk.model !== 'string') out.violate('model is not a string');
    for (const [field, value] of Object.entries(fixed)) {
      if (chunk[field] !== value) out.form(`${field} is not ${value}`);
    }
    if ('error' in chunk) out.note('has error beside choices');
    this.#identify(chunk);
    if (!Array.isArray(chunk.choices)) {
      out.violate('choices is not a list');
      return;
    }
    if ('usage' in chunk || chunk.choices.length === 0) this.#usage(chunk.usage, chunk.choices.length === 0);
    if (chunk.choices.length > 1) out.violate('has more than one choice');
    const choice: unknown = chunk.choices[0];
    if (isFields(choice)) this.#choice(choice);
    else if (chunk.choices.length > 0) out.violate('the choice is not an object');
  }

  #identify({ id, created, model }: Fields): void {
    this.#identity ??= { id, created, model };
    const first = this.#identity;
    if (id === first.id && created === first.created && model === first.model) return;
    const level = id === first.id ? 'note' : 'violation';
    this.#out.report(level, 'id, created or model differ from the chunks before');
  }

  #usage(usage: unknown, alone: boolean): void {
    const out = this.#out;
    if (usage === undefined || usage === null) {
      out.form(alone ? 'choices are empty without usage' : 'usage is on a chunk with choices');
      return;
    }
    this.#usages += 1;
    if (!alone) out.note('usage is on a chunk with choices');
    else if (this.#finish === undefined) out.note('usage comes before the final chunk');
    if (!this.#rules.includeUsage) out.note('usage was not asked for');
    if (this.#usages > 1) out.note('usage comes twice');
    checkCounts(usage, out);
  }

  #choice(choice: Fields): void {
    const out = this.#out;
    if (this.#finish !== undefined) out.violate('a choice comes after the final chunk');
    if (choice.index !== 0) out.violate('the index of the choice is not 0');
    if (choice.logprobs !== null) out.form('logprobs is not null');
    const reason = choice.finish_reason ?? null;
    this.#rules.choice(choice, reason !== null);
    if (reason === null) return;
    if (!this.#rules.finishReasons.includes(reason)) out.violate('the finish reason is not known');
    this.#finish = String(reason);
  }
}

function checkCounts(usage: unknown, out: Departures): void {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = isFields(usage) ? usage : {};
  checkTotal([prompt, completion], total, out, 'note');
}

/** What a whole answer with choices is held to, and what looks at the choice. */
export interface WholeRules extends Pick<ChunkRules, 'object' | 'finishReasons'> {
  choice(choice: Fields, out: Departures): void;
}

/** The rules that whole answers of Chat Completions and of Completions have in common. */
export function checkWhole(body: unknown, { object, finishReasons, choice: check }: WholeRules): readonly Departure[] {
  const out = new Departures();
  if (!isFields(body)) {
    out.violate('the body is not an object');
    return out.all();
  }
  if (typeof body.id !== 'string' || body.id === '') out.violate('id is not a string');
  if (body.object !== object) out.violate(`object is not ${object}`);
  if (!Number.isInteger(body.created)) out.violate('created is not whole seconds');
  if (typeof body.model !== 'string') out.violate('model is not a string');
  if (body.usage === undefined || body.usage === null) out.note('usage is missing');
  else checkCounts(body.usage, out);
  const choice: unknown = Array.isArray(body.choices) ? body.choices[0] : undefined;
  if (!isFields(choice)) out.violate('choices is not a list with a choice');
  else {
    if (choice.index !== 0) out.violate('the index of the choice is not 0');
    if (!finishReasons.includes(choice.finish_reason)) out.violate('the finish reason is not known');
    check(choice, out);
  }
  return out.all();
}
