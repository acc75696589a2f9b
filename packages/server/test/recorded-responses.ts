import { loadOpenresponsesSchema, openresponsesViolations } from '@dragoman/testkit';
import { expect } from 'vitest';
import { RecordedFetch } from './recorded-fetch.ts';

const schema = loadOpenresponsesSchema();

/** Holds one recorded stream to the order of events and, where it is at hand, to the published schema. */
export function checkResponseStream(stream: string): void {
  expect(openresponsesViolations(stream)).toEqual([]);
  expect(schema?.checkStream(stream) ?? []).toEqual([]);
}

/** Holds one whole answer to the published schema, where it is at hand. */
export function checkResponse(body: unknown): void {
  expect(schema?.check('ResponseResource', body) ?? []).toEqual([]);
}

/** A recorded fetch whose Responses streams and answers are checked. */
export class RecordedResponses extends RecordedFetch {
  /** Checks everything so far and returns the parsed requests. */
  async checked(): Promise<readonly Record<string, unknown>[]> {
    const exchanges = await this.exchanges();
    for (const { contentType, answer, status } of exchanges) {
      if (contentType.startsWith('text/event-stream')) checkResponseStream(answer);
      else if (status === 200 && JSON.parse(answer).object === 'response') checkResponse(JSON.parse(answer));
    }
    return exchanges.map(({ request }) => JSON.parse(request === '' ? '{}' : request));
  }
}
