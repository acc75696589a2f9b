import type { ChatEvent, ExchangeWatch, PreparedRequest, Receiver, UpstreamRequest } from '@dragoman/core';
import { writeJson } from '@dragoman/core';
import type { Log } from './create-log.ts';

/** What is noted of a reply under way, and what sees the exchange after it. */
export interface ReplyTrace {
  readonly watch: ExchangeWatch;
  event(event: ChatEvent): void;
}

/**
 * Lines of one reply for whoever looks for a fault: at `debug` what was decided and each canonical event without its text, at
 * `trace` also what was sent and every chunk that came. Undefined where the log takes neither, so that it costs nothing.
 */
export function traceReply(log: Log, requestId: string): ReplyTrace | undefined {
  if (!log.takes('debug')) return undefined;
  const watch: ExchangeWatch = {
    prepared: ({ plan, relay, warnings }: PreparedRequest) => {
      const { upstream, wire, model, toolCalling, reason } = plan;
      const passthrough = relay.relayed ? 'yes' : relay.reason;
      log.debug({ msg: 'prepared', requestId, upstream, wire, model, toolCalling, reason, passthrough });
      for (const { code, message } of warnings) log.debug({ msg: 'warning', requestId, code, message });
    },
    sent: (request) => traceRequest(log, { requestId, request }),
  };
  return { watch, event: (event) => log.debug({ msg: 'event', requestId, ...withoutText(event) }) };
}

function traceRequest(
  log: Log,
  { requestId, request }: { readonly requestId: string; readonly request: UpstreamRequest },
): Receiver {
  const { path, body } = request;
  if (log.takes('trace')) log.trace({ msg: 'sent', requestId, path, body: writeJson(body) });
  const decoder = new TextDecoder();
  return {
    start: (status, contentType) => log.debug({ msg: 'answered', requestId, status, contentType }),
    data: (chunk) => {
      if (!log.takes('trace')) return;
      log.trace({ msg: 'chunk', requestId, bytes: chunk.length, text: decoder.decode(chunk, { stream: true }) });
    },
    end: () => log.debug({ msg: 'answer over', requestId }),
    fail: ({ code, message }) => log.debug({ msg: 'answer failed', requestId, code, message }),
  };
}

/** An event with the length of its text in the place of it. */
function withoutText(event: ChatEvent): Readonly<Record<string, unknown>> {
  switch (event.type) {
    case 'text-delta':
    case 'reasoning-delta':
    case 'tool-call-delta':
      return { type: event.type, block: event.block, length: event.text.length };
    case 'tool-call-end':
      return { type: event.type, block: event.block, length: event.arguments.length };
    case 'warning':
      return { type: event.type, code: event.warning.code, message: event.warning.message };
    case 'error':
      return { type: event.type, code: event.error.code, message: event.error.message };
    case 'text-end':
    case 'reasoning-end':
      return { type: event.type, block: event.block };
    default:
      return { ...event };
  }
}
