/** Replaces what must not be told. */
export interface Redact {
  (text: string): string;
  /** What it knows: another value once it has been told more secrets. Absent where that never happens. */
  readonly knows?: () => unknown;
}

/** How deep JSON text is in JSON text: arguments of a call in a body, in a frame. */
const depth = 3;

/** Secrets shorter than this are too likely to be ordinary words. */
const shortest = 4;

const none: readonly string[] = [];

/**
 * Takes the configured secrets out of any text, such as an upstream's complaint that quotes the key it was sent; also as
 * they are in JSON, where some servers write `\/` for a slash. `renewed` has the secrets that came later; it is the same
 * list as long as it holds the same.
 */
export function createRedact(secrets: readonly string[], renewed: () => readonly string[] = () => none): Redact {
  let latest = renewed();
  let known = spellingsOf([...secrets, ...latest]);
  const knows = () => {
    if (renewed() !== latest) {
      latest = renewed();
      known = spellingsOf([...secrets, ...latest]);
    }
    return known;
  };
  const redact = (text: string) =>
    knows().reduce((rest, secret) => (rest.includes(secret) ? rest.replaceAll(secret, () => '[secret]') : rest), text);
  return Object.assign(redact, { knows });
}

/** Each secret in every way in which it may be in a text, the longest first. */
function spellingsOf(secrets: readonly string[]): readonly string[] {
  return secrets
    .filter((secret) => secret.length >= shortest)
    .flatMap(formsOf)
    .sort((a, b) => b.length - a.length);
}

/** A secret as it is, and as JSON writes it at every depth. */
function formsOf(secret: string): readonly string[] {
  const forms = new Set([secret]);
  let inJson = secret;
  for (let level = 0; level < depth; level += 1) {
    inJson = JSON.stringify(inJson).slice(1, -1);
    forms.add(inJson).add(inJson.replaceAll('/', '\\/'));
  }
  return [...forms];
}
