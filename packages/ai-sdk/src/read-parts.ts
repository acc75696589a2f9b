import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4Warning,
} from '@ai-sdk/provider';
import { type ChatEvent, DragomanError, EventWriter, type Sink, type Stage } from '@dragoman/core';
import type { KeptMetadata } from './kept-metadata.ts';

type Part<Type extends LanguageModelV4StreamPart['type']> = Extract<LanguageModelV4StreamPart, { type: Type }>;

/**
 * Reads the parts of a model's reply: text, reasoning and native calls become chat events; what means nothing to the
 * engine goes to `pass` as it is. Native calls are taken whole.
 */
export class PartReader {
  readonly #events: EventWriter;
  readonly #stage: Stage<ChatEvent>;
  readonly #pass: Sink<LanguageModelV4StreamPart>;
  readonly #kept: KeptMetadata;
  readonly #warnings: readonly SharedV4Warning[];
  #begun = false;
  /** Calls that the provider runs itself, whose input passes. */
  readonly #passing = new Set<string>();

  constructor(options: {
    readonly stage: Stage<ChatEvent>;
    readonly pass: Sink<LanguageModelV4StreamPart>;
    readonly kept: KeptMetadata;
    /** What was done to the request. They are at the start of the reply. */
    readonly warnings: readonly SharedV4Warning[];
  }) {
    const { stage } = options;
    this.#stage = stage;
    this.#pass = options.pass;
    this.#kept = options.kept;
    this.#warnings = options.warnings;
    this.#events = new EventWriter((event) => stage.push(event));
    this.#events.start('reply', 'model');
  }

  read(part: LanguageModelV4StreamPart): void {
    if (!this.#begun) this.#begin(part.type === 'stream-start' ? part.warnings : []);
    switch (part.type) {
      case 'stream-start':
      case 'text-start':
      case 'ping':
        return;
      case 'text-delta':
        this.#events.text(part.delta);
        return;
      case 'text-end':
        this.#endText(part);
        return;
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        this.#readReasoning(part);
        return;
      case 'tool-input-start':
        if (part.providerExecuted === true) this.#passing.add(part.id);
        this.#passInput(part);
        return;
      case 'tool-input-delta':
      case 'tool-input-end':
        this.#passInput(part);
        return;
      case 'tool-call':
        this.#readCall(part);
        return;
      case 'finish':
        this.#readFinish(part);
        return;
      default:
        this.#pass(part);
    }
  }

  /** The model was stopped, because nothing more of its reply counts. What it has cost nobody knows then. */
  stop(): void {
    if (this.#kept.finish === undefined) {
      this.#readFinish({ type: 'finish', finishReason: { unified: 'stop', raw: undefined }, usage: unknownUsage });
    }
  }

  /** The stream is over, or has failed, which whoever reads it is told in another way. Without `finish` it was cut. */
  end(failure?: object): void {
    this.#kept.failed = failure !== undefined;
    this.#events.fail(new DragomanError('upstream-cut', 'The model stopped before its reply was finished.'));
    this.#stage.end();
  }

  #begin(warnings: readonly SharedV4Warning[]): void {
    this.#begun = true;
    this.#pass({ type: 'stream-start', warnings: [...warnings, ...this.#warnings] });
  }

  #endText({ providerMetadata, citations }: Part<'text-end'>): void {
    if (providerMetadata === undefined && citations === undefined) this.#events.closeBlock();
    else {
      const ending = { ...(providerMetadata && { providerMetadata }), ...(citations && { citations }) };
      this.#events.textEnd(this.#kept.keepEnding(ending));
    }
  }

  #readReasoning(part: Part<'reasoning-start' | 'reasoning-delta' | 'reasoning-end'>): void {
    if (part.type === 'reasoning-delta') this.#events.reasoning(part.delta);
    const metadata = this.#kept.gather(part.id, part.providerMetadata);
    if (part.type !== 'reasoning-end') return;
    if (metadata === undefined) this.#events.closeBlock();
    else this.#events.reasoningEnd(this.#kept.keepEnding({ providerMetadata: metadata }));
  }

  #passInput(part: Part<'tool-input-start' | 'tool-input-delta' | 'tool-input-end'>): void {
    if (this.#passing.has(part.id)) this.#pass(part);
  }

  #readCall(part: Part<'tool-call'>): void {
    if (part.providerExecuted === true) {
      this.#pass(part);
      return;
    }
    this.#kept.keepCall(part.toolCallId, part.providerMetadata);
    this.#events.callStart(part.toolCallId, part.toolName);
    this.#events.callDelta(part.input);
    this.#events.callEnd();
  }

  #readFinish(part: Part<'finish'>): void {
    this.#kept.finish = part;
    const { unified, raw } = part.finishReason;
    const cut = cutOf(unified);
    if (cut !== undefined) this.#events.fail(cut);
    else this.#events.end(unified === 'length' || unified === 'content-filter' ? unified : 'stop', raw);
  }
}

const unknownUsage: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/** A reply that did not come to its end: what is open in it is not whole. */
function cutOf(unified: LanguageModelV4FinishReason['unified']): DragomanError | undefined {
  if (unified !== 'error' && unified !== 'interrupted') return undefined;
  return new DragomanError('upstream-cut', `The model's reply ended with "${unified}".`);
}
