/** The most lines of a panel; long prompts are shown from both ends. */
const mostLines = 48;

/** The longest text inside of JSON, in UTF-16 units. */
const longestText = 200;

/** One step of the demonstration as text: what the client sent, the prompt, the raw reply and the native deltas. */
export function showStep(step, insight, layout) {
  return [
    layOut(sentPanel(step), promptPanel(insight), layout),
    layOut(replyPanel(insight), deltaPanel(step), layout),
  ].join('\n');
}

function sentPanel({ request }) {
  const shortened = JSON.stringify(request, (_, value) => (typeof value === 'string' ? shorten(value) : value), 2);
  return { title: 'What the client sent (POST /v1/chat/completions)', lines: middleOut(shortened.split('\n')) };
}

const unknown = [
  'Not known: a running gateway keeps prompts and raw replies to itself. Without --url the demonstration starts its own gateway and shows them.',
];

function promptPanel({ turn }) {
  const title = 'The prompt as the model saw it';
  if (turn === undefined) return { title, lines: unknown };
  const lines = turn.messages.flatMap(({ role, text }) => [`[${role}]`, ...text.split('\n'), '']);
  return { title, lines: middleOut(lines) };
}

function replyPanel({ turn }) {
  const title = 'The raw reply of the model';
  return { title, lines: turn === undefined ? unknown : middleOut(turn.reply.split('\n')) };
}

function deltaPanel({ answer }) {
  return {
    title: 'The native deltas that the client got',
    lines: [...middleOut(answer.deltas), `finish_reason: ${answer.rawFinishReason}`],
  };
}

/** The first and the last lines, and between them how many are left out. */
export function middleOut(lines, most = mostLines) {
  if (lines.length <= most) return [...lines];
  const head = Math.ceil((most - 1) * 0.6);
  const tail = most - 1 - head;
  return [...lines.slice(0, head), `… ${lines.length - head - tail} more lines …`, ...lines.slice(-tail)];
}

function shorten(text) {
  if (text.length <= longestText) return text;
  const last = text.charCodeAt(longestText - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? longestText - 1 : longestText;
  return `${text.slice(0, end)}… (${text.length} characters)`;
}

/** From this width on, two panels stand side by side. */
const wide = 120;
const gap = ' │ ';

/** Lays out two panels: side by side on a wide terminal, one below the other otherwise. Long lines are wrapped. */
export function layOut(left, right, layout) {
  if (layout.width < wide) return [left, right].map((panel) => section(panel, layout)).join('\n');
  const width = Math.floor((layout.width - gap.length) / 2);
  const columns = [left, right].map((panel) => panel.lines.flatMap((line) => wrap(line, width)));
  const [one = [], two = []] = columns;
  const rows = [pad(left.title, width), layout.dim(gap), right.title];
  const head = `${layout.emphasise(rows[0] ?? '')}${rows[1]}${layout.emphasise(rows[2] ?? '')}`;
  const rule = layout.dim(`${'─'.repeat(width)}─┼─${'─'.repeat(width)}`);
  const count = Math.max(one.length, two.length);
  const body = Array.from({ length: count }, (_, row) =>
    `${pad(one[row] ?? '', width)}${layout.dim(gap)}${two[row] ?? ''}`.trimEnd(),
  );
  return [head, rule, ...body, ''].join('\n');
}

function section(panel, layout) {
  const lines = panel.lines.flatMap((line) => wrap(line, layout.width));
  return [layout.emphasise(`── ${panel.title} ──`), ...lines, ''].join('\n');
}

function pad(text, width) {
  return text + ' '.repeat(Math.max(0, width - [...text].length));
}

/** Breaks a line into pieces of at most `width` code points, between words where a piece has more than one. */
export function wrap(line, width) {
  const characters = [...plain(line)];
  const pieces = [];
  let from = 0;
  while (characters.length - from > width) {
    const space = lastSpace(characters, { from, to: from + width });
    const end = space ?? from + width;
    pieces.push(characters.slice(from, end).join(''));
    // The space at which a line is broken is not shown.
    from = space === undefined ? end : end + 1;
  }
  if (from < characters.length || from === 0) pieces.push(characters.slice(from).join(''));
  return pieces;
}

/** The last space at which a piece can end; not one of those that indent it. */
function lastSpace(characters, { from, to }) {
  let first = from;
  while (first < to && characters[first] === ' ') first += 1;
  for (let at = to; at > first; at -= 1) if (characters[at] === ' ') return at;
  return undefined;
}

/** Without control characters: files and replies must not steer the terminal. */
function plain(line) {
  let text = '';
  for (const character of line) {
    const code = character.codePointAt(0) ?? 0;
    if (character === '\t') text += '  ';
    else if (code >= 0x20 && (code < 0x7f || code > 0x9f)) text += character;
  }
  return text;
}
