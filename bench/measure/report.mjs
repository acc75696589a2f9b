import { availableParallelism } from 'node:os';
import { styleText } from 'node:util';

/**
 * Collects what a benchmark found. Tables appear as they are finished; with `json` nothing but one line of JSON appears,
 * at the end, with the unrounded numbers.
 */
export class Report {
  #json;
  #found;

  constructor(name, { json = false } = {}) {
    this.#json = json;
    this.#found = { bench: name, node: process.versions.node, cores: availableParallelism(), tables: [], targets: [] };
    this.say(`\n${bold(name)}: Node ${process.versions.node}, ${availableParallelism()} cores`);
  }

  /** A line between tables. */
  say(text) {
    if (!this.#json) console.log(text);
  }

  /** A line about what is going on, which is no result. */
  progress(text) {
    console.error(`  ${text}`);
  }

  /** `columns` maps headings to `{ of: row => value, digits }`; the first one names the row. */
  table(title, { columns, rows }) {
    const heads = Object.keys(columns);
    const values = rows.map((row) => heads.map((head) => columns[head].of(row)));
    this.#found.tables.push({ title, columns: heads, rows: values });
    const cells = values.map((row) => row.map((value, place) => cell(value, columns[heads[place]].digits)));
    this.say(`\n${bold(title)}\n${lines([heads, ...cells])}`);
  }

  /** One of the targets of docs/performance.md. `met` is undefined when this run cannot tell. */
  target(name, { want, got, met }) {
    this.#found.targets.push({ name, want, got, met });
  }

  /** Prints the targets, or the line of JSON. */
  finish() {
    if (this.#json) {
      console.log(JSON.stringify(this.#found));
      return;
    }
    if (this.#found.targets.length === 0) return;
    const word = (met) => (met === undefined ? 'not told' : met ? 'met' : 'MISSED');
    const rows = this.#found.targets.map(({ name, want, got, met }) => [name, want, got, word(met)]);
    console.log(`\n${bold('targets')}\n${lines([['target', 'wanted', 'found', ''], ...rows])}`);
  }
}

/** Three significant digits unless `digits` says how many decimals. */
function cell(value, digits) {
  if (typeof value !== 'number') return value ?? '–';
  if (Number.isNaN(value)) return '–';
  if (digits !== undefined) return value.toFixed(digits);
  const size = Math.abs(value);
  return value.toFixed(size >= 100 || size === 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

function lines(rows) {
  const widths = rows[0].map((_, place) => Math.max(...rows.map((row) => String(row[place] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((value, place) => (place === 0 ? String(value).padEnd(widths[0]) : String(value).padStart(widths[place])))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `  ${line}`)
    .join('\n');
}

function bold(text) {
  return process.stdout.isTTY ? styleText('bold', text) : text;
}
