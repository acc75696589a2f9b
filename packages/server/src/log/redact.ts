/** Replaces what must not be told. */
export type Redact = (text: string) => string;

/** Secrets shorter than this are too likely to be ordinary words. */
const shortest = 4;

/**
 * Takes the configured secrets out of any text, such as an upstream's complaint that quotes the key it was sent; also as
 * they stand in JSON, where some servers write `\/` for a slash.
 */
export function createRedact(secrets: readonly string[]): Redact {
  const known = secrets
    .filter((secret) => secret.length >= shortest)
    .flatMap((secret) => {
      const inJson = JSON.stringify(secret).slice(1, -1);
      return [...new Set([secret, inJson, inJson.replaceAll('/', '\\/')])];
    })
    .sort((a, b) => b.length - a.length);
  return (text) => known.reduce((rest, secret) => rest.split(secret).join('[secret]'), text);
}
