import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { agents } from '../test/agents/agents.mjs';
import { installProgram } from '../test/install-program.mjs';
import { ensure, root } from './ensure.mjs';
import { scratch } from './scratch.mjs';

// docs/picture.svg, the picture of the README: Claude Code edits a file with a model that only writes text. It is drawn from a real run
// of the Claude Code of `npm run test:agents`, with the demo model. Run it where the run has come to look otherwise.

const gateway = join(root, 'packages', 'server', 'bin', 'dragoman.js');
const question = "Read src/server.ts, then replace '8123' with '9000' in src/server.ts";
const before = `import { createServer } from 'node:http';

const port = 8123;

createServer((_, response) => response.end('hello')).listen(port);
`;

// What is where, in pixels. Letters are of one width: each line is told how long it is, whatever font it meets.
const width = 880;
const letter = 7.4;
const line = 20;
const pad = 16;
const half = (width - 60) / 2;

ensure();
const cache = process.env.DRAGOMAN_AGENTS ?? join(root, 'node_modules', '.cache', 'agents');
const claude = agents.find(({ name }) => name === 'claude-code');
const { file, problem } = await installProgram(claude, cache);
if (problem !== undefined) throw new Error(problem);
const folder = scratch();
const server = spawn(process.execPath, [gateway, '--demo', '--port', '0'], { cwd: folder });
try {
  writeFileSync(join(root, 'docs', 'picture.svg'), draw(runOnce(dirname(file), await addressOf(server))));
} finally {
  server.kill();
}

async function addressOf({ stdout }) {
  for await (const line of createInterface({ input: stdout })) {
    const [, address] = /listens on (http:\S+)/.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error('The model does not start.');
}

/** How the agent was started, what the model wrote and the agent got in each round, and the file after it. */
function runOnce(programs, model) {
  const home = join(folder, 'me');
  const app = join(home, 'app');
  const edited = join(app, 'src', 'server.ts');
  mkdirSync(dirname(edited), { recursive: true });
  writeFileSync(edited, before);
  const rule = { toolCalling: { dialect: 'hermes' }, contextWindow: 131_072 };
  const config = join(folder, 'dragoman.json');
  const settings = {
    store: `sqlite:${join(folder, 'records.db')}`,
    records: { level: 'full' },
    demo: false,
    upstreams: { local: { baseUrl: `${model}/v1`, wire: 'openai-chat', models: { demo: rule } } },
    models: { demo: 'local/demo' },
    defaultModel: 'demo',
  };
  writeFileSync(config, JSON.stringify(settings));
  const quiet = { DISABLE_TELEMETRY: '1', DISABLE_ERROR_REPORTING: '1', DISABLE_AUTOUPDATER: '1' };
  const path = `${programs}${delimiter}${process.env.PATH}`;
  const options = { cwd: app, env: { ...quiet, PATH: path, HOME: home, DRAGOMAN_CONFIG: config }, encoding: 'utf8' };
  const args = ['launch', 'claude-code', 'demo', '--', '-p', question, '--allowedTools', 'Read,Edit'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [gateway, ...args], options);
  if (status !== 0) throw new Error(`${stdout}${stderr}`);
  const records = execFileSync(process.execPath, [gateway, 'context', '--json'], options).trim().split('\n');
  const plain = (text) => text.replaceAll(home, '/home/me');
  const rounds = records
    .map((line) => JSON.parse(line).said)
    .map(({ sent, calls }) => ({
      writes: plain(writtenIn(sent.at(-1).pieces)),
      gets: calls.map(({ name, arguments: values }) => ({ name, values: plain(values) })),
    }));
  const started = plain(stderr)
    .split('\n')
    .find((line) => line.startsWith('Claude Code with'));
  return { started, said: plain(stdout), rounds, after: readFileSync(edited, 'utf8') };
}

function writtenIn(pieces) {
  const frames = pieces
    .join('')
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: {'));
  return frames.map((frame) => JSON.parse(frame.slice(6)).choices[0]?.delta.content ?? '').join('');
}

/** The picture. Each step appears a moment after the one before, and all of them stay; who wants no motion sees them at once. */
function draw({ started, rounds, after }) {
  const typed = ['$ dragoman launch claude-code -- \\', `    -p "${question}" \\`, '    --allowedTools Read,Edit'];
  const calling = rounds.filter(({ gets }) => gets.length > 0);
  const steps = [];
  let y = 0;
  const put = (height, ...shapes) => {
    steps.push(shapes.join(''));
    y += height + 14;
  };
  const top = typed.length + 1;
  put(
    boxHeight(top),
    box({ x: 0, y, w: width, lines: [...typed.map((text) => [text, 'plain']), [started.split(';')[0], 'dim']] }),
  );
  const heading = (x, text) => textAt({ x, y: y + 12, text, kind: 'head' });
  put(12, heading(0, 'The model writes text'), heading(half + 60, 'Claude Code gets tool calls'));
  for (const { writes, gets } of calling) {
    const left = wrapped(writes).map((text) => [text, text.startsWith('<') ? 'mark' : 'plain']);
    const right = gets.flatMap(({ name, values }) => [
      [`tool_use  ${name}`, 'call'],
      ...wrapped(JSON.stringify(JSON.parse(values), undefined, 1).replaceAll(/\n */g, ' ')).map((text) => [
        text,
        'plain',
      ]),
    ]);
    const height = boxHeight(Math.max(left.length, right.length));
    const data = `data-writes="${escaped(writes)}" data-gets="${escaped(JSON.stringify(gets))}"`;
    const arrow = `<path class="arrow" d="M${half + 14} ${y + height / 2}h26m-8-6l8 6-8 6"/>`;
    steps.push(`<g ${data}>${box({ x: 0, y, w: half, lines: left, height })}</g>`);
    steps.push(arrow + box({ x: half + 60, y, w: half, lines: right, height }));
    y += height + 14;
  }
  const changed = (of, than, sign) =>
    of
      .split('\n')
      .filter((text) => !than.split('\n').includes(text))
      .map((text) => [`${sign}${text}`, sign === '-' ? 'gone' : 'new']);
  const difference = [['src/server.ts', 'dim'], ...changed(before, after, '-'), ...changed(after, before, '+')];
  put(boxHeight(difference.length), box({ x: 0, y, w: width, lines: difference }));
  const height = y - 14;
  const shown = steps.map(
    (step, index) => `<g class="step" style="animation-delay:${(index * 0.9).toFixed(1)}s">${step}</g>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-12 -12 ${width + 24} ${height + 24}" width="${width + 24}" height="${height + 24}" role="img" aria-labelledby="t d">
<title id="t">Claude Code edits a file with a model that only writes text</title>
<desc id="d">${escaped([...typed, ...calling.flatMap(({ writes, gets }) => [`The model writes: ${writes}`, `Claude Code gets: ${gets.map(({ name, values }) => `${name} ${values}`).join(', ')}`]), ...difference.map(([text]) => text)].join('\n'))}</desc>
<style>
text { font: 12.3px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #1f2328; white-space: pre; }
.page { fill: #ffffff; } .box { fill: #f6f8fa; stroke: #d1d9e0; }
.dim { fill: #59636e; } .head { font-weight: 600; } .mark { fill: #8250df; } .call { fill: #0550ae; font-weight: 600; }
.gone { fill: #b3261e; } .new { fill: #116329; } .arrow { stroke: #59636e; stroke-width: 2; fill: none; }
.step { animation: step 0.5s backwards; }
@keyframes step { from { opacity: 0; } }
@media (prefers-reduced-motion: reduce) { .step { animation: none; } }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; } .page { fill: #0d1117; } .box { fill: #151b23; stroke: #3d444d; } .dim { fill: #9198a1; } .mark { fill: #d2a8ff; } .call { fill: #79c0ff; }
.gone { fill: #ff9492; } .new { fill: #7ee787; } .arrow { stroke: #9198a1; }
}
</style>
<rect class="page" x="-12" y="-12" width="${width + 24}" height="${height + 24}" rx="12"/>
${shown.join('\n')}
</svg>
`;
}

function boxHeight(lines) {
  return lines * line + 16;
}

function box({ x, y, w, lines, height = boxHeight(lines.length) }) {
  const texts = lines.map(([text, kind], index) => textAt({ x: x + pad, y: y + 22 + index * line, text, kind }));
  return `<rect class="box" x="${x + 0.5}" y="${y + 0.5}" width="${w - 1}" height="${height - 1}" rx="8"/>${texts.join('')}`;
}

function textAt({ x, y, text, kind }) {
  if (text.trim() === '') return '';
  const indent = text.length - text.trimStart().length;
  const shown = text.trimStart();
  const place = `x="${x + indent * letter}" y="${y}" textLength="${(shown.length * letter).toFixed(1)}"`;
  return `<text class="${kind}" ${place} lengthAdjust="spacingAndGlyphs">${escaped(shown)}</text>`;
}

/** Lines that fit into half of the picture. */
function wrapped(text) {
  const most = Math.floor((half - 2 * pad) / letter);
  return text.split('\n').flatMap((whole) => {
    const lines = [];
    let rest = whole;
    while (rest.length > most) {
      const space = Math.max(rest.lastIndexOf(' ', most), rest.lastIndexOf(',', most - 1) + 1);
      const at = space > 0 ? space : most;
      lines.push(rest.slice(0, at));
      rest = rest.slice(at).trimStart();
    }
    return [...lines, rest];
  });
}

function escaped(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;');
}
