import { summary } from '../measure/statistics.mjs';

/** Holds what was found against the targets of docs/performance.md. Ratios within this run, never absolute times. */
export function judge(report, { running, memory }) {
  const by = (part) => running.find(({ name }) => name.includes(part));
  const middle = (candidate, load, value) => candidate && summary(candidate.found[load].map(value)).median;
  const rate = ({ rate: each }) => each;
  const cpu = ({ cpu: each }) => each;
  const ours = running.filter(({ ours: each }) => each !== undefined);

  for (const each of ours) {
    ratio(report, `requests/s: ${each.name} to Portkey`, {
      got: divide(middle(each, 'requests', rate), middle(by('Portkey'), 'requests', rate)),
      least: 20,
    });
    ratio(report, `requests/s: ${each.name} to nginx`, {
      got: divide(middle(each, 'requests', rate), middle(by('nginx'), 'requests', rate)),
      least: 1 / 3,
    });
    ratio(report, `CPU per request: ${each.name} to the parsed proxy`, {
      got: divide(middle(each, 'requests', cpu), middle(by('parsed and'), 'requests', cpu)),
      most: 2,
    });
  }
  const dialects = ours.filter(({ ours: each }) => each !== 'native');
  for (const each of dialects) {
    ratio(report, `CPU per chunk: ${each.name} to nginx`, {
      got: divide(middle(each, 'streams', cpu), middle(by('nginx'), 'streams', cpu)),
      most: 1.5,
    });
  }
  for (const each of ours) {
    const added = (pick) =>
      middle(each, 'first', ({ first }) => pick(first)) - middle(by('direct'), 'first', ({ first }) => pick(first));
    milliseconds(report, `added first-chunk time, p50: ${each.name}`, { got: added(({ p50 }) => p50), most: 0.15 });
    milliseconds(report, `added first-chunk time, p99: ${each.name}`, { got: added(({ p99 }) => p99), most: 1 });
  }
  const own = memory.filter((each) => each.ours !== undefined);
  const most = (value) => Math.max(...own.map(value));
  limit(report, 'idle process', { got: most(({ idle }) => idle / 1024), most: 90, unit: 'MB' });
  limit(report, 'idle stream', { got: most(({ perStream }) => perStream), most: 30, unit: 'KB' });
}

function divide(a, b) {
  return a === undefined || b === undefined ? Number.NaN : a / b;
}

function ratio(report, name, { got, least, most }) {
  const want = least === undefined ? `≤ ${most} ×` : `≥ ${least < 1 ? '⅓' : least} ×`;
  const met = least === undefined ? got <= most : got >= least;
  report.target(name, { want, ...told(got, `${got.toFixed(2)} ×`, met) });
}

function milliseconds(report, name, { got, most }) {
  limit(report, name, { got, most, unit: 'ms', digits: 3 });
}

function limit(report, name, { got, most, unit, digits = 1 }) {
  report.target(name, { want: `≤ ${most} ${unit}`, ...told(got, `${got.toFixed(digits)} ${unit}`, got <= most) });
}

/** Without the other side of a comparison nothing can be said. */
function told(value, got, met) {
  return Number.isFinite(value) ? { got, met } : { got: 'not measured', met: undefined };
}
