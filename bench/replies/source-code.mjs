const lines = [
  'import { useState, type ReactNode } from "react";',
  '',
  'export function List<T extends object>({ items, of }: { items: readonly T[]; of: (item: T) => ReactNode }) {',
  "  const [query, setQuery] = useState('');",
  '  const shown = items.filter((item) => JSON.stringify(item).includes(query) && query.length < 64);',
  '  return (',
  '    <section className="list" aria-label={`Shown: ` + shown.length}>',
  '      <input value={query} onChange={(event) => setQuery(event.target.value)} placeholder="Filter…" />',
  "      {shown.length < 1 ? <p>Nothing here. It's empty &amp; quiet.</p> : null}",
  '      <ul>{shown.map((item, index) => <li key={index} title="\\"quoted\\"">{of(item)}</li>)}</ul>',
  '    </section>',
  '  );',
  '}',
  '',
];

/** `length` characters of source code with quotes, `<`, back-slashes and newlines, always the same. */
export function sourceCode(length) {
  const once = lines.join('\n').replaceAll('…', '...');
  return once.repeat(Math.ceil(length / once.length)).slice(0, length);
}
