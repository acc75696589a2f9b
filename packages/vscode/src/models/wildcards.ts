/** Whether a text fits a pattern in which `*` stands for anything; upper and lower case are alike. */
export function fits(text: string, pattern: string): boolean {
  const said = text.toLowerCase();
  const [first = '', ...rest] = pattern.toLowerCase().split('*');
  if (rest.length === 0) return said === first;
  if (!said.startsWith(first)) return false;
  const last = rest.pop() ?? '';
  let at = first.length;
  for (const piece of rest) {
    const found = said.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return said.length - last.length >= at && said.endsWith(last);
}

/** A model is shown if some pattern allows one of its names, or none is given, and none denies any of them. */
export function isAllowed(
  names: readonly string[],
  { allow, deny }: { readonly allow: readonly string[]; readonly deny: readonly string[] },
): boolean {
  const some = (patterns: readonly string[]) => patterns.some((pattern) => names.some((name) => fits(name, pattern)));
  return (allow.length === 0 || some(allow)) && !some(deny);
}
