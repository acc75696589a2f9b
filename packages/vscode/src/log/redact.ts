import { isObject } from '../read-fields.ts';

/** Names of fields and headers that hold secrets. */
const secretNames = ['authorization', 'api-key', 'apikey', 'x-api-key', 'token', 'secret', 'password', 'cookie'];
/** How keys begin, by the vendors that give them. */
const keyStarts = ['sk-', 'sk_', 'vck_', 'Bearer ', 'ghp_', 'github_pat_', 'hf_', 'AIza', 'xai-', 'gsk_'];

/** A value without secrets: those of fields that hold them, and everything that looks like a key in a text. */
export function redact(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(redact);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      typeof each === 'string' && isSecret(name) ? '[redacted]' : redact(each),
    ]),
  );
}

const isSecret = (name: string) => {
  const lower = name.toLowerCase();
  return secretNames.some((secret) => lower === secret || lower.endsWith(`-${secret}`) || lower.endsWith(`_${secret}`));
};

/** Keys in a text, as errors of servers repeat them. */
export function redactText(text: string): string {
  let said = text;
  for (const start of keyStarts) {
    let at = said.indexOf(start);
    while (at >= 0) {
      let end = at + start.length;
      while (end < said.length && isKeyCharacter(said.charCodeAt(end))) end += 1;
      const isKey = end - at - start.length >= 12;
      if (isKey) said = `${said.slice(0, at)}${start}[redacted]${said.slice(end)}`;
      at = said.indexOf(start, at + start.length + (isKey ? '[redacted]'.length : 0));
    }
  }
  return said;
}

const isKeyCharacter = (code: number) =>
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  code === 45 ||
  code === 95 ||
  code === 46;
