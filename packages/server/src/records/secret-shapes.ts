import type { Redact } from '../log/redact.ts';

/** A form by which a secret is known without knowing the secret. Each pattern takes time linear in the text. */
interface SecretShape {
  readonly pattern: RegExp;
  /** Whether what was found is one after all. Default: it is. */
  readonly fits?: (found: string) => boolean;
  /** Whether it may be within a word. Default: it may not; `task-…` holds `sk-` and is no key. */
  readonly anywhere?: true;
  /** What takes its place. Default: `[secret]`. */
  readonly instead?: string;
  /** So many characters at the beginning of what was found are no secret and stay. */
  readonly stays?: number;
}

/** Shapes that can only be where something else is, which is found in one look for all of them. */
interface ShapeGroup {
  readonly mark?: RegExp;
  readonly shapes: readonly SecretShape[];
}

const groups: readonly ShapeGroup[] = [
  {
    // One character first, and what is before it: that is the fastest look.
    mark: /[-_](?<=(?:sk|glpat|xai|xox[a-z]|----)-|(?:gh[opsur]|github_pat|hf|npm|gsk|[rs]k_(?:live|test))_)/,
    shapes: [
      // OpenAI, Anthropic, OpenRouter, DeepSeek and many others
      { pattern: /sk-[\w-]{16,}/g },
      // GitHub, GitLab, Hugging Face, npm, Groq, xAI, Slack, Stripe
      { pattern: /gh[opsur]_\w{20,}/g },
      { pattern: /github_pat_\w{20,}/g },
      { pattern: /glpat-[\w-]{16,}/g },
      { pattern: /hf_[A-Za-z0-9]{20,}/g },
      { pattern: /npm_[A-Za-z0-9]{30,}/g },
      { pattern: /gsk_[A-Za-z0-9]{20,}/g },
      { pattern: /xai-[A-Za-z0-9]{20,}/g },
      { pattern: /xox[a-z]-[\w-]{10,}/g },
      { pattern: /[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g },
      { pattern: /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g },
    ],
  },
  {
    mark: /A(?:KIA|SIA|Iza)|ya29\.|eyJ|[Bb]earer /,
    shapes: [
      // Amazon, Google
      { pattern: /A(?:KIA|SIA)[0-9A-Z]{16}/g },
      { pattern: /AIza[\w-]{30,}/g },
      { pattern: /ya29\.[\w-]{20,}/g },
      // A JSON web token has three parts
      { pattern: /eyJ[\w-]*(?:\.[\w-]+)*/g, fits: (found) => found.length > 40 && found.split('.').length >= 3 },
      { pattern: /[Bb]earer [\w.~+/=-]{16,}/g, anywhere: true, stays: 'Bearer '.length },
    ],
  },
  {
    // The password in an address
    shapes: [{ pattern: /:\/\/[^\s/:@"\\]{1,100}:[^\s/@"\\]{1,200}@/g, anywhere: true, instead: '://[secret]@' }],
  },
];

/** What may be in a word before a secret without making it part of that word: the letter of an escape in JSON. */
const jsonEscape = /\\(?:[nrtbf]|u[0-9a-f]{4})$/;

/**
 * Takes out of a text what looks like a secret, whoever's it is: keys of well-known services, tokens, private keys and
 * passwords in addresses. What has no such form stays.
 */
export const redactShapes: Redact = (text) =>
  groups.reduce(
    (rest, { mark, shapes }) => (mark === undefined || mark.test(rest) ? shapes.reduce(without, rest) : rest),
    text,
  );

function without(text: string, { pattern, fits, anywhere, instead = '[secret]', stays = 0 }: SecretShape): string {
  return text.replace(pattern, (found, at: number, whole: string) =>
    (anywhere || startsWord(whole, at)) && (fits?.(found) ?? true) ? found.slice(0, stays) + instead : found,
  );
}

function startsWord(text: string, at: number): boolean {
  const before = text.charAt(at - 1);
  return !/[A-Za-z0-9]/.test(before) || jsonEscape.test(text.slice(Math.max(0, at - 6), at));
}
