import type { LanguageModelV4FilePart, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { Extra, ImagePart } from '@dragoman/core';

/**
 * What of a prompt only the SDK and its providers understand, kept while the conversation is written as text. The chat
 * model carries a mark for each (an `Extra`, or an image), which stays the same object however messages are put together.
 */
export class KeptParts {
  readonly #options = new Map<Extra, SharedV4ProviderOptions>();
  readonly #files = new Map<ImagePart, LanguageModelV4FilePart>();

  /** The field that carries `providerOptions`; none where there are none. */
  mark(options: SharedV4ProviderOptions | undefined): { readonly extra?: Extra } {
    if (options === undefined) return {};
    const extra: Extra = {};
    this.#options.set(extra, options);
    return { extra };
  }

  /** The field that `mark` has hidden. */
  optionsOf(marked: { readonly extra?: Extra }): { providerOptions?: SharedV4ProviderOptions } {
    const options = marked.extra && this.#options.get(marked.extra);
    return options === undefined ? {} : { providerOptions: options };
  }

  /** A file of any type, as the chat model's image. */
  keepFile(file: LanguageModelV4FilePart): ImagePart {
    const image: ImagePart = { type: 'image', url: `data:${file.mediaType}` };
    this.#files.set(image, file);
    return image;
  }

  fileOf(image: ImagePart): LanguageModelV4FilePart | undefined {
    return this.#files.get(image);
  }
}
