import type { Mention, MentionKind } from './find-mentions.ts';
import type { Clause } from './split-clauses.ts';

/** What one call can be filled from. Mentions are used up, so that two parameters don't get the same one. */
export class Supply {
  readonly clause: Clause;
  /** The latest result's text, for "write it to …". */
  readonly latestResult: string | undefined;
  /** The directory that the prompt says work happens in, for parameters that want absolute paths. */
  readonly directory: string | undefined;
  readonly #left: Mention[];

  constructor(options: {
    readonly clause: Clause;
    readonly mentions: readonly Mention[];
    readonly latestResult?: string | undefined;
    readonly directory?: string | undefined;
  }) {
    this.clause = options.clause;
    this.latestResult = options.latestResult;
    this.directory = options.directory;
    this.#left = [...options.mentions];
  }

  /** Uses up and returns the first mention of the kinds, tried in their order. */
  take(...kinds: readonly MentionKind[]): string | undefined {
    for (const kind of kinds) {
      const index = this.#left.findIndex((mention) => mention.kind === kind);
      const [mention] = index === -1 ? [] : this.#left.splice(index, 1);
      if (mention !== undefined) return mention.text;
    }
    return undefined;
  }

  /** Uses up one mention of the clause and returns its text. */
  use(mention: Mention): string {
    const index = this.#left.indexOf(mention);
    if (index !== -1) this.#left.splice(index, 1);
    return mention.text;
  }

  /** Uses up and returns all mentions of the kinds. */
  takeAll(...kinds: readonly MentionKind[]): string[] {
    const taken: string[] = [];
    for (let text = this.take(...kinds); text !== undefined; text = this.take(...kinds)) taken.push(text);
    return taken;
  }

  has(...kinds: readonly MentionKind[]): boolean {
    return this.#left.some((mention) => kinds.includes(mention.kind));
  }
}
