import { z } from 'zod';
import { optional, text, word } from './schema-values.ts';

/** `a.b.0`, or its steps one by one where a field's own name holds a dot. */
export const jsonPath = z.union([text, z.array(text).min(1)]);

const path = z.string().regex(/^\/[!-~]*$/, 'must be a path that begins with "/", without spaces');

const body = z.record(z.string(), z.unknown());

const placeholders =
  '`{{model}}`, `{{conversation}}`, `{{parent}}`, `{{text}}` and `{{system}}` in texts stand for what they name.';

/** How a server that keeps conversations is spoken to, for the wire `conversation`. */
export const conversationSchema = z
  .strictObject({
    create: z
      .strictObject({
        path: path.describe('Where a conversation is begun, after `baseUrl`.'),
        body: body.default({}).describe(`What is sent. ${placeholders}`),
        id: jsonPath.describe('Where its answer holds the id of the conversation.'),
      })
      .exactOptional()
      .describe('How a conversation is begun. Without it the first message begins one.'),
    first: z
      .strictObject({
        path: path.describe('Where the message that begins a conversation is sent, after `baseUrl`.'),
        body: body.describe(`What is sent. ${placeholders}`),
      })
      .exactOptional()
      .describe('How that message is sent, where it differs from `send`. Not beside `create`.'),
    send: z
      .strictObject({
        path: path.describe('Where a message is sent, after `baseUrl`.'),
        body: body.describe(`What is sent. ${placeholders}`),
      })
      .describe('How a message is sent. Where it names a parent, messages may follow any reply.'),
    framing: word(['sse', 'ndjson'], 'sse').describe('Replies are server-sent events, or lines of JSON.'),
    reply: z
      .strictObject({
        text: jsonPath.describe('Where an event holds text.'),
        reasoning: jsonPath.exactOptional().describe('Where an event holds reasoning.'),
        conversation: jsonPath.exactOptional().describe('Where any event holds the id of the conversation.'),
        parent: jsonPath.exactOptional().describe('Where any event holds what the next message names as its parent.'),
        error: jsonPath.exactOptional().describe('Where an event holds what went wrong.'),
        end: z
          .strictObject({
            path: jsonPath.describe('Where the last event says that it is the last.'),
            is: z.string().exactOptional().describe('The text that says so. Default: anything.'),
          })
          .exactOptional()
          .describe(
            'What ends a reply, besides `[DONE]`. One that closes without it is cut. Default: the end of the stream.',
          ),
        cumulative: optional.flag.describe('Each event repeats all text so far. Default: found out by the events.'),
      })
      .describe(
        'Where a reply holds what, such as `choices.0.text`: names of fields and numbers of items, with dots between or as a list.',
      ),
    lost: z
      .strictObject({
        statuses: z.array(z.int().min(400).max(599)).default([404, 410]).describe('Statuses that say so.'),
        words: z.array(text).default([]).describe('Words in the body of a refusal that say so.'),
      })
      .describe('How a refusal says that a conversation or a parent is not there any more.')
      .prefault({}),
    busy: z
      .strictObject({
        statuses: z.array(z.int().min(400).max(599)).default([409, 423]).describe('Statuses that say so.'),
        words: z.array(text).default([]).describe('Words in the body of a refusal that say so.'),
      })
      .describe(
        'How a refusal says that a conversation is busy with another message. This one waits and is sent again.',
      )
      .prefault({}),
  })
  .describe('For the wire `conversation`: how the server is spoken to; see docs/conversations.md.');

/** A description as the configuration holds it. */
export type ConversationConfig = z.output<typeof conversationSchema>;
