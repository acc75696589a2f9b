import { type ChatRequest, clientWires } from '@dragoman/core';
import type { Act, ActKind } from './act.ts';
import type { ClientStyle } from './client-style.ts';
import { type Asked, type Entry, openCalls } from './history.ts';
import { historyBody } from './history-body.ts';
import { marksIn } from './marks.ts';
import type { Received, Sending } from './memory-gateway.ts';

/** What a client is at its beginning. */
export interface ClientOptions {
  /** Its key. */
  readonly owner: string;
  readonly style: ClientStyle;
  /** The mark of its system text; empty: none. */
  readonly rules: string;
  /** Where its tools work: the same file holds something else elsewhere. */
  readonly workspace: number;
}

/** Numbers that nobody has used yet. */
export type FreshNumber = () => number;

/** A client with one conversation at a time. It remembers the conversation as it was, and writes it as its style says. */
export class HistoryClient {
  readonly owner: string;
  readonly #workspace: number;
  readonly #fresh: FreshNumber;
  style: ClientStyle;
  rules: string;
  model = 'm1';
  history: Entry[] = [];
  name: string;
  /** Marks of blocks and system texts that it has sent in this conversation. */
  readonly sent = new Set<string>();
  /** Results that it holds back until the next request. */
  #late: Entry[] = [];
  #turn = 0;

  constructor({ owner, style, rules, workspace }: ClientOptions, fresh: FreshNumber) {
    this.owner = owner;
    this.style = style;
    this.rules = rules;
    this.#workspace = workspace;
    this.#fresh = fresh;
    this.name = `conversation ${fresh()}`;
  }

  /** Begins another conversation. */
  begin(): void {
    this.history = [];
    this.#late = [];
    this.sent.clear();
    this.name = `conversation ${this.#fresh()}`;
  }

  /** Goes on with a copy of another client's conversation. */
  copy(other: HistoryClient): void {
    this.begin();
    this.history = [...other.history];
    for (const mark of other.sent) this.sent.add(mark);
  }

  /** Adds what comes next: results of open calls, or words. */
  goOn(options: { readonly common?: boolean; readonly oneResult?: boolean } = {}): void {
    if (this.history.length > 0 && this.history.at(-1)?.kind !== 'answered') return;
    const results = openCalls(this.history).map(({ id, path }): Entry => {
      const file = Number(path.slice('path'.length));
      return { kind: 'returned', id, text: `result${file < 100 ? file * 10 + this.#workspace : file}` };
    });
    const late = this.#late;
    this.#late = options.oneResult === true ? results.slice(1) : [];
    const now = options.oneResult === true ? results.slice(0, 1) : results;
    this.history.push(...late, ...now);
    if (now.length > 0) return;
    const after = this.style.blocks === 'changing-kept' ? [this.#block(this.#fresh())] : [];
    const text = options.common === true ? 'user1' : `user${this.#fresh()}`;
    this.history.push({ kind: 'asked', text, front: [], after });
  }

  /** What the client would send now. */
  request(): Sending {
    this.#turn += 1;
    const { style, rules, model } = this;
    const shown = this.#withBlocks();
    const body = historyBody(shown, { model: `platform/${model}`, rules, style, turn: this.#turn });
    const text = JSON.stringify(body);
    for (const mark of marksIn(text, 'block', 'rules')) this.sent.add(mark);
    const read = clientWires.get(style.wire)?.readRequest(JSON.parse(text));
    if (read === undefined) throw new Error(`There is no client wire ${style.wire}.`);
    const { owner, name } = this;
    const request: ChatRequest = { ...read, stream: true, includeUsage: false };
    const sending = { owner, wire: style.wire, body };
    return style.named ? { ...sending, request: { ...request, conversation: name }, name } : { ...sending, request };
  }

  take({ text, calls }: Pick<Received, 'text' | 'calls'>): void {
    const made = calls.map(({ callId, arguments: given }) => ({ id: callId, path: String(JSON.parse(given).path) }));
    this.history.push({ kind: 'answered', text, calls: made });
  }

  /** Forgets everything after the last input. */
  dropAnswer(): void {
    if (this.history.at(-1)?.kind === 'answered') this.history.pop();
  }

  /** Changes one of the user's messages; what followed stays where `keep` is set. */
  edit(choice: number, keep: boolean): void {
    const asked = this.#asked();
    const at = asked[choice % Math.max(1, asked.length)];
    if (at === undefined) return;
    const entry = this.history[at];
    if (entry?.kind !== 'asked') return;
    const edited: Asked = { ...entry, text: `user${this.#fresh()}` };
    const after = keep ? this.history.slice(at + 1) : [];
    if (!keep) this.#late = [];
    this.history = [...this.history.slice(0, at), edited, ...after];
  }

  /** Leaves out the steps before one of the user's messages; a summary may be in their place. */
  shorten(choice: number, summary: boolean): void {
    const asked = this.#asked().slice(1);
    const at = asked[choice % Math.max(1, asked.length)];
    if (at === undefined || this.#late.length > 0) return;
    const rest = this.history.slice(at);
    const calls = new Set(rest.flatMap((entry) => (entry.kind === 'answered' ? entry.calls.map(({ id }) => id) : [])));
    const kept = rest.filter((entry) => entry.kind !== 'returned' || calls.has(entry.id));
    const told: Asked = { kind: 'asked', text: `user${this.#fresh()}`, front: [], after: [] };
    this.history = summary ? [told, ...kept] : kept;
  }

  #asked(): readonly number[] {
    return this.history.flatMap(({ kind }, at) => (kind === 'asked' ? [at] : []));
  }

  /** The history with the blocks that the style shows beside what is remembered. */
  #withBlocks(): readonly Entry[] {
    const { blocks } = this.style;
    const first = this.history.findIndex(({ kind }) => kind === 'asked');
    const newest = this.history.at(-1)?.kind === 'asked' ? this.history.length - 1 : -1;
    const constant = 1 + this.#workspace;
    const shown = {
      none: undefined,
      'changing-kept': undefined,
      'constant-newest': { at: newest, mark: constant, front: false },
      'changing-newest': { at: newest, mark: this.#fresh(), front: false },
      'first-constant': { at: first, mark: constant, front: true },
      'first-changing': { at: first, mark: this.#fresh(), front: true },
    }[blocks];
    if (shown === undefined) return this.history;
    const block = this.#block(shown.mark);
    return this.history.map((entry, at) => {
      if (at !== shown.at || entry.kind !== 'asked') return entry;
      return shown.front ? { ...entry, front: [block, ...entry.front] } : { ...entry, after: [...entry.after, block] };
    });
  }

  #block(mark: number): string {
    const { tag } = this.style;
    return tag === '' ? `The editor shows block${mark}.` : `<${tag}>\nIt is block${mark}.\n</${tag}>`;
  }
}

type OwnAct = (client: HistoryClient, choice: number) => void;

/** What acts do to the client's own history; all others only go on. */
const ownActs: { readonly [Kind in ActKind]?: OwnAct } = {
  begin: (client, choice) => {
    client.begin();
    client.goOn({ common: choice % 2 === 0 });
  },
  retry: (client) => client.dropAnswer(),
  edit: (client, choice) => client.edit(choice, false),
  'edit-in-place': (client, choice) => {
    client.edit(choice, true);
    client.goOn();
  },
  trim: (client, choice) => {
    client.shorten(choice, false);
    client.goOn();
  },
  compact: (client, choice) => {
    client.shorten(choice, true);
    client.goOn();
  },
  'go-on-commonly': (client) => client.goOn({ common: true }),
  'result-by-result': (client) => client.goOn({ oneResult: true }),
};

/** Does an act to a client's history, before it sends. */
export function actOn(client: HistoryClient, { kind, choice }: Pick<Act, 'kind' | 'choice'>): void {
  const act = ownActs[kind] ?? ((same: HistoryClient) => same.goOn());
  act(client, choice);
}
