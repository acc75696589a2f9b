import { type UpstreamRequest, writeJson } from '@dragoman/core';
import type { RequestParams } from '@dragoman/worker';

/** A request as a worker gets it. Its body is text: a worker that parsed it would lose digits. */
export function requestParams(request: UpstreamRequest, headers: Readonly<Record<string, string>>): RequestParams {
  const { method = 'POST', path, fromRoot, body, bytes } = request;
  const own = { accept: 'text/event-stream, application/x-ndjson, application/json' };
  return {
    method,
    path,
    ...(fromRoot === true ? { fromRoot } : {}),
    headers: {
      ...own,
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
      ...headers,
    },
    ...(method === 'GET' ? {} : { body: bytes === undefined ? writeJson(body) : Buffer.from(bytes).toString() }),
  };
}
