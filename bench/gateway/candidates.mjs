import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { scratch } from '../../scripts/scratch.mjs';
import { folderOfPeer } from '../measure/peers.mjs';
import { agentMessages, agentTools } from '../replies/agent-request.mjs';
import { tools } from '../replies/write-reply.mjs';
import { startDragoman, startProgram, startScript } from './processes.mjs';

const key = 'bench-key-0123456789';
const folder = scratch();

/**
 * What is measured. Each candidate has a `name`, a `start(upstreamPort)` that resolves with `{ child, port }` or with
 * undefined when it is not there, and a `request({ kind, stream, size, upstreamPort })` as text, where `size` is `small` or `agent`;
 * `expect` is in its answer.
 */
export function candidatesFor({ only }) {
  const all = [direct, passThrough, parsed, ...gatewaysOf(), nginx, haproxy, portkey];
  return all.filter(({ name }) => name === direct.name || name.includes(only));
}

const direct = {
  name: 'direct',
  start: async (upstreamPort) => ({ child: undefined, port: upstreamPort }),
  request: ({ kind, ...rest }) => write({ path: `/${kind}/text/v1/chat/completions`, ...rest }),
};

const passThrough = {
  ...direct,
  name: 'Node, passed through',
  start: (upstreamPort) => startScript('pass-through.mjs', { args: [upstreamPort] }),
};

const parsed = {
  ...direct,
  name: 'Node, parsed and re-written',
  start: (upstreamPort) => startScript('parsed-proxy.mjs', { args: [upstreamPort] }),
};

/** Dragoman by each of its ways, from the build in a copy of this repository; default: this one. */
export function gatewaysOf(root) {
  return ways.map((way) => dragoman(way, root));
}

const ways = [
  {
    name: 'Dragoman, same wire',
    ours: 'relayed',
    rule: { toolCalling: 'native', passthrough: 'always' },
    answer: 'text',
  },
  { name: 'Dragoman, native', ours: 'native', rule: { toolCalling: 'native' }, answer: 'text' },
  {
    name: 'Dragoman, hermes into native calls',
    ours: 'hermes',
    rule: { toolCalling: { dialect: 'hermes' } },
    answer: 'hermes',
    expect: '"tool_calls"',
  },
];

/**
 * Everything on: a key is asked for and one is sent upstream, a plan is made, a log line is written. `more` is further
 * configuration, `args` further arguments of `serve`.
 */
export function dragoman({ name, ours, rule, answer, expect, more = {}, args = [] }, root) {
  return {
    name,
    ours,
    expect,
    start(upstreamPort) {
      const upstream = (kind) => ({
        wire: 'openai-chat',
        baseUrl: `http://127.0.0.1:${upstreamPort}/${kind}/${answer}/v1`,
        apiKey: 'upstream-key-0123456789',
        models: { bench: rule },
      });
      const config = {
        listen: { host: '127.0.0.1', port: 0 },
        keys: [{ name: 'bench', key }],
        upstreams: Object.fromEntries(
          ['whole', 'stream', 'burst', 'brief', 'idle'].map((kind) => [kind, upstream(kind)]),
        ),
        ...more,
      };
      const file = join(folder, `${ours}.json`);
      writeFileSync(file, JSON.stringify(config));
      return startDragoman(file, { root, args });
    },
    request: ({ kind, ...rest }) => write({ path: '/v1/chat/completions', model: `${kind}/bench`, ...rest }),
  };
}

const nginx = {
  ...direct,
  name: 'nginx',
  async start(upstreamPort) {
    const command = found('nginx');
    if (command === undefined) return undefined;
    const port = await freePort();
    const file = join(folder, 'nginx.conf');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${join(folder, name)};`,
    );
    writeFileSync(
      file,
      `daemon off; master_process off; pid ${join(folder, 'nginx.pid')}; error_log ${join(folder, 'nginx.log')};
events { worker_connections 4096; }
http { access_log off; ${temporary.join(' ')}
  upstream mock { server 127.0.0.1:${upstreamPort}; keepalive 64; }
  server { listen 127.0.0.1:${port}; keepalive_requests 10000000;
    location / { proxy_pass http://mock; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off; } } }
`,
    );
    return startProgram(command, { args: ['-c', file, '-p', folder], port });
  },
};

const haproxy = {
  ...direct,
  name: 'haproxy',
  async start(upstreamPort) {
    const command = found('haproxy');
    if (command === undefined) return undefined;
    const port = await freePort();
    const file = join(folder, 'haproxy.cfg');
    writeFileSync(
      file,
      `global
  nbthread 1
defaults
  mode http
  timeout client 60s
  timeout server 60s
  timeout connect 5s
listen bench
  bind 127.0.0.1:${port}
  server mock 127.0.0.1:${upstreamPort}
`,
    );
    return startProgram(command, { args: ['-db', '-f', file], port });
  },
};

const portkey = {
  name: 'Portkey',
  async start() {
    const peer = folderOfPeer('@portkey-ai/gateway');
    if (peer === undefined) return undefined;
    const port = await freePort();
    return startProgram(process.execPath, {
      args: ['build/start-server.js', `--port=${port}`, '--headless'],
      port,
      cwd: peer,
    });
  },
  request: ({ kind, upstreamPort, ...rest }) =>
    write({
      path: '/v1/chat/completions',
      ...rest,
      headers: {
        'x-portkey-provider': 'openai',
        'x-portkey-custom-host': `http://127.0.0.1:${upstreamPort}/${kind}/text/v1`,
      },
    }),
};

/** The request of a chat with one tool, or that of an agent at work, which also asks for usage. */
function write({ path, stream, size = 'small', model = 'bench', headers = {} }) {
  const body = JSON.stringify({
    model,
    stream,
    ...(size === 'agent' && stream ? { stream_options: { include_usage: true } } : {}),
    ...(size === 'agent' ? { messages: agentMessages(), tools: agentTools } : smallRequest),
  });
  const head = {
    host: '127.0.0.1',
    'content-type': 'application/json',
    authorization: `Bearer ${key}`,
    ...headers,
    'content-length': Buffer.byteLength(body),
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

const smallRequest = {
  messages: [
    { role: 'system', content: 'You are a careful programmer. Answer with the code that was asked for.' },
    { role: 'user', content: 'Add a filter to the list, so that people find what they look for. Keep it small.' },
  ],
  tools: tools.map(({ inputSchema, ...rest }) => ({
    type: 'function',
    function: { ...rest, parameters: inputSchema },
  })),
};

function found(name) {
  const { status, stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
