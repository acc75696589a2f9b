import {
  type ClientWire,
  createOpenaiResponsesClient,
  type OpenaiResponsesClientOptions,
  type WireResponse,
} from '@dragoman/core';
import type { Gateway } from './exchange.ts';
import type { KeptResponses } from './kept-responses.ts';

export interface ResponsesWireOptions extends OpenaiResponsesClientOptions {
  readonly body: unknown;
  readonly kept: KeptResponses;
}

/**
 * The Responses wire for one request: it knows what the body continues, is as strict as configured, and keeps the response
 * when it has ended. Throws `previous-response-unknown`.
 */
export async function responsesWire(gateway: Gateway, options: ResponsesWireOptions): Promise<ClientWire> {
  const { body, kept, onResponse, ...rest } = options;
  const past = await kept.past(body);
  const { strict, done } = gateway.config.clientWires['openai-responses'];
  return createOpenaiResponsesClient({
    ...past,
    lenient: !strict,
    done,
    ...rest,
    onResponse: onResponse ?? ((response) => keepEnded(response)),
  });

  function keepEnded(response: WireResponse): void {
    if (hasEnded(response)) kept.put(response, { body, past });
  }
}

/** Whether no more will come of it. */
export function hasEnded({ status }: Pick<WireResponse, 'status'>): boolean {
  return status !== 'queued' && status !== 'in_progress';
}
