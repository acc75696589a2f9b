// The least that a gateway can do that looks at what it passes on: bodies and frames are parsed and written anew.
import { createServer } from 'node:http';
import { collectOnRequest } from './collect-garbage.mjs';
import { Pool } from './undici.mjs';

const pool = new Pool(`http://127.0.0.1:${process.argv[2]}`, { headersTimeout: 0, bodyTimeout: 0 });

const server = createServer({ noDelay: true }, (request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()));
    const headers = { 'content-type': 'application/json' };
    pool.dispatch({ method: 'POST', path: request.url, headers, body }, new Answer(response));
  });
});

class Answer {
  #response;
  #upstream;
  #streams = false;
  #decoder = new TextDecoder();
  #rest = '';

  constructor(response) {
    this.#response = response;
    response.once('close', () => {
      if (!response.writableFinished) this.#upstream?.abort(new Error('the client has gone'));
    });
  }

  onRequestStart(controller) {
    this.#upstream = controller;
  }

  onResponseStart(_controller, status, headers) {
    this.#streams = headers['content-type'] === 'text/event-stream';
    if (this.#streams) this.#response.writeHead(status, { 'content-type': 'text/event-stream' });
  }

  onResponseData(controller, chunk) {
    this.#rest += this.#decoder.decode(chunk, { stream: true });
    if (!this.#streams) return;
    const frames = this.#rest.split('\n\n');
    this.#rest = frames.pop();
    const written = frames.map(rewrite).join('');
    if (written === '' || this.#response.write(written)) return;
    controller.pause();
    this.#response.once('drain', () => controller.resume());
  }

  onResponseEnd() {
    if (this.#streams) this.#response.end();
    else {
      const body = JSON.stringify(JSON.parse(this.#rest));
      this.#response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
      this.#response.end(body);
    }
  }

  onResponseError() {
    this.#response.destroy();
  }
}

function rewrite(frame) {
  const data = frame.slice(6);
  return data === '[DONE]' ? `${frame}\n\n` : `data: ${JSON.stringify(JSON.parse(data))}\n\n`;
}

server.listen(0, '127.0.0.1', 4096, () => process.send?.({ port: server.address().port }));
collectOnRequest();
process.once('disconnect', () => process.exit());
