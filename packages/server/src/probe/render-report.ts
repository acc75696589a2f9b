import { harmlessLines } from '../log/harmless.ts';
import { type ModeReport, type ProbeReport, percent, type RateChange, type TaskFailure } from './report.ts';
import type { Rate } from './statistics.ts';
import { taskGroups } from './task.ts';

export interface RenderOptions {
  /** For publishing, instead of for a terminal. */
  readonly markdown: boolean;
  /** What the report was compared with, and what came of it. */
  readonly compared?: { readonly run: string; readonly changes: readonly RateChange[] };
}

/** A report as text. */
export function renderReport(report: ProbeReport, options: RenderOptions): string {
  const { markdown, compared } = options;
  const heading = (text: string) => (markdown ? `## ${text}` : text);
  const sections = [
    markdown ? `# How ${code(report.model)} calls tools` : `How ${report.model} calls tools (run ${report.run})`,
    table(rowsOf(report), markdown),
    'Right answers of all, and the interval in which the true rate lies with a confidence of 95 %.',
    ...report.notes,
    ...(compared === undefined
      ? []
      : [heading(`Compared with ${compared.run}`), comparison(compared.changes, markdown)]),
    ...report.modes.flatMap((mode) =>
      mode.failures.length === 0 ? [] : [heading(`What went wrong: ${mode.mode}`), failuresOf(mode, markdown)],
    ),
    ...proposalOf(report, { heading, markdown }),
  ];
  return `${harmlessLines(sections.join('\n\n'))}\n`;
}

type Row = readonly string[];

function rowsOf({ modes }: ProbeReport): readonly Row[] {
  const asked = taskGroups.filter((group) => modes.some(({ groups }) => groups.some((each) => each.group === group)));
  const rateIn = ({ groups }: ModeReport, group: string) => groups.find((each) => each.group === group)?.rate;
  return [
    ['', ...modes.map(({ mode }) => mode)],
    ...asked.map((group) => [group, ...modes.map((mode) => rateCell(rateIn(mode, group)))]),
    ['all', ...modes.map(({ all }) => rateCell(all))],
    ['first token', ...modes.map(({ firstToken }) => (firstToken === undefined ? '-' : timeCell(firstToken)))],
    ['tokens read', ...modes.map(({ inputTokens }) => countCell(inputTokens))],
    ['tokens written', ...modes.map(({ outputTokens }) => countCell(outputTokens))],
  ];
}

function rateCell(rate: Rate | undefined): string {
  if (rate === undefined || rate.of === 0) return '-';
  const { good, of, low, high } = rate;
  return `${good}/${of} = ${percent(good / of)} % (${percent(low)}–${percent(high)})`;
}

function timeCell(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

function countCell(count: number): string {
  return count.toLocaleString('en');
}

function table(rows: readonly Row[], markdown: boolean): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
  if (!markdown) return lines.map((cells) => `  ${cells.join('  ').trimEnd()}`).join('\n');
  const [head, ...body] = lines.map((cells) => `| ${cells.join(' | ')} |`);
  return [head, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...body].join('\n');
}

function comparison(changes: readonly RateChange[], markdown: boolean): string {
  if (changes.length === 0) return 'The two runs have no mode in common.';
  const shown = changes.filter(({ is, group }) => is !== 'no evidence' || group === 'all');
  const rows = shown.map(({ mode, group, before, now, is }) => [
    mode,
    group,
    `${before.good}/${before.of}`,
    `${now.good}/${now.of}`,
    is === 'no evidence' ? 'no evidence of a difference' : is,
  ]);
  return `${table([['mode', 'tasks', 'before', 'now', ''], ...rows], markdown)}\n\nFor all other groups of tasks there is no evidence of a change.`;
}

/** So many are shown on a terminal; for publishing, all are. */
const mostFailures = 6;

function failuresOf({ failures }: ModeReport, markdown: boolean): string {
  if (markdown) return failures.map((failure) => failureOf(failure, markdown)).join('\n\n');
  // What goes wrong most often first.
  const sorted = [...failures].sort((one, other) => other.wrong / other.of - one.wrong / one.of);
  const more = sorted.length - mostFailures;
  const rest = more > 0 ? [`  and ${more} more ${more === 1 ? 'task' : 'tasks'}: --markdown and --json show all`] : [];
  return [...sorted.slice(0, mostFailures).map((failure) => failureOf(failure, markdown)), ...rest].join('\n');
}

/** So much of a wrong reply is shown, in lines and UTF-16 units. */
const mostLines = 4;
const mostUnits = 320;

function failureOf({ task, title, wrong, of, why, written }: TaskFailure, markdown: boolean): string {
  const text = shortened(written);
  const times = of === 1 ? '' : `, ${wrong} of ${of} times`;
  if (markdown) return `**${task}** (${title})${times}: ${why}\n\n${fenced(text)}`;
  const quoted = text.split('\n').map((line) => `      │ ${line}`);
  return [`  ${task}: ${title}${times}`, `    ${why}`, ...quoted].join('\n');
}

function shortened(written: string): string {
  if (written.trim() === '') return '(nothing)';
  const lines = written.slice(0, mostUnits).split('\n');
  const cut = lines.slice(0, mostLines).join('\n').trimEnd();
  return cut.length < written.trimEnd().length ? `${cut} …` : cut;
}

/** A fence that nothing in the text closes. */
function fenced(text: string): string {
  let fence = '```';
  while (text.includes(fence)) fence += '`';
  return `${fence}text\n${text}\n${fence}`;
}

/** Right answers of all. An agent makes dozens of calls in a task, and repairs some of what goes wrong. */
const enoughForAgents = 0.8;

function proposalOf(
  { proposal, modes, model }: ProbeReport,
  { heading, markdown }: { readonly heading: (text: string) => string; readonly markdown: boolean },
): readonly string[] {
  const best = modes.find(({ mode }) => mode === proposal?.mode);
  if (proposal === undefined || best === undefined)
    return ['Nothing was right in any mode, so there is no rule to propose.'];
  const spaced = (value: unknown) =>
    JSON.stringify(value).replaceAll('":', '": ').replace('{', '{ ').replace('}', ' }');
  const rule = Object.entries(proposal.rule)
    .map(([field, value]) => `"${field}": ${spaced(value)}`)
    .join(', ');
  const tooFew = best.all.good < enoughForAgents * best.all.of;
  const { unproven } = proposal;
  const words = [
    `The rule for ${markdown ? code(model) : model}: ${proposal.mode}, which is right at least ${percent(best.all.low)} times of 100.`,
    ...(unproven.length > 0
      ? [`That it is better than ${unproven.join(' or ')} may be chance: ask more often with --times.`]
      : []),
    ...(tooFew ? [`Agents go wrong often with fewer than ${percent(enoughForAgents)}: try a larger model.`] : []),
    ...(modes.length === 1 ? ['No other mode was asked.'] : []),
  ].join(' ');
  return [heading('Proposal'), words, markdown ? `\`\`\`jsonc\n${rule}\n\`\`\`` : `  ${rule}`];
}

function code(text: string): string {
  return `\`${text}\``;
}
