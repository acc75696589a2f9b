import { summary } from '../measure/statistics.mjs';

/** What each of our candidates may cost, as ratios to others in this run; the order is `native`, `hermes`, `relayed`. */
const most = {
  native: { request: 2, large: 1.2, chunk: 1.1, rate: 8 },
  hermes: { request: 3.5, large: 1.6, chunk: 1.3, rate: 5 },
};

/** Holds what was found against the targets of docs/performance.md. Ratios within this run, never absolute times. */
export function judge(report, { running, fresh, starts }) {
  const by = (part) => running.find(({ name }) => name.includes(part));
  const middle = (candidate, load, value) => candidate && summary(candidate.found[load].map(value)).median;
  const rate = ({ rate: each }) => each;
  const cpu = ({ cpu: each }) => each;
  const [direct, bare, parsed, portkey] = ['direct', 'passed through', 'parsed and', 'Portkey'].map(by);
  const cpuRatio = (each, load, other) => divide(middle(each, load, cpu), middle(other, load, cpu));

  for (const each of running.filter(({ ours }) => ours in most)) {
    const { name, ours } = each;
    const target = most[ours];
    ratio(report, `CPU per small request: ${name} to the parsed proxy`, {
      got: cpuRatio(each, 'requests', parsed),
      most: target.request,
    });
    ratio(report, `CPU per 136 KB request: ${name} to the parsed proxy`, {
      got: cpuRatio(each, 'large', parsed),
      most: target.large,
    });
    for (const [load, how] of Object.entries({ streams: 'one by one', bursts: 'at once' })) {
      ratio(report, `CPU per chunk, ${how}: ${name} to the parsed proxy`, {
        got: cpuRatio(each, load, parsed),
        most: target.chunk,
      });
    }
    ratio(report, `requests/s: ${name} to Portkey`, {
      got: divide(middle(each, 'requests', rate), middle(portkey, 'requests', rate)),
      least: target.rate,
    });
    const added = (pick) =>
      middle(each, 'first', ({ first }) => pick(first)) - middle(direct, 'first', ({ first }) => pick(first));
    limit(report, `added first-chunk time, p50: ${name}`, { got: added(({ p50 }) => p50), most: 0.3, unit: 'ms' });
    limit(report, `added first-chunk time, p99: ${name}`, { got: added(({ p99 }) => p99), most: 1, unit: 'ms' });
  }
  for (const each of running.filter(({ ours }) => ours === 'relayed')) {
    for (const [load, what] of Object.entries({ requests: 'small', large: '136 KB' })) {
      ratio(report, `same wire, ${what} request: CPU to the bare proxy`, {
        got: cpuRatio(each, load, bare),
        most: 1.5,
      });
    }
  }
  for (const { name, ours, idle, perStream, cold } of fresh) {
    if (ours === undefined) continue;
    limit(report, `idle process: ${name}`, { got: idle / 1024, most: 80, unit: 'MB' });
    limit(report, `open stream, small request: ${name}`, { got: perStream.small, most: 30, unit: 'KB' });
    limit(report, `open stream, 136 KB request: ${name}`, { got: perStream.agent, most: 60, unit: 'KB' });
    limit(report, `first request of a process: ${name}`, { got: cold.first / 1000, most: 3, unit: 'ms CPU' });
    limit(report, `its next 31 requests, each: ${name}`, { got: cold.next / 1000, most: 3, unit: 'ms CPU' });
  }
  const [empty, ...others] = starts;
  for (const { name, cpu: took } of others) {
    ratio(report, `${name}, to a Node that does nothing`, {
      got: divide(took, empty?.cpu),
      most: name.includes('serve') ? 4 : 2,
    });
  }
}

function divide(a, b) {
  return a === undefined || b === undefined ? Number.NaN : a / b;
}

function ratio(report, name, { got, least, most: highest }) {
  const want = least === undefined ? `≤ ${highest} ×` : `≥ ${least} ×`;
  const met = least === undefined ? got <= highest : got >= least;
  report.target(name, { want, ...told(got, `${got.toFixed(2)} ×`, met) });
}

function limit(report, name, { got, most: highest, unit }) {
  report.target(name, { want: `≤ ${highest} ${unit}`, ...told(got, `${got.toFixed(2)} ${unit}`, got <= highest) });
}

/** Without the other side of a comparison nothing can be said. */
function told(value, got, met) {
  return Number.isFinite(value) ? { got, met } : { got: 'not measured', met: undefined };
}
