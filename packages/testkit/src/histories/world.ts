import { createPlatform, type Platform, type PlatformQuestion } from '../upstreams/platform.ts';
import type { PlatformFault } from '../upstreams/platform-faults.ts';
import type { Act, ReplyPlan } from './act.ts';
import type { ClientStyle } from './client-style.ts';
import { argumentsOf } from './history-body.ts';
import { actOn, type ClientOptions, HistoryClient } from './history-client.ts';
import { Judge, type Judgement } from './judge.ts';
import { createMemoryGateway, type HistoryGateway } from './memory-gateway.ts';

export interface WorldOptions {
  readonly clients: readonly ClientOptions[];
  /** What clients may move to. */
  readonly styles: readonly ClientStyle[];
  /** The platform takes messages after its last reply only. */
  readonly linear: boolean;
  /** Default: the engine without HTTP. */
  readonly gateway?: (platform: Platform) => HistoryGateway;
}

/** Some clients before one platform. Acts happen one after the other; each request is judged. */
export class World {
  readonly #options: WorldOptions;
  readonly #clients: readonly HistoryClient[];
  readonly #platform: Platform;
  readonly #gateway: HistoryGateway;
  readonly #judge: Judge;
  /** What the model answers next. */
  #next: string | PlatformFault = '';
  #asked: PlatformQuestion | undefined;
  #begun = 0;
  #count = 100;

  constructor(options: WorldOptions) {
    this.#options = options;
    const fresh = () => {
      this.#count += 1;
      return this.#count;
    };
    this.#clients = options.clients.map((each) => new HistoryClient(each, fresh));
    this.#platform = createPlatform({
      linear: options.linear,
      mayRepeat: true,
      answer: (question) => {
        this.#asked = question;
        return this.#next;
      },
      begins: () => {
        this.#begun += 1;
        return undefined;
      },
    });
    this.#judge = new Judge({ platform: this.#platform, linear: options.linear });
    this.#gateway = options.gateway?.(this.#platform) ?? createMemoryGateway(this.#platform, options.linear);
  }

  /** One act; undefined where nothing was sent to the platform. */
  async act(act: Act): Promise<Judgement | undefined> {
    const client = this.#clients[act.client % this.#clients.length];
    if (client === undefined) return undefined;
    await this.#surround(client, act);
    actOn(client, act);
    const last = client.history.at(-1)?.kind;
    if (last === undefined || last === 'answered') return undefined;
    const reply = this.#replyOf(act.reply, act.choice);
    if (act.kind === 'elsewhere') {
      const callId = `elsewhere_${this.#count}`;
      const calls = reply.path === undefined ? [] : [{ callId, name: 'read', arguments: argumentsOf(reply.path) }];
      client.take({ text: reply.text, calls });
      return undefined;
    }
    this.#next = faultOf(act, reply.written);
    return this.#send(client);
  }

  async #send(client: HistoryClient): Promise<Judgement | undefined> {
    this.#asked = undefined;
    this.#begun = 0;
    const sending = client.request();
    const message = await this.#gateway.send(sending);
    const judgement = this.#judge.judge(client, {
      question: this.#asked,
      begun: this.#begun > 0,
      request: sending.request,
      broken: !message.complete,
    });
    if (message.complete) client.take(message);
    return judgement;
  }

  /** What happens around the client before it acts. */
  async #surround(client: HistoryClient, { kind, choice, client: at }: Act): Promise<void> {
    const { styles } = this.#options;
    if (kind === 'move') client.style = styles[choice % styles.length] ?? client.style;
    if (kind === 'other-model') client.model = client.model === 'm1' ? 'm2' : 'm1';
    if (kind === 'other-rules') client.rules = `rules${2 + (choice % 3)}`;
    if (kind === 'copy') this.#clients[(at + 1) % this.#clients.length]?.copy(client);
    if (kind === 'lose') this.#platform.forget();
    if (kind !== 'forget') return;
    await this.#gateway.forget();
    this.#judge.forget();
  }

  /** A reply in the model's own dialect. */
  #replyOf(
    plan: ReplyPlan,
    choice: number,
  ): { readonly text: string; readonly path?: string; readonly written: string } {
    this.#count += 1;
    const own = this.#count;
    const text = choice % 3 === 0 ? `said${1 + (choice % 2)}` : `said${own}`;
    const path = choice % 3 === 0 ? 'path1' : `path${own}`;
    switch (plan) {
      case 'common-text':
        return plain(`said${1 + (choice % 2)}`);
      case 'own-text':
        return plain(`said${own} ${'and more of it, '.repeat(4 + (choice % 10))}\n`);
      case 'common-call':
        return { text: '', path: 'path1', written: call('path1') };
      case 'two-calls':
        return { text: '', path, written: `${call(path)}\n${call('path2')}` };
      case 'text-and-call':
        return { text, path, written: `${text}\n${call(path)}` };
      default:
        return plan satisfies never;
    }
  }
}

const plain = (text: string) => ({ text, written: text });

const call = (path: string) => `<tool_call>\n{"name": "read", "arguments": ${argumentsOf(path)}}\n</tool_call>`;

function faultOf({ kind }: Act, written: string): string | PlatformFault {
  if (kind === 'cut') return { cut: written };
  return kind === 'refuse' ? { status: 429 } : written;
}
