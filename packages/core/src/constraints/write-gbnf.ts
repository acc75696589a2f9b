import type { Form } from './form.ts';
import { anyBut, oneOf, quoted, Rules } from './rules.ts';
import { SchemaRules } from './schema-rules.ts';

/** Writes a form as a grammar in llama.cpp's notation. Source: https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md */
export function writeGbnf(form: Form): string {
  const rules = new Rules();
  return rules.write(write(form, rules));
}

function write(form: Form, rules: Rules): string {
  if (typeof form === 'string') return quoted(form);
  if ('all' in form) {
    const parts = form.all.filter((part) => part !== '');
    return parts.map((part) => write(part, rules)).join(' ') || '""';
  }
  if ('any' in form) return oneOf(form.any.map((each) => rules.add(write(each, rules))));
  if ('many' in form) return `${rules.add(write(form.many, rules))}{0,${form.most}}`;
  if ('json' in form) {
    const { json, root = json } = form;
    return rules.of(json, () => new SchemaRules(rules, root).value(json));
  }
  return rules.of(JSON.stringify(form.until), () => writeUntil(form.until, rules));
}

/**
 * Any text in which none of the literals stands: one rule for each beginning of a literal that may have been written, as in
 * Knuth's, Morris's and Pratt's search. The text may end anywhere.
 */
function writeUntil(literals: readonly string[], rules: Rules): string {
  const beginnings = new Map<string, ReturnType<Rules['later']>>([['', rules.later()]]);
  for (const literal of literals) {
    const letters = [...literal];
    for (let length = 1; length < letters.length; length += 1) {
      const beginning = letters.slice(0, length).join('');
      if (!beginnings.has(beginning)) beginnings.set(beginning, rules.later());
    }
  }
  const letters = [...new Set(literals.flatMap((literal) => [...literal]))];
  const start = beginnings.get('')?.name ?? '';
  for (const [beginning, { define }] of beginnings) {
    const told: string[] = [];
    const forms: string[] = [];
    for (const letter of letters) {
      const text = beginning + letter;
      if (literals.some((literal) => text.endsWith(literal))) {
        told.push(letter);
        continue;
      }
      const next = longestEnd(text, beginnings);
      if (next === '') continue;
      told.push(letter);
      forms.push(`${quoted(letter)} ${beginnings.get(next)?.name}`);
    }
    define(`(${[`${anyBut(told)} ${start}`, ...forms].join(' | ')})?`);
  }
  return start;
}

/** The longest end of a text that is the beginning of a literal. */
function longestEnd(text: string, beginnings: ReadonlyMap<string, unknown>): string {
  const letters = [...text];
  const at = letters.findIndex((_, index) => beginnings.has(letters.slice(index).join('')));
  return at < 0 ? '' : letters.slice(at).join('');
}
