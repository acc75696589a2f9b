import type { ListedModel } from './read-model.ts';

/** How long a list is good, in milliseconds. */
const lifetime = 5 * 60_000;

interface Cached {
  models: readonly ListedModel[];
  at: number;
  /** The question that is under way, which everybody who asks meanwhile shares. */
  asked?: Promise<readonly ListedModel[]>;
}

export interface ModelListOptions {
  /** Milliseconds. */
  readonly now?: () => number;
}

/**
 * The lists of models of all endpoints, each for five minutes. VS Code asks often; a server is asked once. Where it does not
 * answer, the last list stays, so that no model disappears because of one failure.
 */
export class ModelLists {
  readonly #lists = new Map<string, Cached>();
  readonly #now: () => number;

  constructor({ now = Date.now }: ModelListOptions = {}) {
    this.#now = now;
  }

  /** `ask` brings the list of an endpoint; nothing where it cannot be had. */
  async get(endpoint: string, ask: () => Promise<readonly ListedModel[] | undefined>): Promise<readonly ListedModel[]> {
    const cached = this.#lists.get(endpoint) ?? { models: [], at: Number.NEGATIVE_INFINITY };
    this.#lists.set(endpoint, cached);
    if (this.#now() - cached.at < lifetime) return cached.models;
    cached.asked ??= this.#ask(cached, ask);
    return cached.asked;
  }

  async #ask(cached: Cached, ask: () => Promise<readonly ListedModel[] | undefined>) {
    try {
      const models = await ask();
      if (models !== undefined) {
        cached.models = models;
        cached.at = this.#now();
      }
    } finally {
      delete cached.asked;
    }
    return cached.models;
  }

  /** After a change of keys or addresses, or when a person asks for it: the next question goes to the server. */
  clear(): void {
    for (const cached of this.#lists.values()) cached.at = Number.NEGATIVE_INFINITY;
  }
}

/** Whether a text fits a pattern in which `*` stands for anything; upper and lower case are alike. */
export function fits(text: string, pattern: string): boolean {
  const said = text.toLowerCase();
  const [first = '', ...rest] = pattern.toLowerCase().split('*');
  if (rest.length === 0) return said === first;
  if (!said.startsWith(first)) return false;
  const last = rest.pop() ?? '';
  let at = first.length;
  for (const piece of rest) {
    const found = said.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return said.length - last.length >= at && said.endsWith(last);
}

/** A model is shown if some pattern allows one of its names, or none is given, and none denies any of them. */
export function isAllowed(
  names: readonly string[],
  { allow, deny }: { readonly allow: readonly string[]; readonly deny: readonly string[] },
): boolean {
  const some = (patterns: readonly string[]) => patterns.some((pattern) => names.some((name) => fits(name, pattern)));
  return (allow.length === 0 || some(allow)) && !some(deny);
}
