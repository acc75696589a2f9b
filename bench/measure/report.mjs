import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';

const page = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));

/**
 * Collects what a benchmark found. Tables appear as they are finished; with `json` nothing but one line of JSON appears,
 * at the end, with the unrounded numbers. With `write`, docs/performance.md gets them, with the date, where it says so.
 */
export class Report {
  #json;
  #write;
  #found;
  /** The tables as they are shown, for the page. */
  #shown = [];

  constructor(name, { json = false, write = false } = {}) {
    this.#json = json;
    this.#write = write;
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
    this.#shown.push(`${title}:\n\n${markdown([heads, ...cells])}`);
    this.say(`\n${bold(title)}\n${lines([heads, ...cells])}`);
  }

  /** One of the targets of docs/performance.md. `met` is undefined when this run cannot tell. */
  target(name, { want, got, met }) {
    this.#found.targets.push({ name, want, got, met });
  }

  /** Prints the targets, or the line of JSON, and writes the page if it was asked for. */
  finish() {
    const word = (met) => (met === undefined ? 'not told' : met ? 'met' : 'MISSED');
    const targets = this.#found.targets.map(({ name, want, got, met }) => [name, want, got, word(met)]);
    const rows = [['target', 'wanted', 'found', ''], ...targets];
    if (this.#write) this.#writePage(rows);
    if (this.#json) console.log(JSON.stringify(this.#found));
    else if (targets.length > 0) console.log(`\n${bold('targets')}\n${lines(rows)}`);
  }

  #writePage(targets) {
    const { bench, node, cores } = this.#found;
    const date = new Date().toISOString().slice(0, 10);
    const head = `Written by \`npm run bench -- ${bench} --write\` on ${date}: Node ${node}, ${cores} cores.`;
    const [before, after] = [`<!-- ${bench}: written by the bench -->`, `<!-- ${bench}: end -->`];
    const text = readFileSync(page, 'utf8');
    const [from, to] = [text.indexOf(before), text.indexOf(after)];
    if (from < 0 || to < from) throw new Error(`docs/performance.md has no place for ${bench}: ${before} … ${after}`);
    const body = [before, head, ...this.#shown, markdown(targets), after].join('\n\n');
    writeFileSync(page, text.slice(0, from) + body + text.slice(to + after.length));
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

function markdown([head, ...rows]) {
  const line = (cells) => `| ${cells.map((cell) => String(cell ?? '').trim()).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
