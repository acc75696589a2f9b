/** One message as a text-only model sees it. */
export interface PromptMessage {
  /** `system`, `user` or `assistant`; anything else is read as `user`. */
  readonly role: string;
  readonly text: string;
}
