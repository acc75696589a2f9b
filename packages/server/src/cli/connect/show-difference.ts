import { structuredPatch } from 'diff';

/**
 * The lines that would go and come, with those around them. Values that look like secrets are left out: this is read on
 * screens and kept in logs.
 */
export function showDifference(before: string, after: string): string {
  const { hunks } = structuredPatch('', '', before, after, undefined, undefined, { context: 2 });
  return hunks
    .flatMap(({ oldStart, lines }) => [
      `@@ line ${oldStart}`,
      ...lines.filter((line) => !line.startsWith('\\')).map(withoutSecret),
    ])
    .join('\n');
}

/** A name that means a secret, what may be between it and its value, and the value itself. */
const secret = /((?:key|token|secret|password|authorization|credential)\w*["']?\s*[:=]\s*)(["']?)([^"'\s,}][^"',}]*)/gi;
/** Words that only name a secret, or say that there is none. */
const harmless = /^(none|on|off|true|false|null|\{env:\w+|\$\{\{.*|[A-Z][A-Z0-9_]*_KEY|printenv \w+)$/;

/** `maxTokens: 4096` says how many there may be. */
function isCount(name: string, value: string): boolean {
  return /tokens["']?\s*[:=]\s*$/i.test(name) && /^\d+$/.test(value.trim());
}

function withoutSecret(line: string): string {
  return line.replace(secret, (whole, name: string, quote: string, value: string) =>
    harmless.test(value.trim()) || isCount(name, value) ? whole : `${name}${quote}…`,
  );
}
