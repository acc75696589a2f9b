import type { LanguageModelV4Citation, LanguageModelV4StreamPart, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import type { Extra } from '@dragoman/core';

/** What a provider says of a block when it is over. */
export interface Ending {
  readonly providerMetadata?: SharedV4ProviderMetadata;
  readonly citations?: LanguageModelV4Citation[];
}

/** What of a reply only the SDK and its providers understand, kept while the engine reads the rest. */
export class KeptMetadata {
  /** How the reply ended, as the provider said it. */
  finish: Extract<LanguageModelV4StreamPart, { type: 'finish' }> | undefined;
  /** Its stream has failed, and fails whoever reads it: no part needs to say so. */
  failed = false;
  readonly #endings = new Map<Extra, Ending>();
  readonly #calls = new Map<string, SharedV4ProviderMetadata>();
  readonly #gathered = new Map<string, SharedV4ProviderMetadata>();

  /** The mark that events carry for it. */
  keepEnding(ending: Ending): Extra {
    const mark: Extra = {};
    this.#endings.set(mark, ending);
    return mark;
  }

  endingOf(mark: Extra | undefined): Ending {
    return (mark && this.#endings.get(mark)) ?? {};
  }

  /** All that was said of a block so far; later words count for more. */
  gather(id: string, metadata: SharedV4ProviderMetadata | undefined): SharedV4ProviderMetadata | undefined {
    if (metadata !== undefined) this.#gathered.set(id, { ...this.#gathered.get(id), ...metadata });
    return this.#gathered.get(id);
  }

  keepCall(callId: string, metadata: SharedV4ProviderMetadata | undefined): void {
    if (metadata !== undefined) this.#calls.set(callId, metadata);
  }

  ofCall(callId: string): Ending {
    const metadata = this.#calls.get(callId);
    return metadata === undefined ? {} : { providerMetadata: metadata };
  }
}
