import { type DragomanError, decodeSse } from '@dragoman/core';
import { DeltaReader, type NativeAnswer } from './read-deltas.ts';

export interface GatewayAddress {
  /** Without a path, such as `http://127.0.0.1:11434`. */
  readonly url: string;
  readonly key?: string;
}

/** Milliseconds that a gateway has to answer a request. */
const answerTimeout = 60_000;

/** Sends a streamed chat completion request as any client would. Throws an Error with one clear line when it fails. */
export async function sendRequest(address: GatewayAddress, body: unknown): Promise<NativeAnswer> {
  const response = await send(address, body);
  if (!response.ok) throw new Error(await complaint(response));
  if (response.body === null) throw new Error('The gateway answered without a body.');
  const reader = new DeltaReader();
  const fail = (error: DragomanError): never => {
    throw error;
  };
  const frames = decodeSse({ fail })((frame) => reader.read(frame.data));
  for await (const chunk of response.body) frames.push(chunk);
  frames.end();
  return reader.answer();
}

async function send({ url, key }: GatewayAddress, body: unknown): Promise<Response> {
  const headers = {
    'content-type': 'application/json',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  const signal = AbortSignal.timeout(answerTimeout);
  try {
    return await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body), signal });
  } catch (thrown) {
    const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause.message : String(thrown);
    throw new Error(`No gateway answers at ${url}: ${cause}`);
  }
}

async function complaint(response: Response): Promise<string> {
  if (response.status === 401) return 'The gateway asks for a key: give one with --key, or in OAI_API_KEY.';
  if (response.status === 403) return 'The gateway refuses this key.';
  const text = await response.text();
  return `The gateway answered ${response.status}: ${text.slice(0, 300)}`;
}
