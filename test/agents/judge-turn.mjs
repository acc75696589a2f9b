/** Far more than a turn of two calls takes. An agent that asks again and again is a fault, however it ends. */
const mostRequests = 12;

/**
 * What was wrong with a turn, in sentences; empty when it was as it should be. Goes by what is true afterwards, since
 * agents end with 0 after failures, too: the file is edited, what only the file held was shown to the user (so the
 * agent read it, sent it back, and the model's answer reached the user), and the gateway's log shows streamed requests
 * with tools to this route and upstream, at least two rounds of calls, their results, one of them no shorter than the
 * file, a last answer without calls, and no failed request but those that the upstream refused. Results are told where they were written as text: with a
 * native upstream, in its own lines, or, with `inText` false, nowhere.
 */
export function judgeTurn({
  route,
  method,
  upstream,
  rounds: due,
  refusals = [],
  inText = true,
  secret,
  files,
  said,
  log,
}) {
  const all = requestLines(log);
  const refused = all.filter(({ status }) => refusals.includes(status)).map(({ status }) => status);
  const lines = all.filter(({ status }) => !refusals.includes(status));
  const isAsked = (line) => line.route === route && line.method === method && line.tools > 0;
  const asked = lines.filter((line) => isAsked(line) && isFor(line, upstream));
  const good = asked.filter(({ status, stream }) => status === 200 && stream === true);
  const results = lines.flatMap((line) => line.results?.matched ?? []).filter((result) => result.status === 'ok');
  const rounds = good.filter(({ calls }) => calls > 0).length;
  const checks = [
    ...files.map(({ name, wanted, found }) => [
      found === wanted,
      `${name} was ${found.includes('violet') ? `edited wrongly: ${found}` : 'not edited'}`,
    ]),
    [said.includes(secret), 'what the agent showed does not hold what only the file says'],
    [asked.length > 0, `no request with tools came to ${route}`],
    [asked.length <= mostRequests, `${asked.length} requests for two calls`],
    [good.length === asked.length, 'not every request with tools was streamed and answered with 200'],
    [
      `${refused}` === `${refusals}`,
      `the agent was refused with [${refused}], and its upstream refused with [${refusals}]`,
    ],
    [due === undefined || rounds === due, `${rounds} replies held a call, and the task takes ${due}`],
    [rounds >= 2, `${rounds} of at least 2 replies held a call`],
    [!inText || results.length >= 2, `${results.length} of at least 2 results came back for their calls`],
    [
      !inText || results.some(({ length }) => length >= files[0].found.trim().length),
      'no result is as long as the file',
    ],
    [good.at(-1)?.finish === 'stop', `the last reply ended with ${good.at(-1)?.finish}`],
    ...lines.filter((line) => isFailed(line, route)).map((line) => [false, failureOf(line)]),
  ];
  return checks.filter(([isRight]) => !isRight).map(([, fault]) => fault);
}

function requestLines(log) {
  return log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter((line) => line.requestId !== undefined);
}

/** Whoever was refused before a plan was made has no upstream, and counts. */
function isFor(line, upstream) {
  return line.upstream === undefined || line.upstream === upstream;
}

/** Agents ask for more than there is, such as a list of plug-ins; that they take 404 there is part of the turn. */
function isFailed({ status, errorCode, route: asked }, route) {
  return (status !== 404 || asked === route) && (status >= 400 || errorCode !== undefined);
}

function failureOf({ method, route, status, errorCode, error }) {
  return `${method} ${route} ${status}: ${error ?? errorCode}`;
}
