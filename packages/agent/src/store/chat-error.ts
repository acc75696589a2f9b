/** `newer`: a later version wrote the file; `conflict`: a file is no more what it was when it was changed. */
export type ChatErrorCode = 'missing' | 'unreadable' | 'newer' | 'conflict';

/** Why a chat cannot be opened or saved, or a change not be undone. The message is for its person. */
export class ChatError extends Error {
  override readonly name = 'ChatError';
  readonly code: ChatErrorCode;

  constructor(code: ChatErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
