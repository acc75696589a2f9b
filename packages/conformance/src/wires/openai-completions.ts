import { checkCompletion, checkCompletions } from '../grammars/openai-completions-grammar.ts';
import { type Fields, isFields } from '../read-json.ts';
import { eventsIn, listAt, textAt } from '../read-reply.ts';
import { bearer, checkOpenaiError, openaiModelIds } from './openai.ts';
import type { Answer, WireProbe } from './probe.ts';

/** OpenAI's older Completions: one prompt in, one text out. */
export const openaiCompletionsProbe: WireProbe = {
  id: 'openai-completions',
  path: '/v1/completions',
  streamType: 'text/event-stream',
  usageOnDemand: true,
  headers: bearer,
  write: ({ model, entries, stream, usage }) => ({
    model,
    prompt: entries.map((entry) => ('text' in entry ? entry.text : '')).join('\n'),
    // The API's own default is 16 tokens.
    max_tokens: 256,
    ...(stream ? { stream: true } : {}),
    ...(usage === true ? { stream_options: { include_usage: true } } : {}),
  }),
  writeWrongly: (model) => ({ model, prompt: {} }),
  readStream: (stream) => answerOf(eventsIn(stream)),
  readWhole: (body) => answerOf(isFields(body) ? [body] : []),
  checkStream: (stream, { usage }) => checkCompletions(stream, usage === undefined ? {} : { includeUsage: usage }),
  checkWhole: checkCompletion,
  checkError: checkOpenaiError,
  modelList: { path: '/v1/models', read: openaiModelIds },
};

function answerOf(chunks: readonly Fields[]): Answer {
  const choices = chunks.flatMap((chunk) => listAt(chunk, 'choices'));
  return {
    id: textAt(chunks[0], 'id'),
    text: choices.map((choice) => textAt(choice, 'text')).join(''),
    calls: [],
    counted: chunks.some(({ usage }) => isFields(usage)),
  };
}
