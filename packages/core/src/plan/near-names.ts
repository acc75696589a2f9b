/** A slip of spelling is looked for among so many names; comparing takes time, and upstreams may list thousands. */
const mostNames = 1000;

/** Up to three of the names that look like the wanted one: the same model elsewhere, or a slip of spelling. */
export function nearNames(wanted: string, names: readonly string[]): readonly string[] {
  const plain = plainName(wanted.slice(0, 100));
  const plainModel = modelIn(plain);
  const most = 1 + Math.floor(plainModel.length / 5);
  const ranked: { readonly id: string; readonly distance: number }[] = [];
  for (const id of names.slice(0, mostNames)) {
    const whole = plainName(id);
    const model = modelIn(whole);
    const distance = Math.min(
      spellingDistance(plain, whole, most),
      // The upstream is missing, or is another one.
      1 + spellingDistance(plain, model, most),
      1 + spellingDistance(plainModel, model, most),
    );
    if (distance <= most) ranked.push({ id, distance });
  }
  ranked.sort((a, b) => a.distance - b.distance);
  return ranked.slice(0, 3).map(({ id }) => id);
}

function modelIn(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll('_', '-').replaceAll(':', '-');
}

/** The least number of letters to insert, drop or change; any number above `most` when the lengths differ by more. */
function spellingDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
