/**
 * JSON text in which none of the literals occurs: the first character of each becomes its `\u` escape, so the value
 * stays the same. Only for literals that JSON cannot hold outside of strings.
 */
export function defuseJson(json: string, literals: readonly string[]): string {
  let defused = json;
  for (const literal of literals) {
    const first = `\\u${literal.charCodeAt(0).toString(16).padStart(4, '0')}`;
    defused = defused.replaceAll(literal, () => first + literal.slice(1));
  }
  return defused;
}
