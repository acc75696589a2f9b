import { qwenChatDefaults as known } from '@dragoman/core';
import { z } from 'zod';
import { jsonPath } from './conversation-schema.ts';

/** How one platform of the wire `qwen-chat` differs from the next. */
export const qwenChatSchema = z
  .strictObject({
    chatMode: z
      .string()
      .min(1)
      .default(known.chatMode)
      .describe('`chat_mode`: whose chats they are, such as `normal`.'),
    chatType: z.string().min(1).default(known.chatType).describe('`chat_type` of chats and messages.'),
    features: z
      .record(z.string(), z.unknown())
      .default({ ...known.features })
      .describe('Further fields of `feature_config`. What a request says of thinking counts for more.'),
    parent: jsonPath
      .default([...known.parent])
      .describe(
        'Where a frame holds what the next message names as its parent: names of fields, as in `conversation`.',
      ),
    end: z
      .enum(['mark', 'close'])
      .default(known.end)
      .describe(
        'What ends a reply: its mark (`finished` or `[DONE]`), so that a close without it is reported as `end-unmarked`; or that the stream is closed in good order after an answer, for platforms that are known to mark nothing.',
      ),
    lost: z
      .array(z.string().min(1))
      .default([...known.lost])
      .describe('Words by which a refusal says that a chat or a parent is not there any more.'),
  })
  .describe('For the wire `qwen-chat`: how this platform differs from others; see docs/conversations.md.');
