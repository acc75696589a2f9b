import type { NamedDialect, TextRule } from '@dragoman/core';

/** What somebody says of the model; all of it may be left out. `docs/configuration.md` explains each field of a model rule. */
export interface DragomanOptions extends Omit<TextRule, 'images'> {
  /**
   * How the model writes its calls: the id of a dialect, or a dialect of your own. Default: what models of its name were
   * trained to write. One that the name does not tell is taught what most open models know, and read in every form; with
   * `any` any model is.
   */
  readonly dialect?: NamedDialect;
}
