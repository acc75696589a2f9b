import type { JsonPath } from '../value-at.ts';

/**
 * A request as a template. In texts anywhere in `body`, and in `path`, `{{model}}`, `{{conversation}}`, `{{parent}}`, `{{text}}`
 * and `{{system}}` stand for what they name. A text that is nothing but a placeholder becomes `null` where there is no value;
 * within a longer text it becomes nothing.
 */
export interface RequestTemplate {
  /** Appended to the base URL; values in it are encoded. */
  readonly path: string;
  /** JSON. */
  readonly body: unknown;
}

/** What a server that keeps conversations wants to hear, and where its answers hold what. */
export interface ConversationDescription {
  /** How a conversation is begun. Absent: the first message begins it, with neither conversation nor parent. */
  readonly create?: RequestTemplate & { readonly id: JsonPath };
  /** The message that begins a conversation, where it differs from others. Not beside `create`. */
  readonly first?: RequestTemplate;
  readonly send: RequestTemplate;
  readonly framing: 'sse' | 'ndjson';
  readonly reply: {
    readonly text: JsonPath;
    readonly reasoning?: JsonPath;
    /** The conversation's id, in any frame. */
    readonly conversation?: JsonPath;
    /** What the next message has to name as its parent, in any frame; the last one counts. */
    readonly parent?: JsonPath;
    /** Where a frame says that something went wrong. */
    readonly error?: JsonPath;
    /**
     * The frame that ends a reply: whatever is there, or only this text. `[DONE]` always ends one. Absent: a stream that
     * closes well has ended, too.
     */
    readonly end?: { readonly path: JsonPath; readonly is?: string };
    /** Each frame repeats all text so far. Absent: found out (`growing-text.ts`). */
    readonly cumulative?: boolean;
  };
  /** How an answer says that the conversation or the parent is not there any more. */
  readonly lost: {
    readonly statuses: readonly number[];
    /** Words in the body of any refusal. */
    readonly words: readonly string[];
  } /** How an answer says that the conversation is busy with another message. */;
  readonly busy: {
    readonly statuses: readonly number[];
    /** Words in the body of any refusal. */
    readonly words: readonly string[];
  };
}

/** What stands for each placeholder; undefined where there is nothing yet. */
interface TemplateValues {
  readonly model: string;
  readonly conversation?: string | undefined;
  readonly parent?: string | undefined;
  readonly text?: string | undefined;
  readonly system?: string | undefined;
}

const names = ['model', 'conversation', 'parent', 'text', 'system'] as const;

/** The template with its values. What values hold is never looked at for placeholders. */
export function fillTemplate(
  template: RequestTemplate,
  values: TemplateValues,
): { readonly path: string; readonly body: unknown } {
  return {
    path: fillText(template.path, (name) => encodeURIComponent(values[name] ?? '')),
    body: fillValue(template.body, values),
  };
}

/** Whether any text of the template asks for the value. */
export function asksFor(value: unknown, name: (typeof names)[number]): boolean {
  if (typeof value === 'string') return value.includes(`{{${name}}}`);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((item) => asksFor(item, name));
}

function fillValue(value: unknown, values: TemplateValues): unknown {
  if (typeof value === 'string') {
    const alone = names.find((name) => value === `{{${name}}}`);
    return alone === undefined ? fillText(value, (name) => values[name] ?? '') : (values[alone] ?? null);
  }
  if (Array.isArray(value)) return value.map((item) => fillValue(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillValue(item, values)]));
}

function fillText(text: string, valueFor: (name: (typeof names)[number]) => string): string {
  let filled = '';
  let from = 0;
  while (from < text.length) {
    const open = text.indexOf('{{', from);
    if (open < 0) break;
    const name = names.find((each) => text.startsWith(`${each}}}`, open + 2));
    const end = name === undefined ? open + 2 : open + 2 + name.length + 2;
    filled += text.slice(from, open) + (name === undefined ? '{{' : valueFor(name));
    from = end;
  }
  return filled + text.slice(from);
}
