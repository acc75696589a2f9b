import type { JsonSchema } from '../chat/tool.ts';
import type { Form, MemberForm } from './form.ts';
import { inOrder, type MemberRules } from './in-order.ts';
import { type Notation, NotationRules } from './notation.ts';
import { oneOf, quoted, Rules, upTo } from './rules.ts';
import { SchemaRules } from './schema-rules.ts';
import { finish, type Steps } from './steps.ts';
import { until } from './until.ts';

/** A form as a grammar. */
export interface Gbnf {
  readonly grammar: string;
  /** Schemas are so large that something of them was left open. */
  readonly isWider: boolean;
}

/** Writes a form as a grammar in llama.cpp's notation. Source: https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md */
export function writeGbnf(form: Form): Steps<Gbnf> {
  return new GbnfWriter().write(form);
}

type Named<Kind extends string> = Extract<Exclude<Form, string>, { readonly [key in Kind]: unknown }>;

class GbnfWriter {
  readonly #rules = new Rules();
  /** By their token for quotation marks, or their name. */
  readonly #notations = new Map<string, NotationRules>();
  /** By that, too, and by the schema in which references are looked up. */
  readonly #schemas = new Map<string, Map<JsonSchema, SchemaRules>>();
  /** Texts beside members. */
  readonly #once = new Set<string>();

  *write(form: Form): Steps<Gbnf> {
    yield* this.#ahead(form);
    const grammar = this.#rules.write(this.#written(form));
    return { grammar, isWider: this.#rules.isWider };
  }

  /** Writes what is long one by one, so that it is known when all is put together. */
  *#ahead(form: Form): Steps<void> {
    if (typeof form === 'string' || this.#rules.has(form)) return;
    if ('all' in form) for (const part of form.all) yield* this.#ahead(part);
    else if ('any' in form) for (const each of form.any) yield* this.#ahead(each);
    else if ('many' in form) yield* this.#ahead(form.many);
    else if ('members' in form) {
      const text = yield* this.#members(form);
      this.#rules.of(form, () => text);
    } else if ('json' in form) {
      this.#written(form);
      yield;
    }
  }

  #written(form: Form): string {
    if (typeof form === 'string') return quoted(form);
    if ('all' in form) {
      const parts = form.all.filter((part) => part !== '');
      return parts.map((part) => this.#written(part)).join(' ') || '""';
    }
    // What is in several places is written once.
    return this.#rules.of(form, () => this.#ruleOf(form));
  }

  #ruleOf(form: Exclude<Form, string | Named<'all'>>): string {
    if ('any' in form) return oneOf(form.any.map((each) => this.#rules.named(this.#written(each))));
    if ('many' in form) return `${this.#rules.named(this.#written(form.many))}${upTo(form.most)}`;
    if ('digits' in form) return `[0-9]{${form.digits.join()}}`;
    if ('name' in form) return this.#rules.common(form.name);
    if ('members' in form) return finish(this.#members(form));
    return 'json' in form ? this.#value(form) : until(form.until, this.#rules);
  }

  *#members({ members, others, mostOthers, none, done }: Named<'members'>): Steps<string> {
    const written: MemberRules[] = [];
    for (const member of members) {
      written.push(this.#member(member));
      yield;
    }
    const beside = {
      none: this.#written(none),
      done: this.#written(done),
      others: others && this.#member(others),
      mostOthers,
    };
    return inOrder(this.#rules, written, beside);
  }

  #member({ ways, needed }: MemberForm): MemberRules {
    const written = ways.map(({ first, next, head, value, after }) => {
      // What is in front and behind is the same for many members.
      const parts = [this.#written(head), this.#valueOf(value), this.#shared(after)].join(' ');
      const member = this.#rules.named(parts);
      return { first: `${this.#shared(first)} ${member}`, next: `${this.#shared(next)} ${member}` };
    });
    return { first: oneOf(written.map(({ first }) => first)), next: oneOf(written.map(({ next }) => next)), needed };
  }

  /** A text that comes again is a rule from then on. */
  #shared(form: Form): string {
    if (typeof form !== 'string') return this.#written(form);
    if (form !== '' && this.#once.has(form)) return this.#rules.of(form, () => this.#rules.named(quoted(form)));
    this.#once.add(form);
    return form === '' ? '' : quoted(form);
  }

  /** Values are looked at one by one: there is nothing to remember of their forms. */
  #valueOf(form: Form): string {
    if (typeof form === 'string') return quoted(form);
    if ('json' in form) return this.#value(form);
    return 'until' in form ? until(form.until, this.#rules) : this.#written(form);
  }

  #value({ json, root = json, as = 'json' }: Named<'json'>): string {
    const key = typeof as === 'string' ? as : as.quote;
    const byRoot = this.#schemas.get(key) ?? new Map<JsonSchema, SchemaRules>();
    this.#schemas.set(key, byRoot);
    const schemas = byRoot.get(root) ?? new SchemaRules(this.#rules, { root, notation: this.#notation(as) });
    byRoot.set(root, schemas);
    return schemas.value(json);
  }

  #notation(as: Notation): NotationRules {
    const key = typeof as === 'string' ? as : as.quote;
    const known = this.#notations.get(key) ?? new NotationRules(this.#rules, as);
    this.#notations.set(key, known);
    return known;
  }
}
