import ignore from 'ignore';

type Matcher = ReturnType<typeof ignore>;

/** The patterns of one `.gitignore`, and the folder that they count from. */
interface Level {
  readonly folder: string;
  readonly matcher: Matcher;
}

/** A longer pattern, or one with more stars, could be matched for ever, and is passed over. */
const longestPattern = 256;
const mostStars = 4;
/** Each is looked at for each file. */
const mostPatterns = 2_000;

/** What the `.gitignore` files from the root down to a folder say. */
export class GitIgnore {
  static readonly nothing = new GitIgnore([]);
  readonly #levels: readonly Level[];

  private constructor(levels: readonly Level[]) {
    this.#levels = levels;
  }

  /** With the file of a folder further down. */
  with(folder: string, text: string): GitIgnore {
    const patterns = text
      .split('\n')
      .filter((line) => line.length <= longestPattern && line.split('*').length - 1 <= mostStars)
      .slice(0, mostPatterns);
    return new GitIgnore([{ folder, matcher: ignore().add(patterns) }, ...this.#levels]);
  }

  /** Whether a path below all of these folders is ignored: the nearest file that says something counts. */
  ignores(path: string, isFolder: boolean): boolean {
    for (const { folder, matcher } of this.#levels) {
      const inner = folder === '' ? path : path.slice(folder.length + 1);
      const { ignored, unignored } = matcher.test(isFolder ? `${inner}/` : inner);
      if (ignored || unignored) return ignored;
    }
    return false;
  }
}
