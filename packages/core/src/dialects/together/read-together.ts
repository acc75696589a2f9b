import { madeOnce } from '../../chat/made-once.ts';
import { keyOfTools } from '../../chat/tools-key.ts';
import { DragomanError } from '../../errors.ts';
import type { Dialect, ParseContext } from '../dialect.ts';
import type { Grammar, GrammarForm } from '../parser/grammar.ts';
import { formMarkers } from '../parser/markers/form-markers.ts';
import { createSpanParser } from '../parser/reply-parser.ts';
import { type JointOptions, joinGrammars } from './join-grammars.ts';

/**
 * A dialect that is taught and written as `own`, while calls in the form of any of the `others` are read beside its own: in
 * one pass, decided after the marker. Its markers are those of all, so that no foreign text can hold a call in any of the
 * forms. Calls of the others say whose they are. Throws DragomanError `config-invalid` for a dialect without a grammar.
 */
export function readTogether(own: Dialect, others: readonly Dialect[]): Dialect {
  const neighbours = others.filter(({ id }) => id !== own.id);
  if (neighbours.length === 0) return own;
  const grammar = formOf(own);
  const joint = createJointGrammar(grammar, neighbours);
  return {
    ...own,
    markers: madeOnce((tools) => [...new Set([own, ...neighbours].flatMap((each) => each.markers(tools)))]),
    grammar,
    createParser: (context) => createSpanParser(joint.of(context), context),
    makeAhead: joint.makeAhead,
  };
}

/** So many forms are made in one turn, ahead of a parser for many tools. */
const formsAtOnce = 20;

/** So many grammars that depend on the tools are kept: an agent sends the same tools with every request. */
const mostKept = 8;

/** The grammar of several dialects for a request; putting it together takes some milliseconds, so it is kept. */
export interface JointGrammar {
  of(context: ParseContext): Grammar;
  /** As `makeAhead` of a dialect; there is nothing to be made of a grammar that is kept. */
  makeAhead(context: ParseContext): Iterable<void>;
}

export function createJointGrammar(
  own: (context: ParseContext) => GrammarForm,
  neighbours: readonly Dialect[],
  options: Omit<JointOptions, 'neighbours'> = {},
): JointGrammar {
  const forms = [own, ...neighbours.map(formOf)];
  const formsOf = (context: ParseContext) => forms.map((each) => each(context));
  const make = (context: ParseContext): Grammar => {
    const [form, ...others] = formsOf(context);
    const joint = neighbours.map(({ id }, at) => ({ id, form: others[at] ?? noCalls }));
    return joinGrammars(form ?? noCalls, { ...options, neighbours: joint });
  };
  const [one, other] = [formsOf({ tools: [] }), formsOf({ tools: [] })];
  if (one.every((form, at) => form === other[at])) {
    return { of: once(() => make({ tools: [] })), *makeAhead() {} };
  }
  const kept = new Map<string, Grammar>();
  const keyOf = ({ policy, tools }: ParseContext) => JSON.stringify(policy ?? null) + keyOfTools(tools);
  const of = (context: ParseContext): Grammar => {
    const key = keyOf(context);
    const grammar = kept.get(key) ?? make(context);
    kept.delete(key);
    kept.set(key, grammar);
    for (const oldest of kept.keys()) if (kept.size > mostKept) kept.delete(oldest);
    return grammar;
  };
  return {
    of,
    *makeAhead(context) {
      if (kept.has(keyOf(context))) return;
      for (let at = 0; at < forms.length; at += formsAtOnce) {
        for (const each of forms.slice(at, at + formsAtOnce)) formMarkers(each(context));
        yield;
      }
      of(context);
      yield;
    },
  };
}

/** The form of what is read without a dialect of its own. */
export const noCalls: GrammarForm = { calls: [] };

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function formOf(dialect: Dialect): (context: ParseContext) => GrammarForm {
  const form = dialect.grammar;
  if (form !== undefined) return (context) => form(context);
  throw new DragomanError('config-invalid', `The dialect "${dialect.id}" has a parser of its own: it is read alone.`);
}
