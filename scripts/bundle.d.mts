/** One minified script of everything that `source`, the text of a module, needs. */
export function bundle(
  source: string,
  options?: { readonly name?: string; readonly platform?: 'neutral' | 'browser' },
): Promise<string>;
