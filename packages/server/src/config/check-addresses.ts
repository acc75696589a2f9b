import { pathOfHost } from '@dragoman/core';
import { fieldOf } from './raw-value.ts';
import type { Finding } from './read-findings.ts';

/** What requests add to an address, by what is written at its end. */
const requestPath = /\/(chat\/completions|completions|responses|messages|models|api\/chat|api\/generate|api\/tags)\/?$/;

/** Checks that each address is where a server's API begins, as far as anybody can say without asking it. */
export function checkAddresses(upstreams: readonly (readonly [string, unknown])[]): Finding[] {
  return upstreams.flatMap(([name, upstream]): Finding[] => {
    const baseUrl = fieldOf(upstream, 'baseUrl');
    if (typeof baseUrl !== 'string') return [];
    const reason = wrongAddress(baseUrl, fieldOf(upstream, 'wire'));
    return reason === undefined ? [] : [{ path: ['upstreams', name, 'baseUrl'], reason }];
  });
}

function wrongAddress(baseUrl: string, wire: unknown): string | undefined {
  const variable = /\$\{?(\w+)|\{env:(\w+)\}|^env:(\w+)/.exec(baseUrl);
  if (variable !== null)
    return 'cannot come from a variable; write the address itself, such as "http://127.0.0.1:8080/v1"';
  if (!URL.canParse(baseUrl)) return undefined;
  const url = new URL(baseUrl);
  if (!['http:', 'https:'].includes(url.protocol)) return undefined;
  const request = requestPath.exec(url.pathname);
  if (request !== null) {
    const cure = `${url.origin}${url.pathname.slice(0, request.index)}`;
    return `ends with the path of a request, which the gateway adds; write ${JSON.stringify(cure)}`;
  }
  if (wire === 'ollama-chat' && /^\/(v1|api)\/?$/.test(url.pathname)) {
    return `the wire ollama-chat begins at the root of the server; write ${JSON.stringify(url.origin)}, or take the wire openai-chat`;
  }
  const path = pathOfHost(url, wire);
  if (url.pathname !== '/' || path === undefined) return undefined;
  return `its API begins at ${path}; write ${JSON.stringify(`${url.origin}${path}`)}`;
}
