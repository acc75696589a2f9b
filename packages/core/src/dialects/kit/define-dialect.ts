import type { Dialect, ParseContext } from '../dialect.ts';
import { createGrammar, type GrammarForm } from './create-grammar.ts';
import { createFrame } from './frame.ts';
import { rememberedFor } from './remembered.ts';

/** What the parser of a dialect is made of. */
export interface DialectForm extends Pick<Dialect, 'id' | 'summary'> {
  /** The prompt half. */
  readonly prompt: Omit<Dialect, 'id' | 'summary' | 'grammar' | 'createParser'>;
  /** The parser half: markers and switches, or a function where they depend on the declared tools. */
  readonly grammar: GrammarForm | ((context: ParseContext) => GrammarForm);
}

/** A dialect of its prompt half and a table. The table is made once, unless it depends on the tools. */
export function defineDialect({ id, summary, prompt, grammar: form }: DialectForm): Dialect {
  const formOf = typeof form === 'function' ? rememberedFor(form) : () => form;
  const grammarOf = rememberedFor((own: GrammarForm) => createGrammar(own));
  return {
    id,
    summary,
    ...prompt,
    grammar: formOf,
    createParser: (context) => createFrame(grammarOf(formOf(context)), context),
  };
}
