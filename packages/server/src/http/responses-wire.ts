import { type ClientWire, createOpenaiResponsesClient, type OpenaiResponsesClientOptions } from '@dragoman/core';
import type { KeptResponses, Past } from '../stores/kept-responses.ts';
import type { Gateway } from './exchange.ts';

export interface ResponsesWireOptions extends Omit<OpenaiResponsesClientOptions, 'onResponse'> {
  readonly body: unknown;
  /** What the body continues. */
  readonly past: Past;
  readonly kept: KeptResponses;
}

/**
 * The Responses wire for one request: it knows what the body continues, is as strict as configured, and keeps the response
 * when it has ended. What runs in the background is told of its status instead, and keeps itself.
 */
export function responsesWire(gateway: Gateway, { body, past, kept, ...rest }: ResponsesWireOptions): ClientWire {
  const { strict, done } = gateway.config.clientWires['openai-responses'];
  return createOpenaiResponsesClient({
    ...past,
    lenient: !strict,
    done,
    ...rest,
    onResponse: (response) => {
      if (response.background) gateway.background.report(response);
      else if (response.status !== 'in_progress') kept.put(response, { body, past });
    },
  });
}
