import type { JsonObject } from '../read-values.ts';
import type { JsonPath } from '../value-at.ts';

/** The wire's id. */
export const wireId = 'qwen-chat';

/** What differs from one platform of this shape to the next. */
export interface QwenChatSettings {
  /** `chat_mode`: whose chats they are. */
  readonly chatMode: string;
  /** `chat_type`, and the two other fields that repeat it. */
  readonly chatType: string;
  /** Further fields of `feature_config`; what a request says of thinking counts for more. */
  readonly features: JsonObject;
  /** Where a frame holds what the next message names as its parent. */
  readonly parent: JsonPath;
  /**
   * What ends a reply: the platform's own word (`mark`), so that a stream that is closed in good order after an answer
   * without it is told; or such a close (`close`), for platforms that are known to leave the word out.
   */
  readonly end: 'mark' | 'close';
  /** Words by which a refusal says that the chat or the parent is not there any more. */
  readonly lost: readonly string[];
}

/** What a platform gets that nobody has said anything of. */
export const qwenChatDefaults: QwenChatSettings = {
  chatMode: 'guest',
  chatType: 't2t',
  features: {},
  // The field's own name holds a dot.
  parent: ['response.created', 'parent_id'],
  end: 'mark',
  lost: ['is not exist'],
};

/** Where the moment and new ids come from; handed in so that tests know them. */
export interface ClockAndIds {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** An id that no other message has. */
  readonly newId: () => string;
}
