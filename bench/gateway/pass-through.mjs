// The least that a gateway in Node can do: node:http in front, undici behind, every byte passed on.
import { createServer } from 'node:http';
import { collectOnRequest } from './collect-garbage.mjs';
import { Pool } from './undici.mjs';

const pool = new Pool(`http://127.0.0.1:${process.argv[2]}`, { headersTimeout: 0, bodyTimeout: 0 });

const server = createServer({ noDelay: true }, (request, response) => {
  let upstream;
  pool.dispatch(
    {
      method: request.method,
      path: request.url,
      headers: { 'content-type': 'application/json', 'content-length': request.headers['content-length'] },
      body: request,
    },
    {
      onRequestStart(controller) {
        upstream = controller;
      },
      onResponseStart(_controller, status, { connection, ...headers }) {
        response.writeHead(status, headers);
      },
      onResponseData(controller, chunk) {
        if (response.write(chunk)) return;
        controller.pause();
        response.once('drain', () => controller.resume());
      },
      onResponseEnd() {
        response.end();
      },
      onResponseError() {
        response.destroy();
      },
    },
  );
  response.once('close', () => {
    if (!response.writableFinished) upstream?.abort(new Error('the client has gone'));
  });
});
server.listen(0, '127.0.0.1', 4096, () => process.send?.({ port: server.address().port }));
collectOnRequest();
process.once('disconnect', () => process.exit());
