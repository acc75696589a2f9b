// A model that reads and writes nothing but text, and that knows nothing of the files: it asks to read those that it is told of,
// copies what comes of each into an edit that changes one word, and quotes a line. Whatever is altered on the way, in either
// direction, ends in a file that differs, in an edit that does not fit, or in another answer.
import { request as ask, createServer, STATUS_CODES } from 'node:http';

/** A line of a file, as agents number them: `12\ttext`, `00012| text`, `12: text`. */
const numbered = /^\s*(\d+)(?:\t|→|\| |: )(.*)$/;

/** The calls of the agents that do such turns. */
const tools = {
  'claude-code': {
    read: (file) => ['Read', { file_path: file }],
    edit: (file, before, after) => ['Edit', { file_path: file, old_string: before, new_string: after }],
  },
  opencode: {
    read: (file) => ['read', { filePath: file }],
    edit: (file, before, after) => ['edit', { filePath: file, oldString: before, newString: after }],
  },
};

/** How calls are written: as the dialect of that name is, or, where any may be read, in one with nothing around its values. */
const forms = {
  hermes: (name, values) => `<tool_call>\n${JSON.stringify({ name, arguments: values })}\n</tool_call>`,
  'cline-xml': (name, values) => {
    const fields = Object.entries(values).map(([key, value]) => `<${key}>${value}</${key}>\n`);
    return `<${name}>\n${fields.join('')}</${name}>`;
  },
  auto: (name, values) => {
    const fields = Object.entries(values).map(([key, value]) => `<parameter name="${key}">${value}</parameter>\n`);
    return `<function_calls>\n<invoke name="${name}">\n${fields.join('')}</invoke>\n</function_calls>`;
  },
};

/** What the model writes next. `messages` are those of a request, `model` is the name of a form. */
function nextReply({ model, messages, client, files }) {
  const { read, edit } = tools[client];
  const call = ([name, values]) => forms[model](name, values);
  const texts = messages.map(({ role, content }) => ({ role, text: typeof content === 'string' ? content : '' }));
  const last = texts.findLastIndex(({ role }) => role === 'assistant');
  const rounds = texts.filter(({ role }) => role === 'assistant').length;
  const came = texts
    .slice(last + 1)
    .map(({ text }) => text)
    .join('\n');
  if (rounds < files.length) {
    // One at a time: which result belongs to which file is then plain.
    const seen = rounds === 0 ? '' : 'I have read one. ';
    return `${seen}I read ${files[rounds]}.\n${call(read(files[rounds]))}`;
  }
  const step = rounds - files.length;
  if (step < files.length) {
    const copied = contentsIn(texts)[step];
    if (copied === undefined) return `I cannot find ${files[step]} in what I was sent: ${came}`;
    return call(edit(files[step], copied, copied.replaceAll('amber', 'violet')));
  }
  const line = contentsIn(texts)[0]
    ?.split('\n')
    .find((each) => each.includes('secret'));
  return `All of them are changed. A line of the first one is:\n\n${line}\n`;
}

/** What stands in the files, out of the lines that agents number. Each begins anew with 1. */
function contentsIn(texts) {
  const contents = [];
  let lines = [];
  const close = () => {
    if (lines.length > 1) contents.push(lines.join('\n'));
    lines = [];
  };
  for (const line of texts
    .filter(({ role }) => role !== 'system' && role !== 'assistant')
    .flatMap(({ text }) => text.split('\n'))) {
    const [, number, text] = numbered.exec(line) ?? [];
    if (number === undefined || Number(number) !== lines.length + 1) close();
    if (Number(number) === lines.length + 1) lines.push(text);
  }
  close();
  return contents;
}

/** Serves the model as an OpenAI-compatible server that has never heard of tools. */
function serve({ port, client, files }) {
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json');
      return response.end(
        JSON.stringify({ object: 'list', data: Object.keys(forms).map((id) => ({ id, object: 'model' })) }),
      );
    }
    const { model, messages } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const text = nextReply({ model, messages, client, files });
    response.setHeader('content-type', 'text/event-stream');
    const send = (delta, finish_reason = null) =>
      response.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model, choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
      );
    for (let at = 0; at < text.length; at += 7) send({ content: text.slice(at, at + 7) });
    send({}, 'stop');
    response.end('data: [DONE]\n\n');
  });
  server.listen(port, '127.0.0.1');
}

/**
 * The same model behind a chat platform that keeps the conversation on its side, takes one message at a time, and refuses the next
 * one until it has closed its stream, half a second behind the end of a reply. `platform`: a module with `startQwenChat`;
 * `refusals`: the statuses with which the proxy in front of it refuses messages, by how many came before.
 */
async function serveBehindPlatform({ port, client, files, platform, refusals }) {
  const { startQwenChat } = await import(platform);
  const { baseUrl } = await startQwenChat({
    oneAtATime: { lingers: 500 },
    answer: ({ text, before }) => {
      const said = before.flatMap((turn) => [
        { role: 'user', content: turn.text },
        { role: 'assistant', content: turn.reply },
      ]);
      return nextReply({ model: 'hermes', messages: [...said, { role: 'user', content: text }], client, files });
    },
  });
  let messages = 0;
  createServer((request, response) => {
    const { method, headers } = request;
    const isMessage = new URL(request.url, baseUrl).pathname === '/api/v2/chat/completions';
    const refused = isMessage ? refusals[messages++] : undefined;
    if (refused !== undefined) {
      request.resume();
      response.writeHead(refused, { 'content-type': 'text/html', ...(refused === 429 && { 'retry-after': '1' }) });
      return response.end(`<html><head><title>${refused} ${STATUS_CODES[refused]}</title></head></html>`);
    }
    const asked = ask(`${baseUrl}${request.url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    request.pipe(asked);
  }).listen(port, '127.0.0.1');
}

const order = JSON.parse(process.argv[2]);
if (order.platform === undefined) serve(order);
else await serveBehindPlatform(order);
