import {
  type AiSdkTurn,
  type CopilotTurn,
  collectAsAiSdk,
  collectAsCopilot,
  openaiChatViolations,
} from '@dragoman/testkit';
import { expect } from 'vitest';

/** One request and its answer, byte for byte as the client got it. */
export interface RecordedExchange {
  readonly request: string;
  readonly status: number;
  readonly contentType: string;
  readonly answer: string;
}

/** What the two kinds of clients make of one recorded stream. */
export interface CheckedTurn {
  readonly copilot: CopilotTurn;
  readonly aiSdk: AiSdkTurn;
}

/** A `fetch` for an SDK that also keeps everything it sent and received. */
export class RecordedFetch {
  readonly #exchanges: Promise<RecordedExchange>[] = [];

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const request = typeof init?.body === 'string' ? init.body : '';
    const response = await globalThis.fetch(input, init);
    const copy = response.clone();
    this.#exchanges.push(
      copy.text().then((answer) => ({
        request,
        status: copy.status,
        contentType: copy.headers.get('content-type') ?? '',
        answer,
      })),
    );
    return response;
  };

  /** All exchanges so far, in order, their answers read to the end. */
  exchanges(): Promise<readonly RecordedExchange[]> {
    return Promise.all(this.#exchanges);
  }

  /** Holds every recorded stream to the grammar and to both models of clients, and returns what they made of them. */
  async checkedTurns(): Promise<readonly CheckedTurn[]> {
    const exchanges = await this.exchanges();
    return exchanges
      .filter(({ contentType }) => contentType.startsWith('text/event-stream'))
      .map(({ request, answer }) => checkTurn(answer, JSON.parse(request).stream_options?.include_usage === true));
  }
}

/** Holds one whole stream of a reply that succeeded to the grammar and to both models of clients. */
export function checkTurn(stream: string, includeUsage = false): CheckedTurn {
  expect(openaiChatViolations(stream, { includeUsage })).toEqual([]);
  const copilot = collectAsCopilot(stream.split(/(?<=[,:])/));
  expect(copilot).toMatchObject({ outcome: 'success', problems: [] });
  const aiSdk = collectAsAiSdk(stream);
  expect(aiSdk).toMatchObject({ errors: [], lost: [], text: copilot.text, reasoning: copilot.reasoning });
  expect(aiSdk.calls).toEqual(copilot.calls);
  return { copilot, aiSdk };
}
