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

/** A model is shown if some pattern allows it, or none is given, and none denies it. */
export function isAllowed(
  id: string,
  { allow, deny }: { readonly allow: readonly string[]; readonly deny: readonly string[] },
): boolean {
  const isFine = allow.length === 0 || allow.some((pattern) => fits(id, pattern));
  return isFine && !deny.some((pattern) => fits(id, pattern));
}
