/** A name as the value of an attribute, which knows no escaping: one that holds a kind of quote stands between the other. */
export function quotedName(name: string): string {
  return name.includes('"') ? `'${name}'` : `"${name}"`;
}
