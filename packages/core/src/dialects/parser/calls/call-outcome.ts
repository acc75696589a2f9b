/** What has become of the call that is being read. */
export type CallFate =
  /** No call is open. */
  | 'idle'
  /** Opened, the name not known yet: everything is kept, nothing has left. */
  | 'unnamed'
  /** A declared tool: its arguments leave as they are read. */
  | 'live'
  /** Not a call after all (undeclared, one too many, too long): what the model wrote leaves as text. */
  | 'muted'
  /** The same where the policy leaves it out: it is kept, and told at its end. */
  | 'dropped'
  /** The model's way of saying its answer (`final_answer`): kept until it is whole, then its value leaves as text. */
  | 'held-answer'
  /** An answer whose grammar lets its value out as text while it is read; its markup does not leave at all. */
  | 'answer';
