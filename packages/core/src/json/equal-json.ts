/** Whether two parsed JSON values are the same; the order of keys does not count. `spend` is called for each part. */
export function equalJson(one: unknown, other: unknown, spend: () => void): boolean {
  spend();
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((each, index) => equalJson(each, other[index], spend));
  }
  const members = new Map(Object.entries(other));
  const entries = Object.entries(one);
  return (
    entries.length === members.size &&
    entries.every(([key, value]) => members.has(key) && equalJson(value, members.get(key), spend))
  );
}

/** The same text for the same value, whatever the order of its keys. `spend` is called for each part. */
export function canonicalText(value: unknown, spend: () => void): string {
  spend();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  if (Array.isArray(value)) return `[${value.map((each) => canonicalText(each, spend)).join()}]`;
  const members = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}:${canonicalText(each, spend)}`);
  return `{${members.sort().join()}}`;
}
