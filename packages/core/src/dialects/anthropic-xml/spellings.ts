/** A tag with and without the namespace prefix, since models mix the two. `before` is `<` or `</`. */
export function spellings(before: '<' | '</', tag: string): readonly string[] {
  return [`${before}${tag}`, `${before}antml:${tag}`];
}
