import { GatewayError } from '../errors.ts';
import type { Dialect, ParseContext } from './dialect.ts';
import { createGrammar, type GrammarForm, type GrammarOptions } from './kit/create-grammar.ts';
import { createFrame } from './kit/frame.ts';
import type { Grammar } from './kit/grammar.ts';

/**
 * A dialect that is taught and written as `own`, while calls in the form of any of the `others` are read beside its own: in
 * one pass, decided behind the marker. Its markers are those of all, so that no foreign text can hold a call in any of the
 * forms. Calls of the others say whose they are. Throws GatewayError `config-invalid` for a dialect without a grammar.
 */
export function readTogether(own: Dialect, others: readonly Dialect[]): Dialect {
  const neighbours = others.filter(({ id }) => id !== own.id);
  if (neighbours.length === 0) return own;
  const formOf = (context: ParseContext) => formIn(own, context);
  const grammarOf = createJointGrammar(formOf, neighbours);
  // Told where the dialects are put together, not when the first reply comes.
  for (const each of [own, ...neighbours]) formIn(each, { tools: [] });
  return {
    ...own,
    markers: (tools) => [...new Set([own, ...neighbours].flatMap((each) => each.markers(tools)))],
    grammar: formOf,
    createParser: (context) => createFrame(grammarOf(context), context),
  };
}

/** The grammar of several dialects for a request: the same again while none of their forms has changed. */
export function createJointGrammar(
  own: (context: ParseContext) => GrammarForm,
  neighbours: readonly Dialect[],
  options: Omit<GrammarOptions, 'neighbours'> = {},
): (context: ParseContext) => Grammar {
  let last: { readonly forms: readonly GrammarForm[]; readonly grammar: Grammar } | undefined;
  return (context) => {
    const form = own(context);
    const all = neighbours.map((dialect) => ({ id: dialect.id, form: formIn(dialect, context) }));
    const forms = [form, ...all.map((neighbour) => neighbour.form)];
    if (last?.forms.every((each, at) => each === forms[at]) !== true) {
      last = { forms, grammar: createGrammar(form, { ...options, neighbours: all }) };
    }
    return last.grammar;
  };
}

function formIn(dialect: Dialect, context: ParseContext): GrammarForm {
  const form = dialect.grammar?.(context);
  if (form !== undefined) return form;
  throw new GatewayError('config-invalid', `The dialect "${dialect.id}" has a parser of its own: it is read alone.`);
}
