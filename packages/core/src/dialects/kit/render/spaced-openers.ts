/** What a tag begins with whose name or attribute stands behind white space, whichever that is. */
export function spacedOpeners(opener: string): readonly string[] {
  return [' ', '\n', '\t', '\r'].map((space) => opener + space);
}
