import { isObject } from '../read-values.ts';
import type { TokenCounting } from '../wire.ts';

/** What only an answer needs. The API refuses to count a body that holds any of it. */
const answerFields: readonly string[] = [
  'max_tokens',
  'stream',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'metadata',
  'service_tier',
];

/** `POST /v1/messages/count_tokens`: the prompt of a request, beta fields and their header included. */
export const anthropicCounting: TokenCounting = {
  writeRequest: ({ path, body, headers }) => ({
    path: `${path}/count_tokens`,
    body: isObject(body)
      ? Object.fromEntries(Object.entries(body).filter(([field]) => !answerFields.includes(field)))
      : body,
    ...(headers === undefined ? {} : { headers }),
  }),
  readCount: (body) =>
    isObject(body) && typeof body.input_tokens === 'number' && body.input_tokens >= 0 ? body.input_tokens : undefined,
};
