import { z } from 'zod';

/** How replies are written for clients. */
export const clientWiresSchema = z
  .strictObject({
    'openai-chat': z
      .strictObject({
        beginToolCalls: z
          .boolean()
          .default(false)
          .describe('Streams a `beginToolCalls` delta with the id of the first call before it.'),
        emptyStringContent: z
          .boolean()
          .default(false)
          .describe('Writes `""` instead of `null` as content of an answer that only calls tools.'),
        conversationField: z
          .boolean()
          .default(false)
          .describe(
            'Writes `_conversation` with the ids of an upstream that keeps the conversation into the last chunk and into whole answers.',
          ),
      })
      .describe('Chat Completions.')
      .prefault({}),
    'openai-responses': z
      .strictObject({
        strict: z
          .boolean()
          .default(true)
          .describe('Refuses what the API refuses, naming the place. False: reads what has one meaning.'),
        done: z
          .boolean()
          .default(false)
          .describe('Ends streams with `data: [DONE]`. No client needs it, and VS Code 0.42 fails because of it.'),
      })
      .describe('Responses, which is also OpenResponses.')
      .prefault({}),
  })
  .describe('How replies are written for clients, by wire.');
