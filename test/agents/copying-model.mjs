// A model that reads and writes nothing but text, and that knows nothing of the files: it asks to read those that it is told of,
// copies what comes of each into an edit that changes one word, and quotes a line. Whatever is altered on the way, in either
// direction, ends in a file that differs, in an edit that does not fit, or in another answer. It is served as by an unknown server, as by
// those that people have on their machines (`servers`), or behind a chat platform.
import { request as ask, createServer, STATUS_CODES } from 'node:http';

/** A line of a file, as agents number them: `12\ttext`, `00012| text`, `12: text`. */
const numbered = /^\s*(\d+)(?:\t|→|\| |: )(.*)$/;

/** What a result may be in as text, which is no part of a file. */
const aroundResults = /<\/?stdout>|^\[TOOL_RESULTS\].*?\[TOOL_CONTENT\]|\[\/TOOL_RESULTS\]$/gm;

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
  // It has a shell and nothing else; apply_patch is a program there.
  codex: {
    read: (file) => ['exec_command', { cmd: `cat -n '${file}'` }],
    edit: (file, before, after) => [
      'exec_command',
      { cmd: `apply_patch <<'PATCH'\n${patch(file, before, after)}PATCH` },
    ],
  },
};

/** A change of a whole file, as Codex writes them. */
function patch(file, before, after) {
  const lines = [before.replaceAll(/^/gm, '-'), after.replaceAll(/^/gm, '+')];
  return ['*** Begin Patch', `*** Update File: ${file}`, '@@', ...lines, '*** End Patch', ''].join('\n');
}

/** How calls are written: as the dialect of that name is, or, where any may be read, in one with nothing around its values. */
const forms = {
  hermes: (name, values) => `<tool_call>\n${JSON.stringify({ name, arguments: values })}\n</tool_call>`,
  'cline-xml': (name, values) => {
    const fields = Object.entries(values).map(([key, value]) => `<${key}>${value}</${key}>\n`);
    return `<${name}>\n${fields.join('')}</${name}>`;
  },
  qwen: (name, values) => {
    const fields = Object.entries(values).map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>\n`);
    return `<tool_call>\n<function=${name}>\n${fields.join('')}</function>\n</tool_call>`;
  },
  // The arguments come after the marker as JSON.
  'mistral-json': (name, values) => `[TOOL_CALLS] [${JSON.stringify({ name, arguments: values })}]`,
  // Every text of JSON is one of Python, too.
  pythonic: (name, values) => {
    const given = Object.entries(values).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
    return `[${name}(${given.join(', ')})]`;
  },
  text: (name, values) => {
    const fields = Object.entries(values).map(([key, value]) => `<parameter name="${key}">${value}</parameter>\n`);
    return `<function_calls>\n<invoke name="${name}">\n${fields.join('')}</invoke>\n</function_calls>`;
  },
};

const json = 'application/json';
const chunk = (delta, finish_reason = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

/**
 * Servers as they are found: what they answer besides Chat Completions, by path, how the model writes its calls there, and what they
 * do about tools in a request. Shapes: llama.cpp's `tools/server/README.md`, vLLM's `protocol.py` and its recorded refusal,
 * https://lmstudio.ai/docs/developer/rest/endpoints.
 */
const servers = {
  // Its template has no place for tools, so it leaves them out without a word.
  'llama.cpp': {
    form: 'hermes',
    answers: {
      '/v1/models': list({ id: 'copying', object: 'model', owned_by: 'llamacpp', meta: { n_ctx_train: 131_072 } }),
      '/props': {
        default_generation_settings: { n_ctx: 131_072 },
        chat_template_caps: { supports_tools: false, supports_tool_calls: false, supports_system_role: true },
        modalities: { vision: false, audio: false },
      },
    },
  },
  // Started without --enable-auto-tool-choice.
  vllm: {
    form: 'qwen',
    answers: { '/v1/models': list({ id: 'copying', object: 'model', owned_by: 'vllm', max_model_len: 131_072 }) },
    refusal: {
      message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
  },
  // Started without --tool-call-parser: the model is told of the tools, and what it writes stays text.
  sglang: {
    answers: { '/v1/models': list({ id: 'copying', object: 'model', owned_by: 'sglang', max_model_len: 131_072 }) },
  },
  // It reads the calls of its models itself.
  'lm-studio': {
    answers: {
      '/v1/models': list({ id: 'copying', object: 'model', owned_by: 'organization_owner' }),
      '/api/v0/models': list({ id: 'copying', type: 'llm', state: 'loaded', max_context_length: 131_072 }),
    },
  },
};

function list(entry) {
  return { object: 'list', data: [entry] };
}

/** What the model writes next. `messages` are those of a request, `write` puts a call into words. */
function nextReply({ write, messages, client, files }) {
  const { read, edit } = tools[client];
  const call = ([name, values]) => write(name, values);
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

/** What is in the files, out of the lines that agents number. Each begins anew with 1. */
function contentsIn(texts) {
  const contents = [];
  let lines = [];
  const close = () => {
    if (lines.length > 1) contents.push(lines.join('\n'));
    lines = [];
  };
  for (const line of texts
    .filter(({ role }) => role !== 'system' && role !== 'assistant')
    .flatMap(({ text }) => text.replaceAll(aroundResults, '').split('\n'))) {
    const [, number, text] = numbered.exec(line) ?? [];
    if (number === undefined || Number(number) !== lines.length + 1) close();
    if (Number(number) === lines.length + 1) lines.push(text);
  }
  close();
  return contents;
}

/**
 * Serves the model as an OpenAI-compatible server that has never heard of tools, or as one of `servers`, where `form` says how it
 * writes calls unless the server does.
 */
function serve({ port, client, files, server, form: given }) {
  const { form = given, answers = {}, refusal } = servers[server] ?? {};
  const anyForm = { object: 'list', data: Object.keys(forms).map((id) => ({ id, object: 'model' })) };
  createServer(async (request, response) => {
    const chunks = [];
    for await (const piece of request) chunks.push(piece);
    const report = (status, body) => response.writeHead(status, { 'content-type': json }).end(JSON.stringify(body));
    if (request.method === 'GET') {
      const answer = server === undefined ? anyForm : answers[new URL(request.url, 'http://here').pathname];
      return answer === undefined ? report(404, { error: { message: 'Not Found' } }) : report(200, answer);
    }
    const { model, messages, tools: sent } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (refusal !== undefined && sent !== undefined) return report(400, { error: refusal });
    let native;
    const write =
      server === 'lm-studio'
        ? (name, values) => {
            native = { name, arguments: JSON.stringify(values) };
            return '';
          }
        : forms[form ?? model];
    const text = nextReply({ write, messages, client, files });
    response.setHeader('content-type', 'text/event-stream');
    for (let at = 0; at < text.length; at += 7) response.write(chunk({ content: text.slice(at, at + 7) }));
    if (native !== undefined) {
      const id = `call${messages.length}`;
      response.write(chunk({ tool_calls: [{ index: 0, id, type: 'function', function: native }] }));
    }
    response.write(chunk({}, native === undefined ? 'stop' : 'tool_calls'));
    response.end('data: [DONE]\n\n');
  }).listen(port, '127.0.0.1');
}

/**
 * The same model behind a chat platform that keeps the conversation on its side, takes one message at a time, and refuses the next
 * one until it has closed its stream, half a second after the end of a reply. `platform`: a module with `startQwenChat`;
 * `refusals`: the statuses with which the proxy before it refuses messages, by how many came before.
 */
async function serveAfterPlatform({ port, client, files, platform, refusals }) {
  const { startQwenChat } = await import(platform);
  const { baseUrl } = await startQwenChat({
    oneAtATime: { lingers: 500 },
    answer: ({ text, before }) => {
      const said = before.flatMap((turn) => [
        { role: 'user', content: turn.text },
        { role: 'assistant', content: turn.reply },
      ]);
      return nextReply({ write: forms.hermes, messages: [...said, { role: 'user', content: text }], client, files });
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
else await serveAfterPlatform(order);
